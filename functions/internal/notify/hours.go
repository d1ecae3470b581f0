package notify

import (
	_ "embed"
	"strings"
	"time"

	"boulevard/functions/internal/store"
)

// Why a notice waits.
const (
	inQuietHours = "quiet_hours"
	inDigest     = "digest"
)

const minutesOfDay = 24 * 60

// zone is the player's, or UTC where this build does not know it any more. The programs that send carry the zones' rules with
// them (time/tzdata), as the cloud's machines need not have any.
func zone(name string) *time.Location {
	location, err := time.LoadLocation(name)
	if err != nil || !isZone(name) {
		return time.UTC
	}
	return location
}

// zones are the names of the zones of the world, one a line. The desk needs no more of them, and is the smaller for it.
//
//go:embed zones.txt
var zones string

// isZone knows the zones of the world, and "" for UTC, but not that of the machine.
func isZone(name string) bool {
	if strings.ContainsRune(name, '\n') {
		return false
	}
	return name == "" || strings.HasPrefix(zones, name+"\n") || strings.Contains(zones, "\n"+name+"\n")
}

// afterQuiet is the end of the quiet hours that a moment lies in, or the moment itself. The hours are those of the player's
// wall: where clocks change in the night, the night is longer or shorter.
func afterQuiet(c *store.Contact, moment time.Time) time.Time {
	local := moment.In(zone(c.Zone))
	minute := local.Hour()*60 + local.Minute()
	if !within(c.QuietFrom, c.QuietTo, minute) {
		return moment
	}
	end := time.Date(local.Year(), local.Month(), local.Day(), 0, c.QuietTo, 0, 0, local.Location())
	if !end.After(moment) {
		end = time.Date(local.Year(), local.Month(), local.Day()+1, 0, c.QuietTo, 0, 0, local.Location())
	}
	return end
}

// within reports whether a minute of the day lies between two others, the first included; they may span midnight. The same
// twice spans nothing.
func within(from, to, minute int) bool {
	if from <= to {
		return from <= minute && minute < to
	}
	return minute >= from || minute < to
}

// due is when what happened at a moment is to be told, and why it waits; zero and "" tell it at once. All that happens in
// one stretch of the player's digest falls due together.
func due(c *store.Contact, at, now time.Time) (time.Time, string) {
	when, why := now, ""
	if c.Digest > 0 {
		stretch := time.Duration(c.Digest) * time.Minute
		if end := at.Truncate(stretch).Add(stretch); end.After(now) {
			when, why = end, inDigest
		}
	}
	if end := afterQuiet(c, when); end.After(when) {
		when, why = end, inQuietHours
	}
	if why == "" {
		return time.Time{}, ""
	}
	return when, why
}

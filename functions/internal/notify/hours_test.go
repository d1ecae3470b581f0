package notify //nolint:testpackage // the hours are decided in here, and nobody else asks for them

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/store"
)

func at(t *testing.T, text string) time.Time {
	t.Helper()
	moment, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return moment
}

// N9: quiet hours in the player's zone, across midnight and clock changes.
func TestN9_QuietHours(t *testing.T) {
	t.Parallel()
	night := store.Contact{Zone: "Europe/Vienna", QuietFrom: 22 * 60, QuietTo: 7 * 60}
	nap := store.Contact{Zone: "Europe/Vienna", QuietFrom: 13 * 60, QuietTo: 14*60 + 30}
	changing := store.Contact{Zone: "Europe/Vienna", QuietFrom: 1 * 60, QuietTo: 2*60 + 30}
	lost := store.Contact{Zone: "Atlantis/Center", QuietFrom: 60, QuietTo: 120}
	kolkata := store.Contact{Zone: "Asia/Kolkata", QuietFrom: 0, QuietTo: 60}
	for name, c := range map[string]struct {
		contact store.Contact
		moment  string
		until   string
	}{
		"evening, before":                  {night, "2026-07-01T21:59:00+02:00", ""},
		"evening":                          {night, "2026-07-01T22:00:00+02:00", "2026-07-02T07:00:00+02:00"},
		"after midnight":                   {night, "2026-07-02T00:30:00+02:00", "2026-07-02T07:00:00+02:00"},
		"the last minute":                  {night, "2026-07-02T06:59:59+02:00", "2026-07-02T07:00:00+02:00"},
		"morning":                          {night, "2026-07-02T07:00:00+02:00", ""},
		"within a day":                     {nap, "2026-07-02T13:30:00+02:00", "2026-07-02T14:30:00+02:00"},
		"elsewhere it is day":              {nap, "2026-07-02T13:30:00Z", ""},
		"last day of the year":             {night, "2026-12-31T23:30:00+01:00", "2027-01-01T07:00:00+01:00"},
		"the night is an hour shorter":     {night, "2026-03-28T23:00:00+01:00", "2026-03-29T07:00:00+02:00"},
		"the night is an hour longer":      {night, "2026-10-24T23:00:00+02:00", "2026-10-25T07:00:00+01:00"},
		"they end in an hour that is none": {changing, "2026-03-29T01:30:00+01:00", "2026-03-29T03:30:00+02:00"},
		"never":                            {store.Contact{QuietFrom: 60, QuietTo: 60}, "2026-07-01T01:00:00Z", ""},
		"a zone that is no more is UTC":    {lost, "2026-07-01T01:00:00Z", "2026-07-01T02:00:00Z"},
		"an offset of half an hour":        {kolkata, "2026-07-01T19:00:00Z", "2026-07-01T19:30:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			moment := at(t, c.moment)
			end := afterQuiet(&c.contact, moment)
			if c.until == "" {
				require.Equal(t, moment, end)
				return
			}
			require.Equal(t, at(t, c.until).UTC(), end.UTC())
		})
	}
}

func TestZones_AreAllKnown(t *testing.T) {
	t.Parallel()
	for name := range strings.Lines(zones) {
		_, err := time.LoadLocation(strings.TrimSpace(name))
		require.NoError(t, err)
		require.True(t, isZone(strings.TrimSpace(name)))
	}
	for _, name := range []string{"Local", "Atlantis/Center", "Europe", "Vienna", "Europe/Vienna\nEurope/Vilnius", "../UTC", "europe/vienna"} {
		require.False(t, isZone(name), name)
	}
}

// Whatever the hours and the moment, their end is in no quiet hour, and less than two days off.
func FuzzQuietHours(f *testing.F) {
	f.Add(22*60, 7*60, "Europe/Vienna", int64(1_774_742_400))
	f.Add(60, 150, "Australia/Lord_Howe", int64(1_790_000_000))
	f.Fuzz(func(t *testing.T, from, to int, name string, unix int64) {
		if !isZone(name) || from < 0 || to < 0 || from >= minutesOfDay || to >= minutesOfDay ||
			unix < 0 || unix > 4_102_444_800 {
			return
		}
		c := store.Contact{Zone: name, QuietFrom: from, QuietTo: to}
		moment := time.Unix(unix, 0)
		end := afterQuiet(&c, moment)
		require.False(t, end.Before(moment))
		require.Less(t, end.Sub(moment), 48*time.Hour)
		require.Equal(t, end, afterQuiet(&c, end), "from %d to %d in %s at %s: %s", from, to, name, moment, end)
	})
}

func TestDue_DigestAndQuietHours(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		contact store.Contact
		at      string
		due     string
		why     string
	}{
		"at once":                   {store.Contact{}, "2026-07-01T10:07:00Z", "", ""},
		"at the end of the stretch": {store.Contact{Digest: 15}, "2026-07-01T10:07:00Z", "2026-07-01T10:15:00Z", inDigest},
		"in the next stretch":       {store.Contact{Digest: 15}, "2026-07-01T10:15:00Z", "2026-07-01T10:30:00Z", inDigest},
		"after the quiet hours":     {store.Contact{QuietFrom: 600, QuietTo: 660}, "2026-07-01T10:07:00Z", "2026-07-01T11:00:00Z", inQuietHours},
		"the digest falls into them": {
			store.Contact{Digest: 60, QuietFrom: 660, QuietTo: 720}, "2026-07-01T10:07:00Z", "2026-07-01T12:00:00Z", inQuietHours,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			moment := at(t, c.at)
			when, why := due(&c.contact, moment, moment)
			require.Equal(t, c.why, why)
			if c.due == "" {
				require.Zero(t, when)
				return
			}
			require.Equal(t, at(t, c.due), when.UTC())
		})
	}
}

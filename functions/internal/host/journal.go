package host

import (
	"context"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// Record is a line of a game's journal.
type Record struct {
	// Version is the one that the entry made.
	Version uint64
	// At is when, in unix milliseconds.
	At    int64
	Entry store.Entry
	// Action is what was played, nil for other deeds.
	Action engine.Action
}

// Journal lists what was done in a game after a version, the oldest first, at most limit records. More tells whether
// there is more.
func (h *Host) Journal(ctx context.Context, id string, after uint64, limit int) (records []Record, more bool, err error) {
	game, err := h.Game(ctx, id)
	if err != nil {
		return nil, false, err
	}
	for version := after + 1; version <= game.Version && version > after; {
		part, err := h.partWith(ctx, game.Head, version)
		if err != nil {
			return nil, false, FromStore(err)
		}
		for _, entry := range part.Entries[version-part.First():] {
			if len(records) == limit {
				return records, true, nil
			}
			record, err := game.record(version, entry)
			if err != nil {
				return nil, false, err
			}
			records = append(records, record)
			version++
		}
	}
	return records, false, nil
}

func (g *Game) record(version uint64, entry store.Entry) (Record, error) {
	record := Record{Version: version, At: g.Created + entry.After, Entry: entry}
	if entry.Deed != store.Play {
		return record, nil
	}
	action, err := g.rules.DecodeAction(entry.Action)
	record.Action = action
	return record, err
}

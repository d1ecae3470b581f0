package host

import (
	"context"
	"fmt"
	"slices"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// at replays a game up to the version, and says what happened in the step that made it.
func (h *Host) at(ctx context.Context, head store.Head, version uint64) (Answer, error) {
	base, entries, err := h.stretch(ctx, head, version)
	if err != nil {
		return Answer{}, err
	}
	game, err := h.open(base)
	if err != nil {
		return Answer{}, err
	}
	last := len(entries) - 1
	if err := game.replay(entries[:last]); err != nil {
		return Answer{}, err
	}
	events, err := game.step(entries[last])
	return Answer{Game: game, Events: events}, err
}

// replay carries out entries of the journal again.
func (g *Game) replay(entries []store.Entry) error {
	for _, entry := range entries {
		if _, err := g.step(entry); err != nil {
			return err
		}
	}
	return nil
}

func (g *Game) step(entry store.Entry) ([]engine.Event, error) {
	events, err := g.apply(entry)
	if err != nil {
		return nil, fmt.Errorf("host: replay of game %s at version %d: %w", g.ID, g.Version+1, err)
	}
	g.Version++
	g.Tail = []store.Entry{entry}
	return events, nil
}

// atCreation is a game before its first entry.
func atCreation(head store.Head) store.Head {
	head.Version, head.State, head.Status, head.Tail, head.Players = 0, nil, store.Open, nil, nil
	return head
}

// stretch is a game as it was some entries before the version, and those entries.
func (h *Host) stretch(ctx context.Context, head store.Head, version uint64) (store.Head, []store.Entry, error) {
	first, entries := head.First(), head.Tail
	if version < first {
		page, err := h.pageWith(ctx, head.ID, version)
		if err != nil {
			return store.Head{}, nil, err
		}
		first, entries = page.First(), page.Entries
	}
	entries = entries[:version-first+1]
	for first > 1 {
		page, err := h.pageWith(ctx, head.ID, first-1)
		if err != nil {
			return store.Head{}, nil, err
		}
		if page.State != nil {
			base := head
			base.Version, base.State, base.Status, base.Tail = page.Last, page.State, store.Playing, page.Entries
			return base, entries, nil
		}
		// Before the start there is no state to begin from: a table fills in a few entries, from the first on.
		first, entries = page.First(), append(slices.Clip(page.Entries), entries...)
	}
	return atCreation(head), entries, nil
}

func (h *Host) pageWith(ctx context.Context, id string, version uint64) (store.JournalPage, error) {
	page, found, err := h.store.PageWith(ctx, id, version)
	if err == nil && !found {
		err = fmt.Errorf("host: the journal of game %s lacks version %d", id, version)
	}
	return page, err
}

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
		first, entries := game.First(), game.Tail
		if version < first {
			page, err := h.pageWith(ctx, id, version)
			if err != nil {
				return nil, false, fromStore(err)
			}
			first, entries = page.First(), page.Entries
		}
		for _, entry := range entries[version-first:] {
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

package host

import (
	"context"
	"fmt"
	"slices"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// At is a game at a version that it has come to.
func (h *Host) At(ctx context.Context, id string, version uint64) (*Game, error) {
	head, err := h.head(ctx, id)
	if err != nil {
		return nil, err
	}
	if version < 1 || version > head.Version {
		return nil, versionNotFound()
	}
	answer, err := h.between(ctx, head, version, version)
	return answer.Game, FromStore(err)
}

func versionNotFound() *Error {
	return &Error{Code: VersionNotFound, Message: "the game has not come to this version"}
}

// maxSince bounds how many versions back the events are told: whoever has been away for longer looks at the game anew.
const maxSince = 200

// Since is a game as it stands, with what has happened since a version where that is not too long ago.
func (h *Host) Since(ctx context.Context, id string, version uint64) (Answer, error) {
	game, err := h.Game(ctx, id)
	if err != nil {
		return Answer{}, err
	}
	switch {
	case version > game.Version:
		return Answer{}, versionNotFound()
	case version == game.Version || game.Version-version > maxSince:
		return Answer{Game: game}, nil
	}
	answer, err := h.between(ctx, game.Head, version+1, game.Version)
	return Answer{Game: game, Events: answer.Events}, FromStore(err)
}

// answered is what the command was answered whose entry made the version: standing orders acted in the same command.
func (h *Host) answered(ctx context.Context, head store.Head, version uint64) (Answer, error) {
	last := version
	for last < head.Version {
		next, err := h.entryOf(ctx, head, last+1)
		if err != nil {
			return Answer{}, err
		}
		if !next.Auto {
			break
		}
		last++
	}
	return h.between(ctx, head, version, last)
}

func (h *Host) entryOf(ctx context.Context, head store.Head, version uint64) (store.Entry, error) {
	part, err := h.partWith(ctx, head, version)
	if err != nil {
		return store.Entry{}, err
	}
	return part.Entries[version-part.First()], nil
}

// between replays a game up to the version last, and says what happened from the entry that made the version first on.
func (h *Host) between(ctx context.Context, head store.Head, first, last uint64) (Answer, error) {
	return h.replay(ctx, head, first, last, h.remember(ctx, head))
}

func (h *Host) replay(ctx context.Context, head store.Head, first, last uint64, memory *memory) (Answer, error) {
	base, entries, err := h.stretch(ctx, head, first, last)
	if err != nil {
		return Answer{}, err
	}
	game, err := h.open(base)
	if err != nil {
		return Answer{}, err
	}
	game.memory = memory
	memory.keep(base.Version, base.State)
	var events []engine.Event
	for _, entry := range entries {
		done, err := game.again(entry)
		if err != nil {
			return Answer{}, err
		}
		if game.Version >= first {
			events = append(events, done.events...)
		}
	}
	return Answer{Game: game, Events: events}, nil
}

// again carries out an entry of the journal.
func (g *Game) again(entry store.Entry) (step, error) {
	done, err := g.carry(entry)
	if err != nil {
		return step{}, fmt.Errorf("host: replay of game %s at version %d: %w", g.ID, g.Version+1, err)
	}
	return done, nil
}

// atCreation is a game before its first entry.
func atCreation(head store.Head) store.Head {
	head.Version, head.State, head.Status, head.Tail, head.Players = 0, nil, store.Open, nil, nil
	head.Orders, head.Undo, head.Asked, head.Invited = nil, nil, nil, nil
	return head
}

// stretch is a game as it was at some version before first, and the entries from there to last.
func (h *Host) stretch(ctx context.Context, head store.Head, first, last uint64) (store.Head, []store.Entry, error) {
	part, err := h.partWith(ctx, head, last)
	if err != nil {
		return store.Head{}, nil, err
	}
	entries := part.Entries[:last-part.First()+1]
	for part.First() > 1 {
		start := part.First()
		if part, err = h.partWith(ctx, head, start-1); err != nil {
			return store.Head{}, nil, err
		}
		// Before the start there is no state to begin from: a table fills in a few entries, from the first on.
		if part.State != nil && start <= first {
			return atPage(head, part), entries, nil
		}
		entries = append(slices.Clip(part.Entries), entries...)
	}
	return atCreation(head), entries, nil
}

// atPage is a game as it was at the end of a page. Who sits where does not change after the start.
func atPage(head store.Head, page store.JournalPage) store.Head {
	head.Version, head.State, head.Status, head.Tail = page.Last, page.State, store.Playing, page.Entries
	head.Orders, head.Undo = page.Orders, page.Undo
	return head
}

// partWith is the part of the journal, a page or the tail, that holds the entry of a version.
func (h *Host) partWith(ctx context.Context, head store.Head, version uint64) (store.JournalPage, error) {
	if version >= head.First() {
		return store.JournalPage{Last: head.Version, Entries: head.Tail, State: head.State}, nil
	}
	page, found, err := h.store.PageWith(ctx, head.ID, version)
	if err == nil && !found {
		err = fmt.Errorf("host: the journal of game %s lacks version %d", head.ID, version)
	}
	return page, err
}

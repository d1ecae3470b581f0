package host

import (
	"context"
	"errors"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// Answer is what a command did: the game at the version that it made, and what happened on the way.
type Answer struct {
	Game   *Game
	Events []engine.Event
}

// maxRaces bounds how often a command that binds to no version is tried again on the winner's state. Each lost race is
// another command's success, so that only a crowd far greater than a table could make a command lose them all.
const maxRaces = 16

// Act is the one door through which every game is changed: it carries out a command once, however often that is sent.
// Errors that callers can act on are of type *Error.
func (h *Host) Act(ctx context.Context, cmd Command) (Answer, error) {
	answer, err := h.act(ctx, cmd)
	h.report(ctx, cmd.Game, cmd.Deed, answer, err)
	return answer, err
}

func (h *Host) act(ctx context.Context, cmd Command) (Answer, error) {
	head, err := h.head(ctx, cmd.Game)
	if err != nil {
		return Answer{}, err
	}
	for range maxRaces {
		answer, err := h.try(ctx, head, cmd)
		var moved *store.Moved
		switch {
		case err == nil:
			return answer, nil
		case errors.As(err, &moved):
			head = moved.Head
		case errors.Is(err, store.ErrOutcomeUnknown):
			// The write may have landed: the head tells, by the command's own key.
			if head, err = h.store.Head(ctx, cmd.Game); err != nil {
				return Answer{}, FromStore(store.ErrOutcomeUnknown)
			}
		default:
			return Answer{}, FromStore(err)
		}
	}
	return Answer{}, &Error{Code: Busy, Message: "too many commands at once"}
}

// try carries out a command on a head that was the game's a moment ago, with one conditional write.
func (h *Host) try(ctx context.Context, head store.Head, cmd Command) (Answer, error) {
	game, err := h.open(head)
	if err != nil {
		return Answer{}, err
	}
	if answer, repeated, err := h.repeated(ctx, game, cmd); repeated || err != nil {
		return answer, err
	}
	entry, err := cmd.entry(game, h.now().UnixMilli())
	if err != nil {
		return Answer{}, err
	}
	if err := cmd.checkPresent(game, entry); err != nil {
		return Answer{}, err
	}
	game.memory = h.remember(ctx, head)
	done, err := game.carry(entry)
	if err != nil {
		return Answer{}, err
	}
	obeyed, events, err := game.obey(entry.After)
	if err != nil {
		return Answer{}, err
	}
	if err := h.store.Commit(ctx, head, &game.Head, append([]store.Entry{entry}, obeyed...)...); err != nil {
		return Answer{}, err
	}
	return Answer{Game: game, Events: append(done.events, events...)}, nil
}

// repeated answers a command that was carried out before as it was answered then.
func (h *Host) repeated(ctx context.Context, game *Game, cmd Command) (Answer, bool, error) {
	version, entry, found, err := h.find(ctx, game, cmd)
	if err != nil || !found {
		return Answer{}, false, err
	}
	again, err := cmd.entry(game, 0)
	if err != nil || !sameDeed(entry, again) {
		return Answer{}, true, &Error{Code: KeyReused, Message: "this idempotency key was used for something else"}
	}
	answer, err := h.answered(ctx, game.Head, version)
	return answer, true, err
}

// find looks for the entry that a command made when it was sent before: in the tail, which costs nothing, and in the
// pages only where a command that is not of the present could have left it.
func (h *Host) find(ctx context.Context, game *Game, cmd Command) (uint64, store.Entry, bool, error) {
	key := keyHash(cmd.Player.ID, cmd.Key)
	if version, entry, found := findKey(game.First(), game.Tail, key); found {
		return version, entry, true, nil
	}
	version, pages := cmd.searched()
	for ; pages > 0 && version < game.First(); pages-- {
		page, found, err := h.store.PageWith(ctx, game.ID, version)
		if err != nil || !found {
			return 0, store.Entry{}, false, err
		}
		if version, entry, found := findKey(page.First(), page.Entries, key); found {
			return version, entry, true, nil
		}
		version = page.Last + 1
	}
	return 0, store.Entry{}, false, nil
}

// searched says where in the journal an earlier sending of the command could be: from which version on, in how many
// pages.
func (c Command) searched() (from uint64, pages int) {
	switch {
	case c.Prompt != 0:
		// Nothing but answers is made while a prompt is open that the game waits for, and an optional one is gone with the
		// turn: its answer stands close behind it.
		return c.Prompt.Version() + 1, 4
	case c.Version != 0:
		return c.Version + 1, 1
	case !seatedDeeds[c.Deed]:
		// A table is filled within its first pages.
		return 1, 4
	}
	return 0, 0
}

func findKey(first uint64, entries []store.Entry, key store.KeyHash) (uint64, store.Entry, bool) {
	for i, entry := range entries {
		if entry.Key == key {
			return first + uint64(i), entry, true
		}
	}
	return 0, store.Entry{}, false
}

package host

import (
	"context"
	"slices"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// Change is a committed change of a game: what it was, what it is, and what happened on the way.
type Change struct {
	// Before is nil where the game was created.
	Before, After *Game
	// Entry is what was done; standing orders may have acted behind it.
	Entry  store.Entry
	Events []engine.Event
}

// Change works out what one commit did, from the heads that it led from and to.
func (h *Host) Change(ctx context.Context, before *store.Head, after store.Head) (Change, error) {
	now, err := h.open(after)
	if err != nil {
		return Change{}, err
	}
	c := Change{After: now}
	base := atCreation(after)
	if before != nil {
		if c.Before, err = h.open(*before); err != nil {
			return Change{}, err
		}
		base = *before
	}
	done := after.Version - min(after.Version, base.Version)
	if done == 0 || done > uint64(len(after.Tail)) {
		return c, nil // the same head again, or one that was put back by hand: nothing was done to the game
	}
	entries := after.Tail[uint64(len(after.Tail))-done:]
	c.Entry = entries[0]
	c.Events, err = h.redo(ctx, base, entries)
	return c, err
}

// redo carries out entries once more, for their events.
func (h *Host) redo(ctx context.Context, base store.Head, entries []store.Entry) ([]engine.Event, error) {
	game, err := h.open(base)
	if err != nil {
		return nil, err
	}
	game.memory = h.remember(ctx, base)
	var events []engine.Event
	for _, entry := range entries {
		done, err := game.again(entry)
		if err != nil {
			return nil, err
		}
		events = append(events, done.events...)
	}
	return events, nil
}

// Actor is the player who made the change: he knows of it.
func (c Change) Actor() string {
	switch seat := int(c.Entry.Seat); {
	case c.Entry.Player != nil:
		return c.Entry.Player.ID
	case c.Before != nil && seat < len(c.Before.Players):
		return c.Before.Players[seat].ID
	}
	return ""
}

// Waits are the decisions that a game waits for a player to make, and the offers that await his word.
func (g *Game) Waits(player string) []engine.Prompt {
	seat := g.SeatOf(player)
	if seat == engine.NoSeat || g.Status != store.Playing {
		return nil
	}
	var waits []engine.Prompt
	for _, prompt := range g.Prompts() {
		if prompt.Seat == seat && !prompt.Decided {
			waits = append(waits, prompt)
		}
	}
	if g.waitsForTurn(seat) {
		waits = append(waits, engine.Prompt{Seat: seat, Kind: engine.TurnPrompt})
	}
	return waits
}

// Name is what people call the game that is played.
func (g *Game) Name() string { return g.rules.Info().Name }

// badgeGames bounds how many games are counted.
const badgeGames = 100

// Badge counts the games that wait for a player.
func (h *Host) Badge(ctx context.Context, player string) (int, error) {
	ids, _, err := h.store.PlayerGames(ctx, player, "", badgeGames)
	if err != nil {
		return 0, FromStore(err)
	}
	count := 0
	for _, id := range ids {
		head, err := h.store.Head(ctx, id)
		if err != nil {
			return 0, FromStore(err)
		}
		if seat := slices.IndexFunc(head.Players, func(p store.Player) bool { return p.ID == player }); seat >= 0 &&
			slices.Contains(head.Asked, int8(seat)) {
			count++
		}
	}
	return count, nil
}

package host

import (
	"fmt"
	"slices"

	"boulevard/engine"
	"boulevard/engine/record"
	"boulevard/functions/internal/store"
)

// Game is a game at one of its versions: its table, and the match played at it.
type Game struct {
	store.Head

	catalogue engine.Catalogue
	rules     engine.Game
	secret    [32]byte
	match     engine.Match
	// memory is what an undo brings back the past from.
	memory *memory
}

// open makes a Game of what the table keeps.
func (h *Host) open(head store.Head) (*Game, error) {
	head = pinned(head)
	rules, found := h.catalogue.Find(head.Game, head.Rules)
	if !found {
		return nil, fmt.Errorf("host: game %s is played by %s version %d, which this build does not have",
			head.ID, head.Game, head.Rules)
	}
	secret, err := h.keys.secret(head.SecretKey, head.ID)
	if err != nil {
		return nil, err
	}
	game := &Game{Head: head, catalogue: h.catalogue, rules: rules, secret: secret}
	if head.State != nil {
		if game.match, err = rules.Restore(head.State); err != nil {
			return nil, fmt.Errorf("host: game %s at version %d: %w", head.ID, head.Version, err)
		}
	}
	return game, nil
}

// pinned is a head with the rules of its version: one of an earlier version may have been played by others.
func pinned(head store.Head) store.Head {
	for i, pin := range head.Pins {
		if head.Version <= pin.Until {
			head.Rules, head.Pins = pin.Rules, head.Pins[:i:i]
			break
		}
	}
	return head
}

// Commitment is the hash of the secret that the dice come from. It is known from the game's creation on.
func (g *Game) Commitment() [32]byte { return record.Commitment(g.secret[:]) }

// Updated is when the game's version was made, in unix milliseconds.
func (g *Game) Updated() int64 { return g.Created + g.Tail[len(g.Tail)-1].After }

// SeatOf is the player's seat, or engine.NoSeat.
func (g *Game) SeatOf(player string) engine.Seat {
	return engine.Seat(slices.IndexFunc(g.Players, func(p store.Player) bool { return p.ID == player }))
}

// Turn is the seat whose turn it is, or engine.NoSeat.
func (g *Game) Turn() engine.Seat {
	if g.match == nil {
		return engine.NoSeat
	}
	return g.match.Turn()
}

// Prompts are the open prompts.
func (g *Game) Prompts() []engine.Prompt {
	if g.match == nil {
		return nil
	}
	return g.match.Prompts()
}

// Choices lists all that a seat may do.
func (g *Game) Choices(seat engine.Seat) []engine.Choice {
	if g.match == nil {
		return nil
	}
	return g.match.Choices(seat)
}

// Offers lists all that a seat may do without being asked.
func (g *Game) Offers(seat engine.Seat) []engine.Choice {
	if g.match == nil || seat == engine.NoSeat {
		return nil
	}
	return g.match.Offers(seat)
}

// View is what a seat, or a spectator, may know of the table; nil before the start.
func (g *Game) View(seat engine.Seat) any {
	if g.match == nil {
		return nil
	}
	return g.match.View(seat)
}

// Outcome is the result of a finished game, nil before.
func (g *Game) Outcome() *engine.Outcome {
	if g.match == nil {
		return nil
	}
	return g.match.Outcome()
}

// settle brings the head up to the match after a change.
func (g *Game) settle() error {
	g.Asked = g.Asked[:0:0]
	if g.match == nil {
		return nil
	}
	if g.match.Outcome() != nil {
		g.Status = store.Finished
	}
	for _, seat := range g.match.Asked() {
		g.Asked = append(g.Asked, int8(seat))
	}
	var err error
	g.State, err = g.match.Snapshot()
	return err
}

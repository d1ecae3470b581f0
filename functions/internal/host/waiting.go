package host

import (
	"context"
	"errors"

	"boulevard/engine"
)

// Waiting is a decision that waits for a player.
type Waiting struct {
	Game *Game
	Seat engine.Seat
	// Prompt is what is asked: a prompt, or one of the kind engine.TurnPrompt.
	Prompt engine.Prompt
	// Choices are the answers.
	Choices []engine.Choice
}

// Waiting lists what waits for a player in the games that a page of his list of games names, and where the next page
// starts. A game that is over, or waits for others, adds nothing.
func (h *Host) Waiting(ctx context.Context, player, cursor string, limit int) ([]Waiting, string, error) {
	ids, next, err := h.store.PlayerGames(ctx, player, cursor, limit)
	if err != nil {
		return nil, "", FromStore(err)
	}
	var waiting []Waiting
	for _, id := range ids {
		game, err := h.Game(ctx, id)
		if known, ok := errors.AsType[*Error](err); ok && known.Code == GameNotFound {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		waiting = append(waiting, game.waitingFor(player)...)
	}
	return waiting, next, nil
}

func (g *Game) waitingFor(player string) []Waiting {
	prompts := g.Waits(player)
	waiting := make([]Waiting, 0, len(prompts))
	for _, prompt := range prompts {
		waiting = append(waiting, g.wait(prompt.Seat, prompt))
	}
	return waiting
}

// waitsForTurn reports whether what the game waits for is the seat's turn, and not its answer.
func (g *Game) waitsForTurn(seat engine.Seat) bool {
	for _, prompt := range g.Prompts() {
		if !prompt.Optional {
			return false
		}
	}
	return g.Turn() == seat
}

// wait is a decision with the choices that decide it.
func (g *Game) wait(seat engine.Seat, prompt engine.Prompt) Waiting {
	w := Waiting{Game: g, Seat: seat, Prompt: prompt}
	choices := g.Choices(seat)
	if prompt.Optional {
		choices = g.Offers(seat)
	}
	for _, choice := range choices {
		if choice.Prompt == prompt.ID {
			w.Choices = append(w.Choices, choice)
		}
	}
	return w
}

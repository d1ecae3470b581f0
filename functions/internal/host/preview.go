package host

import (
	"context"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// Preview is what a play would do to a game.
type Preview struct {
	engine.Preview

	// Game is the game as it stands.
	Game *Game
}

// Preview says what a play would do now, and does nothing.
func (h *Host) Preview(ctx context.Context, cmd Command) (Preview, error) {
	game, err := h.Game(ctx, cmd.Game)
	if err != nil {
		return Preview{}, err
	}
	cmd.Deed = store.Play
	entry, err := cmd.entry(game, 0)
	if err != nil {
		return Preview{}, err
	}
	if game.Status != store.Playing {
		return Preview{}, notPlaying()
	}
	action, err := game.rules.DecodeAction(entry.Action)
	if err != nil {
		return Preview{}, err
	}
	move := engine.Move{Seat: engine.Seat(entry.Seat), Action: action, Prompt: cmd.Prompt}
	preview, refusal := game.match.Preview(move)
	if refusal != nil {
		return Preview{}, fromRefusal(refusal)
	}
	return Preview{Game: game, Preview: preview}, nil
}

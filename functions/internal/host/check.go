package host

import (
	"bytes"
	"context"
	"fmt"
)

// Replay says how much of a game was repeated and compared.
type Replay struct {
	// Entries of the journal were carried out again, from the first on.
	Entries int
	// States were compared with what is stored: one a page, and the head's.
	States int
}

// Check carries out a game's whole journal again, from its creation, and fails where a state differs by a byte from the
// stored one.
func (h *Host) Check(ctx context.Context, id string) (Replay, error) {
	head, err := h.head(ctx, id)
	if err != nil {
		return Replay{}, err
	}
	var replay Replay
	err = h.eachStep(ctx, head, func(r replayed) error {
		replay.Entries++
		if r.game.Version != r.part.Last {
			return nil
		}
		if !bytes.Equal(r.game.State, r.part.State) {
			return fmt.Errorf("host: game %s: the replay differs from the stored state at version %d", id, r.part.Last)
		}
		replay.States++
		return nil
	})
	return replay, err
}

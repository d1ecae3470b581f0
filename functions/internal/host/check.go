package host

import (
	"bytes"
	"context"
	"fmt"

	"boulevard/functions/internal/store"
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
	game, err := h.open(atCreation(head))
	if err != nil {
		return Replay{}, err
	}
	var replay Replay
	for game.Version < head.Version {
		part := store.JournalPage{Last: head.Version, Entries: head.Tail, State: head.State}
		if game.Version+1 < head.First() {
			if part, err = h.pageWith(ctx, id, game.Version+1); err != nil {
				return replay, err
			}
		}
		if err := game.replay(part.Entries); err != nil {
			return replay, err
		}
		if !bytes.Equal(game.State, part.State) {
			return replay, fmt.Errorf("host: game %s: the replay differs from the stored state at version %d", id, part.Last)
		}
		replay.Entries, replay.States = replay.Entries+len(part.Entries), replay.States+1
	}
	return replay, nil
}

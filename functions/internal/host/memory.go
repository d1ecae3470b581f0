package host

import (
	"context"
	"fmt"

	"boulevard/functions/internal/store"
)

// memory keeps the states that a replay has come by, for the undos further on. Without it, each undo would replay what is
// before it, and that the undos before: twice the work for every undo.
type memory struct {
	states map[uint64][]byte
	// replay comes by the state of a version that is further back.
	replay func(version uint64) error
}

// remember is an empty memory of a game.
func (h *Host) remember(ctx context.Context, head store.Head) *memory {
	m := &memory{states: map[uint64][]byte{}}
	m.replay = func(version uint64) error {
		_, err := h.replay(ctx, head, version, version, m)
		return err
	}
	return m
}

// keep takes in a state. No memory at all keeps nothing.
func (m *memory) keep(version uint64, state []byte) {
	if m != nil {
		m.states[version] = state
	}
}

// state is the snapshot of a version.
func (m *memory) state(version uint64) ([]byte, error) {
	if _, known := m.states[version]; !known {
		if err := m.replay(version); err != nil {
			return nil, err
		}
	}
	state, known := m.states[version]
	if !known {
		return nil, fmt.Errorf("host: there is no version %d to bring back", version)
	}
	return state, nil
}

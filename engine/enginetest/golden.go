package enginetest

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

var update = flag.Bool("update", false, "write the recorded games in testdata anew")

// golden is a recorded game. Every build replays it: one that replays it differently needs a new version of the rules.
type golden struct {
	Game     string          `json:"game"`
	Version  int             `json:"version"`
	Setup    engine.Setup    `json:"setup"`
	Seed     uint64          `json:"seed"`
	Moves    []Recorded      `json:"moves"`
	Snapshot []byte          `json:"snapshot"`
	Outcome  *engine.Outcome `json:"outcome"`
}

// Golden replays the game recorded in a file, or records it with the flag -update.
func Golden(t *testing.T, game engine.Game, setup engine.Setup, seed uint64, next Mover, file string) {
	if *update {
		record(t, game, setup, seed, next, file)
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var g golden
	require.NoError(t, json.Unmarshal(data, &g))
	defer func() {
		if t.Failed() {
			t.Logf("%s no longer replays version %d of the rules of %s: if that is meant, raise their version and record it anew "+
				"with -update; if not, every game being played would break", file, g.Version, g.Game)
		}
	}()
	require.Equal(t, game.Info().Version, g.Version)
	match := New(t, game, g.Setup, Seed(g.Seed))
	require.Equal(t, g.Snapshot, Replay(t, game, match, Seed(g.Seed), g.Moves))
	require.Equal(t, g.Outcome, match.Outcome())
}

func record(t *testing.T, game engine.Game, setup engine.Setup, seed uint64, next Mover, file string) {
	moves := next.Play(t, game, setup, Seed(seed), Random(seed))
	g := golden{
		Game: game.Info().ID, Version: game.Info().Version, Setup: setup, Seed: seed, Moves: moves,
		Snapshot: moves[len(moves)-1].Snapshot,
	}
	match, err := game.Restore(g.Snapshot)
	require.NoError(t, err)
	g.Outcome = match.Outcome()
	data, err := json.MarshalIndent(g, "", "\t")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(data, '\n'), 0o644))
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine/catalogue"
	"boulevard/engine/record"
	"boulevard/engine/record/recordtest"
)

func replayed(tb testing.TB, g record.Game) (string, error) {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "game.json")
	require.NoError(tb, os.WriteFile(file, recordtest.Document(tb, g), 0o600))
	var out bytes.Buffer
	err := replay(&out, file)
	return out.String(), err
}

func TestReplay_TellsTheGameAndHowItEnded(t *testing.T) {
	t.Parallel()
	for _, game := range catalogue.All() {
		g := recordtest.Play(t, game, recordtest.Setups(t, game)[0], 1)
		g.Players[0].Name = "Ann\x1b[2J"
		said, err := replayed(t, g)
		require.NoError(t, err)
		assert.Contains(t, said, game.Info().Name)
		assert.Contains(t, said, "players   Ann\uFFFD[2J, Player B", "no name moves the reader's cursor")
		assert.Contains(t, said, "state     equal to the byte")
		assert.Contains(t, said, "1. ")
	}
}

func TestReplay_TamperedGame_SaysWhatDiffers(t *testing.T) {
	t.Parallel()
	game := catalogue.All()[0]
	g := recordtest.Play(t, game, recordtest.Setups(t, game)[0], 1)
	g.State[len(g.State)/2] ^= 1
	said, err := replayed(t, g)
	require.ErrorContains(t, err, "replays differently")
	assert.Empty(t, said)
}

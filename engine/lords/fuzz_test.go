package lords

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine/enginetest"
)

func FuzzRestore(f *testing.F) { enginetest.FuzzRestore(f, Game()) }

func FuzzAct(f *testing.F) {
	setup, refusal := Game().Resolve(4, nil)
	require.Nil(f, refusal)
	enginetest.FuzzAct(f, Game(), setup)
}

func TestGolden_RecordedGameReplaysToTheByte(t *testing.T) {
	t.Parallel()
	setup, refusal := Game().Resolve(4, map[string]string{optionRisers: "on"})
	require.Nil(t, refusal)
	enginetest.Golden(t, Game(), setup, 2026, "testdata/four_seats_risers.json")
}

package lords

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine/enginetest"
)

func FuzzRestore(f *testing.F) { enginetest.FuzzRestore(f, Game(), enginetest.Deals(deals).Mover()) }

func FuzzAct(f *testing.F) {
	setup, refusal := Game().Resolve(4, nil)
	require.Nil(f, refusal)
	enginetest.FuzzAct(f, Game(), setup, enginetest.Deals(deals).Mover())
}

func TestGolden_RecordedGameReplaysToTheByte(t *testing.T) {
	t.Parallel()
	setup, refusal := Game().Resolve(4, map[string]string{optionRisers: "on"})
	require.Nil(t, refusal)
	enginetest.Golden(t, Game(), setup, 2026, enginetest.RandomMove, "testdata/four_seats_risers.json")
	setup, refusal = Game().Resolve(3, nil)
	require.Nil(t, refusal)
	enginetest.Golden(t, Game(), setup, 2027, enginetest.Deals(deals).Mover(), "testdata/three_seats_deals.json")
}

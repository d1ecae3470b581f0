package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/catalogue"
)

func TestAll_EveryGameCanBeFoundAndSetUp(t *testing.T) {
	t.Parallel()
	games := catalogue.All()
	require.NotEmpty(t, games)
	for _, game := range games {
		info := game.Info()
		found, ok := games.Find(info.ID, info.Version)
		require.True(t, ok)
		assert.Same(t, game, found, "no id and version twice")
		setup, refusal := game.Resolve(info.MaxSeats, nil)
		require.Nil(t, refusal)
		match, _, err := game.New(setup, engine.NewDice(engine.Seed{}, 0))
		require.NoError(t, err)
		assert.NotEmpty(t, match.Asked())
	}
}

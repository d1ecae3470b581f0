package rest_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/api"
)

// crowding likes what brings many dice of many players into few casinos, and has them reorganized.
func crowding(choices []api.Choice) []api.Choice {
	for _, kind := range []string{"reorganize", "sprawl", "build"} {
		liked := slices.DeleteFunc(slices.Clone(choices), func(c api.Choice) bool {
			var args struct {
				Color string `json:"color"`
			}
			_ = json.Unmarshal(c.Args, &args)
			return c.Kind != kind || (args.Color != "" && args.Color != "gold")
		})
		if len(liked) > 0 {
			return liked
		}
	}
	return choices
}

// placing plays games until a reorganized casino asks more than one owner to place his dice.
func (b *bundle) placing() (api.Game, []*client) {
	b.tb.Helper()
	for {
		game, players := b.started("Ann", "Bob")
		for game.Status == api.GameStatusPlaying {
			if len(game.Prompts) > 1 {
				return game, players
			}
			game = b.playBy(game, players, crowding)
		}
	}
}

// R4: several players answer their own prompts at once.
func TestR4_PromptsAnsweredAtOnce_AllAccepted_TheStepResolvesOnce(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.placing()
		var crowd sync.WaitGroup
		for _, prompt := range game.Prompts {
			require.Equal(t, "place-dice", prompt.Kind)
			owner := players[prompt.Seat]
			mine := owner.game(game.ID)
			args := filled(t, mine.Choices[0], nil)
			crowd.Go(func() { owner.choose(mine, mine.Choices[0], args).expect(http.StatusOK) })
		}
		crowd.Wait()
		after := players[0].game(game.ID)
		require.Equal(t, game.Version+int64(len(game.Prompts)), after.Version, "one entry for each answer")
		require.Empty(t, after.Prompts)
		require.Equal(t, []int{game.Turn.Value}, after.Asked)
		_, err := b.host.Check(t.Context(), game.ID)
		require.NoError(t, err)
	})
}

func TestPrompt_AnotherSeats_IsForbidden_AndTheTurnWaits(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		game = b.playUntil(game, players, func(g api.Game) bool {
			return len(g.Prompts) == 1 && g.Prompts[0].Kind == "lay-off"
		})
		prompt := game.Prompts[0]
		boss, gambler := players[prompt.Seat], players[game.Turn.Value]
		answer := map[string]any{"kind": "lay-off", "args": map[string]any{"accept": true}, "prompt": prompt.ID}
		gambler.post(actions(game.ID), answer, newKey()).problem(http.StatusForbidden, "not_asked")
		gambler.post(actions(game.ID), action("end", struct{}{}), ifMatch(game.Version), newKey()).
			problem(http.StatusUnprocessableEntity, "refused")
		boss.post(actions(game.ID), action("end", struct{}{}), ifMatch(game.Version), newKey()).
			problem(http.StatusForbidden, "not_asked")
		require.Empty(t, gambler.game(game.ID).Choices)

		once := newKey()
		first := boss.post(actions(game.ID), answer, once).expect(http.StatusOK)
		require.Equal(t, string(first.body), string(boss.post(actions(game.ID), answer, once).expect(http.StatusOK).body))
		boss.post(actions(game.ID), answer, newKey()).problem(http.StatusConflict, "prompt_closed")

		after := first.done().Game
		for range 40 {
			if after.Status == api.GameStatusPlaying {
				after = b.playOn(after, players)
			}
		}
		require.Equal(t, string(first.body), string(boss.post(actions(game.ID), answer, once).expect(http.StatusOK).body), "much later")
	})
}

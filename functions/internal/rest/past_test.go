package rest_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/api"
)

func TestAt_EveryVersion_IsSeenAsItWas(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		ann, bob := b.guest("Ann"), b.guest("Bob")
		seen := map[int64]string{}
		look := func(id string) {
			answer := ann.get("/v1/games/" + id).expect(http.StatusOK)
			seen[answer.game().Version] = string(answer.body)
		}
		game := ann.create(2)
		look(game.ID)
		game = bob.join(game.ID)
		look(game.ID)
		for range 60 {
			game = b.playOn(game, []*client{ann, bob})
			look(game.ID)
		}
		for version, was := range seen {
			at := ann.get(fmt.Sprintf("/v1/games/%s/at/%d", game.ID, version)).expect(http.StatusOK)
			require.Equal(t, was, string(at.body), version)
		}
		ann.get(fmt.Sprintf("/v1/games/%s/at/%d", game.ID, game.Version+1)).problem(http.StatusNotFound, "version_not_found")
		for _, odd := range []string{"0", "-1", "x", "1.5", "9999999999999999999"} {
			ann.get("/v1/games/"+game.ID+"/at/"+odd).problem(http.StatusBadRequest, "invalid_parameter")
		}
	})
}

// L1: ?since=v gives 304, or what changed.
func TestL1_Since_NotModified_OrTheEventsBetween(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		since := func(version int64) *answer {
			return players[0].get(fmt.Sprintf("/v1/games/%s?since=%d", game.ID, version))
		}
		require.Empty(t, since(game.Version).expect(http.StatusNotModified).body)

		first := game.Version
		happened := map[int64][]api.Event{}
		for range 50 {
			mine := players[game.Asked[0]].game(game.ID)
			choice := mine.Choices[randomOf(mine).IntN(len(mine.Choices))]
			done := players[game.Asked[0]].choose(mine, choice, filled(t, choice, randomOf(mine).IntN)).done()
			game = done.Game
			happened[game.Version] = done.Events
		}
		for version := first; version < game.Version; version++ {
			var want []api.Event
			for v := version + 1; v <= game.Version; v++ {
				want = append(want, happened[v]...)
			}
			got := since(version).expect(http.StatusOK).game()
			require.Equal(t, want, got.Events)
			require.Equal(t, game.Version, got.Version)
		}
		since(game.Version+1).problem(http.StatusNotFound, "version_not_found")
		since(0).problem(http.StatusBadRequest, "invalid_parameter")
	})
}

// Preview: what an action costs and does, before it is done, without dice.
func TestPreview_TellsWhatTheActionThenDoes_AndDoesNothing(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		stopped := map[api.PreviewStopped]int{}
		for range 80 {
			mine := players[game.Asked[0]].game(game.ID)
			choice := mine.Choices[randomOf(mine).IntN(len(mine.Choices))]
			args := filled(t, choice, randomOf(mine).IntN)
			body := action(choice.Kind, args)
			if choice.Prompt.Set {
				body["prompt"] = choice.Prompt.Value
			}
			var preview api.Preview
			players[game.Asked[0]].post("/v1/games/"+game.ID+"/preview", body).expect(http.StatusOK).into(&preview)
			require.Equal(t, game.Version, preview.Version)
			stopped[preview.Stopped.Value]++
			done := players[game.Asked[0]].choose(mine, choice, args).done()
			require.Equal(t, game.Version+1, done.Game.Version, "the preview made no version")
			require.GreaterOrEqual(t, len(done.Events), len(preview.Events))
			require.Equal(t, done.Events[:len(preview.Events)], preview.Events)
			if !preview.Stopped.Set && done.Game.You == mine.You {
				require.Equal(t, done.Events, preview.Events)
				require.Equal(t, string(done.Game.View), string(preview.View))
			}
			if game = done.Game; game.Status != api.GameStatusPlaying {
				break
			}
		}
		require.NotZero(t, stopped["hidden"], "a draw was previewed")
		require.NotZero(t, stopped[""])
	})
}

func TestPreview_OfWhatIsRefused_IsRefusedTheSame(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		active, idle := players[game.Turn.Value], players[1-game.Turn.Value]
		path := "/v1/games/" + game.ID + "/preview"
		active.post(path, action("end", struct{}{})).problem(http.StatusUnprocessableEntity, "refused")
		idle.post(path, action("draw", struct{}{})).problem(http.StatusForbidden, "not_asked")
		b.guest("Cleo").post(path, action("draw", struct{}{})).problem(http.StatusForbidden, "not_seated")
		open := idle.create(2)
		idle.post("/v1/games/"+open.ID+"/preview", action("draw", struct{}{})).problem(http.StatusConflict, "game_not_playing")
		require.Equal(t, game.Version, active.game(game.ID).Version)
	})
}

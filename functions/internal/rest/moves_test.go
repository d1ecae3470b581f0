package rest_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/api"
)

// R1: the same key again, later.
func TestR1_SameKeyAgain_AnyTimeLater_SameAnswer_OneEntry(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		active := players[game.Turn.Value]
		once := newKey()
		send := func() *answer {
			return active.post(actions(game.ID), action("draw", struct{}{}), ifMatch(game.Version), once).expect(http.StatusOK)
		}
		first := send()
		require.Equal(t, string(first.body), string(send().body), "at once")

		after := first.done().Game
		for range 40 {
			after = b.playOn(after, players)
		}
		head, err := b.table.Head(t.Context(), game.ID)
		require.NoError(t, err)
		require.Greater(t, head.First(), uint64(game.Version)+1, "the entry is in a page by now")
		require.Equal(t, string(first.body), string(send().body))
		require.Equal(t, first.header.Get("ETag"), send().header.Get("ETag"))
		require.Equal(t, after.Version, active.game(game.ID).Version, "nothing was done twice")
	})
}

func TestR1_SameKeyAgain_OfWhatFillsTheTable(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		p := b.guests("Ann", "Bob")
		body, once := map[string]any{"game": "lords-of-vegas", "seats": 2}, newKey()
		created := p[0].post("/v1/games", body, once).expect(http.StatusCreated)
		game := created.game()
		joinOnce := newKey()
		join := func() *answer { return p[1].post("/v1/games/"+game.ID+"/join", nil, joinOnce).expect(http.StatusOK) }
		joined := join()
		after := joined.done().Game
		for range 30 {
			after = b.playOn(after, p)
		}
		require.Equal(t, string(joined.body), string(join().body))
		require.Equal(t, string(created.body), string(p[0].post("/v1/games", body, once).expect(http.StatusCreated).body))
		require.Equal(t, after.Version, p[0].game(game.ID).Version)
	})
}

func TestR1_SameKeyInParallel_OneEntry_SameAnswer(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		active, once := players[game.Turn.Value], newKey()
		bodies := make([]string, 8)
		var crowd sync.WaitGroup
		for i := range bodies {
			crowd.Go(func() {
				got := active.post(actions(game.ID), action("draw", struct{}{}), ifMatch(game.Version), once)
				bodies[i] = string(got.expect(http.StatusOK).body)
			})
		}
		crowd.Wait()
		for _, body := range bodies {
			require.Equal(t, bodies[0], body)
		}
		require.Equal(t, game.Version+1, active.game(game.ID).Version)
	})
}

// R1: the same key with another body.
func TestR1_SameKeyWithAnotherBody_IsRefused(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		active, once := players[game.Turn.Value], newKey()
		active.post(actions(game.ID), action("draw", struct{}{}), ifMatch(game.Version), once).expect(http.StatusOK)
		active.post(actions(game.ID), action("end", struct{}{}), ifMatch(game.Version), once).
			problem(http.StatusUnprocessableEntity, "key_reused")
		active.post("/v1/games/"+game.ID+"/join", nil, once).problem(http.StatusUnprocessableEntity, "key_reused")

		created := newKey()
		active.post("/v1/games", map[string]any{"game": "lords-of-vegas", "seats": 2}, created).expect(http.StatusCreated)
		active.post("/v1/games", map[string]any{"game": "lords-of-vegas", "seats": 3}, created).
			problem(http.StatusUnprocessableEntity, "key_reused")
		require.Equal(t, game.Version+1, active.game(game.ID).Version)
	})
}

func TestR1_KeysOfDifferentPlayers_AreDifferentKeys(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		p := b.guests("Ann", "Bob", "Cleo")
		game, same := p[0].create(3), newKey()
		p[1].post("/v1/games/"+game.ID+"/join", nil, same).expect(http.StatusOK)
		p[2].post("/v1/games/"+game.ID+"/join", nil, same).expect(http.StatusOK)
		require.Len(t, p[0].game(game.ID).Players, 3)
	})
}

// R2: legal actions raced on one version.
func TestR2_ActionsRacedOnOneVersion_OneWins_LosersSeeTheWinnersGame(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob", "Cleo")
		active := players[game.Turn.Value]
		answers := make([]*answer, 8)
		var crowd sync.WaitGroup
		for i := range answers {
			crowd.Go(func() {
				answers[i] = active.post(actions(game.ID), action("draw", struct{}{}), ifMatch(game.Version), newKey())
			})
		}
		crowd.Wait()
		won := 0
		for _, a := range answers {
			if a.status == http.StatusOK {
				won++
				continue
			}
			problem := a.problem(http.StatusConflict, "conflict")
			require.Equal(t, game.Version+1, problem.Game.Value.Version)
			require.NotEmpty(t, problem.Game.Value.View)
			require.Equal(t, api.NewOptBool(false), problem.StillLegal, "the card of this turn is drawn")
		}
		require.Equal(t, 1, won)
		require.Equal(t, game.Version+1, active.game(game.ID).Version)
	})
}

func TestR2_StaleAction_IsToldWhetherItIsStillLegal(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		active := players[game.Turn.Value]
		draw(game, players)
		problem := active.post(actions(game.ID), action("end", struct{}{}), ifMatch(game.Version), newKey()).
			problem(http.StatusConflict, "conflict")
		require.Equal(t, api.NewOptBool(true), problem.StillLegal)
		require.Equal(t, game.Version+1, active.game(game.ID).Version)
	})
}

// R5: whoever is not asked.
func TestR5_NotAsked_Spectator_FormerPlayer_AreForbidden(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		p := b.guests("Ann", "Bob", "Cleo", "Dan")
		game := p[0].create(2)
		p[2].join(game.ID)
		require.Equal(t, api.GameStatusPlaying, p[0].game(game.ID).Status)
		seated := []*client{p[0], p[2]}
		game = p[0].game(game.ID)
		idle := seated[1-game.Turn.Value]

		idle.post(actions(game.ID), action("draw", struct{}{}), ifMatch(game.Version), newKey()).
			problem(http.StatusForbidden, "not_asked")
		p[3].post(actions(game.ID), action("draw", struct{}{}), ifMatch(game.Version), newKey()).
			problem(http.StatusForbidden, "not_seated")
		require.Equal(t, game.Version, p[0].game(game.ID).Version)
		require.Empty(t, idle.game(game.ID).Choices)

		other := p[0].create(3)
		p[1].join(other.ID)
		p[1].post("/v1/games/"+other.ID+"/leave", nil, newKey()).expect(http.StatusOK)
		p[2].join(other.ID)
		started := p[3].join(other.ID)
		p[1].post(actions(other.ID), action("draw", struct{}{}), ifMatch(started.Version), newKey()).
			problem(http.StatusForbidden, "not_seated")
		require.Equal(t, started.Version, p[1].game(other.ID).Version)
	})
}

// R6: a refused action changes nothing.
func TestR6_RefusedAction_ChangesNothing(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		game = draw(game, players)
		active := players[game.Turn.Value]
		before, err := b.table.Head(t.Context(), game.ID)
		require.NoError(t, err)
		b.ahead.Add(int64(time.Minute))
		refused := active.post(actions(game.ID), action("draw", struct{}{}), ifMatch(game.Version), newKey()).
			problem(http.StatusUnprocessableEntity, "refused")
		require.Equal(t, "already_drawn", refused.Refusal.Value.Code)
		require.NotEmpty(t, refused.Refusal.Value.Rule)
		after, err := b.table.Head(t.Context(), game.ID)
		require.NoError(t, err)
		require.Equal(t, before, after)
	})
}

func TestAct_MustSayWhatItWasDecidedOn(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		active := players[game.Turn.Value]
		active.post(actions(game.ID), action("draw", struct{}{}), newKey()).
			problem(http.StatusPreconditionRequired, "version_missing")
		both := map[string]any{"kind": "draw", "prompt": 17}
		active.post(actions(game.ID), both, ifMatch(game.Version), newKey()).problem(http.StatusBadRequest, "version_and_prompt")
		closed := active.post(actions(game.ID), both, newKey()).problem(http.StatusConflict, "prompt_closed")
		require.Equal(t, game.Version, closed.Game.Value.Version)
		require.Equal(t, game.Version, active.game(game.ID).Version)
	})
}

func TestGetGame_IfNoneMatch_NotModified(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		got := players[0].get("/v1/games/" + game.ID)
		tag := got.header.Get("ETag")
		for _, match := range []string{tag, "W/" + tag, `"0", ` + tag, "*"} {
			same := players[0].get("/v1/games/"+game.ID, header{"If-None-Match", match}).expect(http.StatusNotModified)
			require.Empty(t, same.body)
			require.Equal(t, tag, same.header.Get("ETag"))
		}
		draw(game, players)
		players[0].get("/v1/games/"+game.ID, header{"If-None-Match", tag}).expect(http.StatusOK)
	})
}

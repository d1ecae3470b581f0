package rest_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/api"
)

func ordersPath(game string) string { return "/v1/games/" + game + "/orders" }

// put replaces the client's standing orders.
func (c *client) put(game api.Game, orders ...map[string]any) *answer {
	c.b.tb.Helper()
	body := map[string]any{"orders": orders}
	if orders == nil {
		body["orders"] = []any{}
	}
	return c.sendJSON(http.MethodPut, ordersPath(game.ID), body, ifMatch(game.Version), newKey())
}

var neverLayOff = action("lay-off", map[string]any{"accept": "never"})

// gambled is a game at which somebody has just bet, by which time every seat has left the order never to lay off.
func (b *bundle) gambled() (api.Done, api.Game, []*client) {
	b.tb.Helper()
	for {
		game, players := b.started("Ann", "Bob")
		for _, p := range players {
			game = p.put(game, neverLayOff).done().Game
		}
		for game.Status == api.GameStatusPlaying {
			mine := players[game.Asked[0]].game(game.ID)
			choice := mine.Choices[randomOf(mine).IntN(len(mine.Choices))]
			done := players[game.Asked[0]].choose(mine, choice, filled(b.tb, choice, randomOf(mine).IntN)).done()
			if choice.Kind == "gamble" {
				return done, mine, players
			}
			game = done.Game
		}
	}
}

// A1: standing orders act inside the command that asks, are logged as such, and can be withdrawn.
func TestA1_OrderAnswersInTheCommandThatAsks_IsLoggedAsSuch(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		done, before, players := b.gambled()
		require.Equal(t, before.Version+2, done.Game.Version, "the bet, and the answer to it")
		require.Empty(t, done.Game.Prompts)
		entries := players[0].journal(before.ID)
		answer := entries[len(entries)-1]
		require.Equal(t, "lay-off", answer.Kind)
		require.Equal(t, api.NewOptBool(true), answer.Auto)
		require.False(t, entries[len(entries)-2].Auto.Set)
		_, err := b.host.Check(t.Context(), before.ID)
		require.NoError(t, err)
	})
}

func TestA1_Orders_AreOnesOwnSecret_AndCanBeWithdrawn(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		left := players[0].put(game, neverLayOff).done().Game
		require.Len(t, left.Orders, 1)
		require.Empty(t, players[1].game(game.ID).Orders)
		require.Empty(t, b.guest("Cleo").game(game.ID).Orders)
		theirs := players[1].get("/v1/games/" + game.ID + "/journal")
		require.NotContains(t, string(theirs.body), "never")

		none := players[0].put(left).done().Game
		require.Empty(t, none.Orders)
	})
}

func TestR1_CommandThatOrdersAnswered_Again_SameAnswer(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		_, before, players := b.gambled()
		game := players[0].game(before.ID)
		var once header
		var first *answer
		var body map[string]any
		var by *client
		for first == nil || first.status != http.StatusOK {
			mine := players[game.Asked[0]].game(game.ID)
			by, once = players[game.Asked[0]], newKey()
			body = action(mine.Choices[0].Kind, filled(t, mine.Choices[0], randomOf(mine).IntN))
			first = by.post(actions(game.ID), body, ifMatch(mine.Version), once)
			game = mine
		}
		after := first.done().Game
		for range 40 {
			if after.Status == api.GameStatusPlaying {
				after = b.playOn(after, players)
			}
		}
		again := by.post(actions(game.ID), body, ifMatch(game.Version), once).expect(http.StatusOK)
		require.Equal(t, string(first.body), string(again.body))
	})
}

func TestOrders_BadInput_IsToldWhich(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		for refusal, order := range map[string]map[string]any{
			"unknown_order": action("win", struct{}{}),
			"bad_order":     action("lay-off", map[string]any{"accept": "sometimes"}),
			"bad_argument":  action("lay-off", map[string]any{"accept": 7}),
		} {
			problem := players[0].put(game, order).problem(http.StatusUnprocessableEntity, "refused")
			require.Equal(t, refusal, problem.Refusal.Value.Code)
		}
		twice := players[0].put(game, neverLayOff, neverLayOff).problem(http.StatusUnprocessableEntity, "refused")
		require.Equal(t, "order_twice", twice.Refusal.Value.Code)
		b.guest("Cleo").put(game, neverLayOff).problem(http.StatusForbidden, "not_seated")
		players[0].sendJSON(http.MethodPut, ordersPath(game.ID), map[string]any{"orders": []any{}}, newKey()).
			problem(http.StatusPreconditionRequired, "version_missing")
		open := players[0].create(2)
		players[0].put(open, neverLayOff).problem(http.StatusConflict, "game_not_playing")
		require.Equal(t, game.Version, players[0].game(game.ID).Version)
	})
}

func TestWaiting_ListsWhatIsAskedOverAllGames_AndNothingElse(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		p := b.guests("Ann", "Bob")
		turns := map[string]int{}
		for range 3 {
			game := p[0].create(2)
			turns[game.ID] = p[1].join(game.ID).Turn.Value
		}
		p[0].create(2)
		for id, turn := range turns {
			got := p[turn].waiting()[id]
			require.Equal(t, "turn", got.Kind)
			require.Equal(t, "draw", got.Choices[0].Kind)
			require.NotContains(t, p[1-turn].waiting(), id)

			p[turn].propose(p[turn].game(id), transfer{From: turn, To: 1 - turn, Money: 1})
			offered := p[1-turn].waiting()[id]
			require.Equal(t, "deal", offered.Kind)
			require.NotEmpty(t, offered.Choices)
			require.Equal(t, "turn", p[turn].waiting()[id].Kind, "what one has proposed oneself does not wait for one")
		}
	})
}

// waiting is what waits for the client, by game, read in pages of two.
func (c *client) waiting() map[string]api.Waiting {
	c.b.tb.Helper()
	found := map[string]api.Waiting{}
	for path := "/v1/me/waiting?limit=2"; ; {
		var page api.Inbox
		c.get(path).expect(http.StatusOK).into(&page)
		for _, w := range page.Waiting {
			found[w.ID] = w
		}
		if !page.Next.Set {
			return found
		}
		path = "/v1/me/waiting?limit=2&cursor=" + page.Next.Value
	}
}

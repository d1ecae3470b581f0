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

// transfer is a step of a deal.
type transfer struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Money int    `json:"money,omitempty"`
	Lot   string `json:"lot,omitempty"`
	Die   string `json:"die,omitempty"`
}

func steps(all ...transfer) map[string]any { return map[string]any{"steps": all} }

// propose offers a deal, and returns the game after it.
func (c *client) propose(game api.Game, all ...transfer) api.Game {
	c.b.tb.Helper()
	return c.post(actions(game.ID), action("propose", steps(all...)), ifMatch(game.Version), newKey()).done().Game
}

// dealPrompt is the seat's prompt about the one open deal.
func dealPrompt(tb testing.TB, game api.Game, seat int) int64 {
	tb.Helper()
	i := slices.IndexFunc(game.Prompts, func(p api.Prompt) bool { return p.Kind == "deal" && p.Seat == seat })
	require.GreaterOrEqual(tb, i, 0)
	require.True(tb, game.Prompts[i].Optional.Value)
	return game.Prompts[i].ID
}

func answerTo(prompt int64, kind string, args any) map[string]any {
	body := action(kind, args)
	body["prompt"] = prompt
	return body
}

// lotOf is a lot that the seat can give, by what its offers say.
func lotOf(tb testing.TB, game api.Game, seat int) string {
	tb.Helper()
	i := slices.IndexFunc(game.Offers, func(c api.Choice) bool { return c.Kind == "propose" })
	require.GreaterOrEqual(tb, i, 0)
	for _, party := range game.Offers[i].Fill[0].Parties {
		var goods map[string][]string
		require.NoError(tb, json.Unmarshal(party.Goods, &goods))
		if party.Seat == seat {
			return goods["lots"][0]
		}
	}
	return ""
}

func TestDeal_ProposedOffTurn_AcceptedByAll_IsDone(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		turn := game.Turn.Value
		idle := 1 - turn
		mine := players[idle].game(game.ID)
		lot := lotOf(t, mine, idle)
		proposed := players[idle].propose(mine, transfer{From: idle, To: turn, Lot: lot}, transfer{From: turn, To: idle, Money: 2})
		require.Equal(t, []int{turn}, proposed.Asked, "T3: an open deal stalls nobody")

		// T3: the turn goes on, and an answer survives that it does.
		drawn := draw(proposed, players)
		done := players[turn].post(actions(game.ID), answerTo(dealPrompt(t, proposed, turn), "accept", struct{}{}), newKey()).done()
		require.Equal(t, drawn.Version+1, done.Game.Version)
		codes := make([]string, 0, len(done.Events))
		for _, e := range done.Events {
			codes = append(codes, e.Code)
		}
		require.Contains(t, codes, "deal_done")
		require.Empty(t, done.Game.Prompts)
		require.Equal(t, lot, ownedLot(t, done.Game, lot, turn))
		_, err := b.host.Check(t.Context(), game.ID)
		require.NoError(t, err)
	})
}

// ownedLot is the lot if it belongs to the seat.
func ownedLot(tb testing.TB, game api.Game, lot string, seat int) string {
	tb.Helper()
	var view struct {
		Lots []struct {
			ID    string `json:"id"`
			Owner int    `json:"owner"`
		} `json:"lots"`
	}
	require.NoError(tb, json.Unmarshal(game.View, &view))
	for _, l := range view.Lots {
		if l.ID == lot && l.Owner == seat {
			return lot
		}
	}
	return ""
}

// T1: anything in a deal changes before the last acceptance.
func TestT1_DealThatCannotBeKeptAnyMore_IsStale_AndNothingIsHalfApplied(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		turn := game.Turn.Value
		idle := 1 - turn
		all := moneyOf(t, game, idle)
		first := players[idle].propose(game, transfer{From: idle, To: turn, Money: all}, transfer{From: turn, To: idle, Money: 1})
		second := players[turn].propose(first, transfer{From: idle, To: turn, Money: all}, transfer{From: turn, To: idle, Money: 2})
		accept := func(c *client, prompt int64) *answer {
			return c.post(actions(game.ID), answerTo(prompt, "accept", struct{}{}), newKey())
		}
		done := accept(players[idle], dealPrompt(t, promptsSince(second, first.Version), idle)).done().Game
		stale := accept(players[turn], dealPrompt(t, first, turn)).problem(http.StatusUnprocessableEntity, "refused")
		require.Equal(t, "deal_stale", stale.Refusal.Value.Code)
		require.NotEmpty(t, stale.Refusal.Value.Args, "the reason")
		require.Equal(t, done.Version, players[idle].game(game.ID).Version)
		require.Equal(t, string(done.View), string(players[idle].game(game.ID).View))
	})
}

// promptsSince is the game with the prompts alone that versions after one have opened.
func promptsSince(game api.Game, version int64) api.Game {
	game.Prompts = slices.DeleteFunc(slices.Clone(game.Prompts), func(p api.Prompt) bool { return p.ID>>4 <= version })
	return game
}

func moneyOf(tb testing.TB, game api.Game, seat int) int {
	tb.Helper()
	var view struct {
		Players []struct {
			Money int `json:"money"`
		} `json:"players"`
	}
	require.NoError(tb, json.Unmarshal(game.View, &view))
	return view.Players[seat].Money
}

// T2: accept, withdraw and counter in parallel.
func TestT2_AcceptWithdrawAndCounterInParallel_OneOutcome(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		for range 4 {
			game, players := b.started("Ann", "Bob")
			proposed := players[0].propose(players[0].game(game.ID), transfer{From: 0, To: 1, Money: 1})
			mine, his := dealPrompt(t, proposed, 0), dealPrompt(t, proposed, 1)
			bodies := []struct {
				by   *client
				body map[string]any
			}{
				{players[1], answerTo(his, "accept", struct{}{})},
				{players[0], answerTo(mine, "withdraw", struct{}{})},
				{players[1], answerTo(his, "withdraw", struct{}{})},
				{players[1], answerTo(his, "counter", steps(transfer{From: 0, To: 1, Money: 2}))},
			}
			answers := make([]*answer, len(bodies))
			var crowd sync.WaitGroup
			for i, sent := range bodies {
				crowd.Go(func() { answers[i] = sent.by.post(actions(game.ID), sent.body, newKey()) })
			}
			crowd.Wait()
			won := 0
			for _, a := range answers {
				if a.status == http.StatusOK {
					won++
					continue
				}
				a.problem(http.StatusConflict, "prompt_closed")
			}
			require.Equal(t, 1, won)
			require.Equal(t, proposed.Version+1, players[0].game(game.ID).Version)
		}
	})
}

// T4, at the door: what cannot be traded is refused at once.
func TestT4_ProposalOfWhatCannotBeTraded_IsRefused(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		lot := lotOf(t, players[0].game(game.ID), 1)
		for name, args := range map[string]any{
			"points":           map[string]any{"steps": []any{map[string]any{"from": 0, "to": 1, "points": 3}}},
			"no steps":         steps(),
			"to oneself":       steps(transfer{From: 0, To: 0, Money: 1}),
			"unknown seat":     steps(transfer{From: 0, To: 7, Money: 1}),
			"another's lot":    steps(transfer{From: 0, To: 1, Lot: lot}),
			"lot A99":          steps(transfer{From: 0, To: 1, Lot: "A99"}),
			"debts":            steps(transfer{From: 0, To: 1, Money: -5}),
			"fractions":        map[string]any{"steps": []any{map[string]any{"from": 0, "to": 1, "money": 1.5}}},
			"more than he has": steps(transfer{From: 0, To: 1, Money: 1000}),
			"2^64":             map[string]any{"steps": []any{map[string]any{"from": 0, "to": 1, "money": json.Number("18446744073709551616")}}},
		} {
			answer := players[0].post(actions(game.ID), action("propose", args), ifMatch(game.Version), newKey())
			require.Equal(t, http.StatusUnprocessableEntity, answer.status, name)
			answer.problem(http.StatusUnprocessableEntity, "refused")
		}
		require.Equal(t, game.Version, players[0].game(game.ID).Version)
	})
}

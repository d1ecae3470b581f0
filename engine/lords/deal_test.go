package lords

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/enginetest"
)

// Trading, the first example: a die for a lot.
func TestDeal_ExampleOfTheRuleBook_DieForLot(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, "A1 gold red 6\nA2 gold blue 2\nB1 blue")
	p.propose(red, 10, HandDie(red, blue, "A1"), HandLot(blue, red, "B1"))
	events := p.accept(blue, 10)
	assert.Equal(t, []string{"deal_accepted", "deal_done", "die_given", "lot_given"}, codes(events))
	assert.Equal(t, &DieGiven{red, blue, "A1", 6}, args[*DieGiven](t, events), "the new die shows the value of the old one")
	assert.Equal(t, &LotGiven{blue, red, "B1"}, args[*LotGiven](t, events))
	assert.Equal(t, &CasinoChanged{
		Casino: "A1", Lots: []LotID{"A1", "A2"}, Color: Gold, Size: 2, Boss: blue, WasBoss: red,
	}, args[*CasinoChanged](t, events))
	assert.Equal(t, blue, p.bossOf("A1"))
	assert.Equal(t, red, p.at("B1").Owner)
	assert.Equal(t, []int{10, 12}, []int{p.diceLeft(blue), p.diceLeft(red)}, "red has his die back")
	assert.Equal(t, []int{10, 9}, []int{p.markersLeft(blue), p.markersLeft(red)}, "blue has his marker back")
	assert.Empty(t, p.Deals)
}

// Trading, the second example: a die for money.
func TestDeal_ExampleOfTheRuleBook_DieForMoney(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, "A1 gold red 6")
	p.propose(blue, 10, HandDie(red, blue, "A1"), Pay(blue, red, 20))
	events := p.accept(red, 10)
	assert.Equal(t, &MoneyGiven{blue, red, 20}, args[*MoneyGiven](t, events))
	assert.Equal(t, []int{30, 50, 70, 50}, moneyOf(p))
	assert.Equal(t, blue, p.at("A1").Owner)
}

// Trading, the third example: an action of this turn for money.
func TestDeal_ExampleOfTheRuleBook_ActionForMoney(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 red\nA3 gold yellow 2").money(red, 0)
	p.propose(yellow, 10, Pay(yellow, red, 8), Do(&Build{Lot: "A2", Color: Gold}))
	events := p.accept(red, 10, 6, 1)
	assert.Equal(t, []string{"deal_accepted", "deal_done", "money_given", "built", "ties_rerolled"}, codes(events))
	assert.Equal(t, []int{50, 50, 2, 42}, moneyOf(p), "the money of one step pays for the next")
	assert.Equal(t, red, p.bossOf("A2"))
}

// Trading, the fourth example: a lot and a die for two dice.
func TestDeal_ExampleOfTheRuleBook_LotAndDieForTwoDice(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, "A1 gold red 6\nB1 silver red 3\nC1 blue\nD1 brown blue 1")
	p.propose(blue, 10,
		HandLot(blue, red, "C1"), HandDie(blue, red, "D1"), HandDie(red, blue, "A1"), HandDie(red, blue, "B1"))
	p.accept(red, 10)
	assert.Equal(t, []engine.Seat{blue, blue, red, red},
		[]engine.Seat{p.at("A1").Owner, p.at("B1").Owner, p.at("C1").Owner, p.at("D1").Owner})
}

// Rulings 6 and 14: ties are rerolled after a trade, once for all that changes hands in it.
func TestDeal_TiesAreRerolledAfterTheTrade(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, "A1 gold red 5\nA2 gold red 5\nB1 silver red 1")
	p.propose(red, 10, HandDie(red, blue, "A1"), HandDie(red, blue, "B1"))
	events := p.accept(blue, 10, 2, 4)
	assert.Equal(t, []string{"deal_accepted", "deal_done", "die_given", "die_given", "ties_rerolled"}, codes(events))
	assert.Equal(t, red, p.bossOf("A1"))

	p = sketch(t, yellow, "A1 gold red 5\nA2 gold red 5")
	p.propose(red, 10, HandDie(red, blue, "A1"), HandDie(red, blue, "A2"))
	assert.NotContains(t, codes(p.accept(blue, 10)), "ties_rerolled", "they tie only in between")
}

// Rulings 14: actions in between, of the player whose turn it is, by whoever proposes.
func TestDeal_ActionsInOrder(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 blue\nB1 silver red 4\nC1 aqua yellow 3\nC4 yellow")
	p.propose(yellow, 10, HandLot(blue, red, "A2"), Do(&Build{Lot: "A2", Color: Gold}), Pay(yellow, red, 9),
		HandDie(red, blue, "A2"), Do(&Remodel{Casino: "B1", Color: Gold}), Do(&Gamble{Casino: "C1", Bet: 5}))
	assert.Equal(t, []engine.Seat{blue, red, yellow}, p.Deals[0].Steps.parties(red).list())
	assert.Equal(t, []string{"deal_accepted"}, codes(p.accept(blue, 10)))
	events := p.accept(red, 10)
	assert.Equal(t, []string{
		"deal_accepted", "deal_done", "lot_given", "built", "money_given", "die_given", "remodeled", "bet_placed",
	}, codes(events))
	assert.Equal(t, blue, p.bossOf("A2"))
	assert.Equal(t, []int{50, 50, 50 - 6 + 9 - 5, 41}, moneyOf(p))
	p.do(yellow, new(LayOff), 1, 2)

	p = sketch(t, red, "A1 gold red 3\nA2 gold red 2\nA3 gold blue 6")
	p.propose(blue, 10, Pay(blue, red, 5), Do(&Reorganize{Casino: "A1"}))
	p.accept(red, 10, 4, 1, 2)
	assert.Equal(t, Placing, p.Phase)
	p.do(red, &Place{Values: []int{1, 4}})
}

// Rulings 14: what would be up to dice cannot be agreed on, as it could be half done.
func TestDeal_NothingIsUpToDice(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold blue 5\nA2 gold red 3\nA3 gold blue 5\nB1 silver red 5\nB2 red\nB3 blue")
	tie := HandDie(blue, red, "A1")
	refusal := p.refusedDeal(red, tie, Do(&Remodel{Casino: "A1", Color: Brown}))
	assert.Equal(t, engine.Refuse("up_to_dice", "Trading", engine.Args{"step": 1}), refusal)
	p.propose(red, 10, tie, Do(&Remodel{Casino: "B1", Color: Brown}), Do(&Build{Lot: "B2", Color: Aqua}), Pay(red, blue, 9))
	events := p.accept(blue, 10, 6, 1)
	assert.Equal(t, []string{
		"deal_accepted", "deal_done", "die_given", "ties_rerolled", "remodeled", "built", "money_given",
	}, codes(events), "what does not depend on them may follow")
}

// Rulings 8: a die given back and forth could be reorganized twice.
func TestDeal_ReorganizedDieStaysMarked(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 3")
	p.do(red, &Reorganize{Casino: "A1"}, 4)
	p.propose(blue, 10, HandDie(red, blue, "A1"), Pay(blue, red, 1), HandDie(blue, red, "A1"))
	p.accept(red, 10)
	assert.Equal(t, "already_reorganized", p.refused(red, &Reorganize{Casino: "A1"}).Code)
}

func TestDeal_ViewAndOffers(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 red\nA2 gold blue 3").money(red, 7)
	p.propose(red, 10, Pay(red, blue, 5), HandLot(red, green, "A1"))
	p.accept(green, 10)
	view := p.match().View(engine.NoSeat).(*View)
	assert.Equal(t, []DealView{{
		Deal: 10, Proposer: red, Parties: []engine.Seat{blue, green, red}, Accepted: []engine.Seat{green, red},
		Steps: Steps{Pay(red, blue, 5), HandLot(red, green, "A1")},
	}}, view.Deals)
	offers := p.match().Offers(blue)
	require.Len(t, offers, 4)
	assert.Equal(t, []engine.Param{{Name: "steps", Kind: engine.Deal, Parties: []engine.Party{
		{Seat: blue, Money: 50, Goods: map[string][]string{"lots": {}, "dice": {"A2"}}},
		{Seat: green, Money: 50, Goods: map[string][]string{"lots": {}, "dice": {}}},
		{Seat: red, Money: 7, Goods: map[string][]string{"lots": {"A1"}, "dice": {}}},
		{Seat: yellow, Money: 50, Goods: map[string][]string{"lots": {}, "dice": {}}},
	}}}, offers[0].Fill)
	assert.Equal(t, engine.Choice{Action: new(Accept), Prompt: engine.NewPromptID(10, blue), Facts: &DealFacts{10, true}}, offers[1])
	assert.Equal(t, []string{"propose", "accept", "withdraw", "counter"}, kindsOf(offers))
	assert.Equal(t, []string{"propose", "withdraw", "counter"}, kindsOf(p.match().Offers(green)))
	assert.Equal(t, []string{"propose"}, kindsOf(p.match().Offers(yellow)))
	assert.Empty(t, p.match().Offers(9))

	p.money(red, 4)
	stale := p.match().View(red).(*View).Deals[0].Stale
	assert.Equal(t, engine.Refuse("deal_stale", "Trading",
		engine.Args{"code": "not_enough_money", "needed": 5, "have": 4, "step": 0}), stale)
	assert.Equal(t, []string{"propose", "withdraw", "counter"}, kindsOf(p.match().Offers(blue)))
}

func kindsOf(choices []engine.Choice) []string {
	var kinds []string
	for _, c := range choices {
		kinds = append(kinds, c.Action.Kind())
	}
	return kinds
}

// What clients send and read.
func TestSteps_JSON(t *testing.T) {
	t.Parallel()
	const text = `[{"from":0,"to":1,"money":5},{"from":1,"to":0,"lot":"A2"},{"from":1,"to":0,"die":"A5"},` +
		`{"action":"build","args":{"lot":"A2","color":"gold"}},{"action":"sprawl","args":{"casino":"A2","lot":"A1","from":"B1"}},` +
		`{"action":"remodel","args":{"casino":"A2","color":"aqua"}},{"action":"raise","args":{"casino":"A2"}},` +
		`{"action":"reorganize","args":{"casino":"A2"}},{"action":"gamble","args":{"casino":"A2","bet":3}}]`
	steps := Steps{
		Pay(0, 1, 5), HandLot(1, 0, "A2"), HandDie(1, 0, "A5"), Do(&Build{Lot: "A2", Color: Gold}),
		Do(&Sprawl{Casino: "A2", Lot: "A1", From: "B1"}), Do(&Remodel{Casino: "A2", Color: Aqua}), Do(&Raise{Casino: "A2"}),
		Do(&Reorganize{Casino: "A2"}), Do(&Gamble{Casino: "A2", Bet: 3}),
	}
	var read Steps
	require.NoError(t, json.Unmarshal([]byte(text), &read))
	assert.Equal(t, steps, read)
	assert.JSONEq(t, text, enginetest.JSON(t, steps))
	action, refusal := Game().ParseAction(kindCounter, []byte(`{"steps":`+text+`}`))
	require.Nil(t, refusal)
	assert.Equal(t, &Counter{Steps: steps}, action)
	entry, err := Game().EncodeAction(action)
	require.NoError(t, err)
	decoded, err := Game().DecodeAction(entry)
	require.NoError(t, err)
	assert.Equal(t, action, decoded)
}

package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/enginetest"
)

// T1: a deal that cannot be done any more is refused at the last acceptance, says why, and nothing of it is done.
func TestT1_WhatHasChanged_DealStale(t *testing.T) {
	t.Parallel()
	const table = "A1 gold red 3\nA2 red\nB1 silver blue 2\nB2 blue"
	for name, test := range map[string]struct {
		steps  []Step
		change func(p *position)
		want   *engine.Refusal
	}{
		"money": {
			[]Step{HandLot(blue, red, "B2"), Pay(red, blue, 45)},
			func(p *position) { p.do(red, &Build{Lot: "A2", Color: Silver}) },
			engine.Refuse("deal_stale", "Trading", engine.Args{"step": 1, "code": "not_enough_money", "needed": 45, "have": 44}),
		},
		"boss": {
			[]Step{Pay(blue, red, 5), Do(&Remodel{Casino: "A1", Color: Aqua})},
			func(p *position) {
				p.propose(yellow, 30, Pay(yellow, red, 9), HandDie(red, yellow, "A1"))
				p.accept(red, 30)
			},
			engine.Refuse("deal_stale", "Action - Remodel", engine.Args{"step": 1, "code": "not_boss", "boss": 3}),
		},
		"tiles": {
			[]Step{Do(&Build{Lot: "A2", Color: Gold}), Pay(blue, red, 50)},
			func(p *position) {
				for lot := range 8 {
					p.Lots[lot+30] = Lot{Color: Gold, Height: 1, Owner: engine.NoSeat}
				}
			},
			engine.Refuse("deal_stale", "Available Tiles", engine.Args{
				"step": 0, "code": "no_tiles", "needed": 1, "left": 0, "color": "gold",
			}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := sketch(t, red, table)
			p.propose(red, 10, test.steps...)
			test.change(p)
			require.Len(t, p.Deals, 1)
			assert.NotContains(t, kindsOf(p.match().Offers(blue)), kindAccept)
			_, refusal := p.act(blue, 10, new(Accept))
			assert.Equal(t, test.want, refusal)
			require.Len(t, p.Deals, 1, "the deal stays until it lapses")
			events, refusal := p.act(red, 10, new(Withdraw))
			require.Nil(t, refusal)
			assert.Equal(t, &DealWithdrawn{Deal: 10, Seat: red}, args[*DealWithdrawn](t, events))
		})
	}
}

// Rulings 14: a deal lapses when anything in it has moved.
func TestT1_WhatHasMoved_DealLapses(t *testing.T) {
	t.Parallel()
	const table = "A1 gold red 3\nA2 red\nA3 gold blue 6\nB2 blue\nB5 silver blue 1"
	for name, test := range map[string]struct {
		step   Step
		change func(p *position) []engine.Event
		lot    LotID
	}{
		"lot built on": {HandLot(red, blue, "A2"), func(p *position) []engine.Event {
			return p.do(red, &Build{Lot: "A2", Color: Brown})
		}, "A2"},
		"lot given to another": {HandLot(red, blue, "A2"), func(p *position) []engine.Event {
			p.propose(yellow, 20, HandLot(red, yellow, "A2"))
			return p.accept(red, 20)
		}, "A2"},
		"die with another face": {HandDie(red, blue, "A1"), func(p *position) []engine.Event {
			return p.do(red, &Reorganize{Casino: "A1"}, 4)
		}, "A1"},
		"die taken over": {HandDie(blue, red, "B5"), func(p *position) []engine.Event {
			p.next("B5")
			return p.do(red, new(Draw))
		}, "B5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := sketch(t, red, table)
			p.propose(blue, 10, Pay(blue, red, 1), test.step)
			events := test.change(p)
			assert.Equal(t, &DealLapsed{
				Deal: 10, Parties: []engine.Seat{blue, red}, Reason: "moved", Lot: test.lot,
			}, args[*DealLapsed](t, events))
			assert.Empty(t, p.Deals)
			_, refusal := p.act(red, 10, new(Accept))
			assert.Equal(t, engine.PromptClosed, refusal.Code)
		})
	}
}

func TestDeal_WhatItMakesItselfDoesNotLapseIt(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 3\nA2 red\nB2 blue")
	p.propose(blue, 10, Do(&Build{Lot: "A2", Color: Brown}), HandDie(red, blue, "A2"), HandLot(blue, red, "B2"))
	p.do(red, &Remodel{Casino: "A1", Color: Aqua})
	p.accept(red, 10)
	assert.Equal(t, blue, p.at("A2").Owner)
}

// Rulings 14: a deal lapses with its turn, and with the game.
func TestDeal_LapsesWithTheTurn(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 3")
	p.propose(yellow, 10, Pay(yellow, red, 1), Do(&Remodel{Casino: "A1", Color: Aqua}))
	p.propose(blue, 11, Pay(blue, green, 1))
	events := p.do(red, new(End))
	assert.Equal(t, []string{"turn_ended", "deal_lapsed", "deal_lapsed"}, codes(events))
	assert.Equal(t, &DealLapsed{Deal: 10, Parties: []engine.Seat{red, yellow}, Reason: "turn_ended"}, events[1].Args)
	assert.Empty(t, p.match().Prompts())

	p = sketch(t, red, "A1 gold red 3")
	p.Phase, p.Deck = Drawing, []Card{p.board.end}
	p.propose(blue, 11, Pay(blue, green, 1))
	assert.Equal(t, "game_over", args[*DealLapsed](t, p.do(red, new(Draw))).Reason)
	_, refusal := p.act(blue, 20, &Propose{Steps: Steps{Pay(blue, green, 1)}})
	assert.Equal(t, engine.GameOver, refusal.Code)
}

// T2: whichever of an acceptance, a withdrawal and a counter comes first, the others find the prompt closed.
func TestT2_AcceptWithdrawCounter_OneOutcome(t *testing.T) {
	t.Parallel()
	answers := []engine.Action{new(Accept), new(Withdraw), &Counter{Steps: Steps{Pay(blue, red, 2)}}}
	for _, first := range answers {
		for _, second := range answers {
			for _, seat := range []engine.Seat{blue, red} {
				p := sketch(t, yellow, "")
				p.propose(red, 10, Pay(blue, red, 1))
				_, refusal := p.act(blue, 10, first)
				require.Nil(t, refusal)
				_, refusal = p.act(seat, 10, second)
				require.NotNil(t, refusal)
				assert.Equal(t, engine.PromptClosed, refusal.Code)
				want := map[string]int{kindAccept: 51}[first.Kind()]
				assert.Equal(t, max(want, 50), p.Players[red].Money)
			}
		}
	}
}

func TestDeal_CounterTakesItsPlace(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, "A1 red")
	p.propose(red, 10, Pay(blue, red, 9), HandLot(red, blue, "A1"))
	events, refusal := p.act(blue, 10, &Counter{Steps: Steps{Pay(green, red, 7), HandLot(red, blue, "A1"), Pay(blue, green, 1)}})
	require.Nil(t, refusal)
	assert.Equal(t, []string{"deal_withdrawn", "deal_proposed"}, codes(events))
	assert.Equal(t, &DealWithdrawn{10, blue, true}, args[*DealWithdrawn](t, events))
	assert.Equal(t, uint32(10), args[*DealProposed](t, events).Counters)
	require.Len(t, p.Deals, 1)
	deal := uint64(p.Deals[0].Version)
	_, refusal = p.act(blue, deal, new(Accept))
	assert.Equal(t, engine.Refuse("already_accepted", "Trading", nil), refusal)
	p.accept(red, deal)
	p.accept(green, deal)
	assert.Equal(t, []int{49, 44, 57, 50}, moneyOf(p))
	_, refusal = p.act(blue, 10, &Counter{})
	assert.Equal(t, engine.PromptClosed, refusal.Code)
}

func TestDeal_CounterRefusals(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, "")
	p.propose(red, 10, Pay(blue, red, 9))
	for code, steps := range map[string]Steps{
		"not_a_party": {Pay(green, red, 7)}, "no_steps": nil, "not_enough_money": {Pay(blue, red, 70)},
	} {
		_, refusal := p.act(blue, 10, &Counter{Steps: steps})
		assert.Equal(t, code, refusal.Code)
	}
	_, refusal := p.act(green, 10, &Counter{Steps: Steps{Pay(green, red, 7)}})
	assert.Equal(t, engine.PromptClosed, refusal.Code)
}

// T3: an open deal stalls nobody.
func TestT3_OpenDealStallsNobody(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 3\nA2 red\nB1 silver blue 2")
	before := p.match().Choices(red)
	p.propose(blue, 10, HandDie(red, blue, "A1"), Pay(blue, red, 2))
	match := p.match()
	assert.Equal(t, []engine.Seat{red}, match.Asked())
	assert.Equal(t, before, match.Choices(red))
	for _, prompt := range match.Prompts() {
		assert.Equal(t, engine.Prompt{
			ID: engine.NewPromptID(10, prompt.Seat), Seat: prompt.Seat, Kind: "deal", Optional: true, Decided: prompt.Seat == blue,
		}, prompt)
	}
	assert.Empty(t, match.Choices(blue), "blue is asked nothing that the game waits for")
	p.do(red, &Build{Lot: "A2", Color: Silver})
	p.do(red, new(End))
}

// Rulings 14: no deal comes between a question and its answer.
func TestDeal_NotWhileAPromptIsOpen(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, redCasino)
	p.propose(yellow, 10, Pay(yellow, red, 48))
	p.do(yellow, &Gamble{Casino: "A1", Bet: 4})
	p.propose(blue, 11, Pay(blue, red, 2))
	for _, deal := range []uint64{10, 11} {
		_, refusal := p.act(red, deal, new(Accept))
		assert.Equal(t, engine.Refuse("prompt_open", "Trading", engine.Args{"prompt": int(engine.NewPromptID(1, red)), "seat": 2}), refusal)
	}
	assert.Equal(t, "prompt_open", p.refusedDeal(green, Pay(green, yellow, 2), Do(&Remodel{Casino: "A1", Color: Aqua})).Code)
	assert.Equal(t, []engine.Seat{red}, p.match().Asked())
	assert.Equal(t, []string{kindLayOff, kindLayOff}, kindsOf(p.match().Choices(red)))
	p.do(red, new(LayOff), 3, 4)
	_, refusal := p.act(red, 10, new(Accept))
	assert.Equal(t, engine.Refuse("deal_stale", "Trading",
		engine.Args{"step": 0, "code": "not_enough_money", "needed": 48, "have": 46}), refusal)
	p.accept(red, 11)
}

// T4: what may not be traded cannot be said.
func TestT4_OnlyTradeableThings(t *testing.T) {
	t.Parallel()
	for step, want := range map[string]*engine.Refusal{
		`{"from":0,"to":1,"points":3}`:                         engine.Refuse("bad_argument", "", engine.Args{"step": 1}),
		`{"from":0,"to":1,"tile":"A2"}`:                        engine.Refuse("bad_argument", "", engine.Args{"step": 1}),
		`{"from":0,"to":1,"money":2.5}`:                        engine.Refuse("bad_argument", "", engine.Args{"step": 1, "argument": "money"}),
		`{"from":0,"to":1,"money":"2"}`:                        engine.Refuse("bad_argument", "", engine.Args{"step": 1, "argument": "money"}),
		`{"from":0,"to":1}`:                                    engine.Refuse("bad_step", "Trading", engine.Args{"step": 1}),
		`{"from":0,"money":1}`:                                 engine.Refuse("bad_step", "Trading", engine.Args{"step": 1}),
		`{"from":0,"to":1,"money":1,"lot":"A2"}`:               engine.Refuse("bad_step", "Trading", engine.Args{"step": 1}),
		`{"from":0,"to":1,"money":1,"args":{}}`:                engine.Refuse("bad_step", "Trading", engine.Args{"step": 1}),
		`{"action":"build","from":1}`:                          engine.Refuse("bad_step", "Trading", engine.Args{"step": 1}),
		`{}`:                                                   engine.Refuse("bad_step", "Trading", engine.Args{"step": 1}),
		`null`:                                                 engine.Refuse("bad_step", "Trading", engine.Args{"step": 1}),
		`{"action":"end"}`:                                     engine.Refuse("not_in_deals", "Trading", engine.Args{"step": 1}),
		`{"action":"draw"}`:                                    engine.Refuse("not_in_deals", "Trading", engine.Args{"step": 1}),
		`{"action":"lay-off","args":{}}`:                       engine.Refuse("not_in_deals", "Trading", engine.Args{"step": 1}),
		`{"action":"propose"}`:                                 engine.Refuse("not_in_deals", "Trading", engine.Args{"step": 1}),
		`{"action":"promise"}`:                                 engine.Refuse("unknown_action", "", engine.Args{"step": 1, "kind": "promise"}),
		`{"action":"build","args":{"lot":"A2","when":"B"}}`:    engine.Refuse("bad_argument", "", engine.Args{"step": 1}),
		`{"action":"build","args":{"lot":"A2","color":"red"}}`: engine.Refuse("unknown_color", "Available Tiles", engine.Args{"step": 1}),
	} {
		_, refusal := Game().ParseAction(kindPropose, []byte(`{"steps":[{"from":0,"to":1,"money":1},`+step+`]}`))
		assert.Equal(t, want, refusal, step)
	}
	_, refusal := Game().ParseAction(kindPropose, []byte(`{"steps":{}}`))
	assert.Equal(t, engine.Refuse("bad_argument", "", engine.Args{"argument": "steps"}), refusal)
	steps := enginetest.JSON(t, make([]struct{}, maxSteps+1))
	_, refusal = Game().ParseAction(kindPropose, []byte(`{"steps":`+steps+`}`))
	assert.Equal(t, "too_many_steps", refusal.Code)
}

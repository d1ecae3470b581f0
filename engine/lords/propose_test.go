package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/enginetest"
)

// act makes a move about a deal, which the given version's prompts ask about, with dice that roll those faces.
func (p *position) act(seat engine.Seat, deal uint64, action engine.Action, faces ...int) ([]engine.Event, *engine.Refusal) {
	p.tb.Helper()
	match := p.match()
	move := engine.Move{Seat: seat, Action: action}
	dice := enginetest.DiceThatRoll(p.tb, faces...)
	if action.Kind() == kindPropose {
		dice = engine.NewDice(engine.Seed{}, deal)
	} else {
		move.Prompt = engine.NewPromptID(deal, seat)
	}
	if action.Kind() == kindCounter {
		dice = engine.NewDice(engine.Seed{}, deal+10)
	}
	before := enginetest.Snapshot(p.tb, match)
	events, refusal := match.Act(move, dice)
	if refusal != nil {
		require.Equal(p.tb, before, enginetest.Snapshot(p.tb, match), "a refusal changes nothing")
		return nil, refusal
	}
	p.State = decodeState(p.tb, enginetest.Snapshot(p.tb, match))
	return events, nil
}

// propose puts a deal on the table in the move that makes a version.
func (p *position) propose(seat engine.Seat, version uint64, steps ...Step) {
	p.tb.Helper()
	_, refusal := p.act(seat, version, &Propose{Steps: steps})
	require.Nil(p.tb, refusal)
}

// accept accepts a deal, which may be the last acceptance.
func (p *position) accept(seat engine.Seat, deal uint64, faces ...int) []engine.Event {
	p.tb.Helper()
	events, refusal := p.act(seat, deal, new(Accept), faces...)
	require.Nil(p.tb, refusal)
	return events
}

// refusedDeal proposes what must be refused.
func (p *position) refusedDeal(seat engine.Seat, steps ...Step) *engine.Refusal {
	p.tb.Helper()
	_, refusal := p.act(seat, 99, &Propose{Steps: steps})
	require.NotNil(p.tb, refusal)
	return refusal
}

func TestDeal_Refusals(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 red\nA2 gold red 3\nB1 blue\n"+twelveDice("green")).money(blue, 5)
	long := make([]Step, maxSteps+1)
	for i := range long {
		long[i] = Pay(red, blue, 1)
	}
	for _, test := range []struct {
		steps []Step
		want  *engine.Refusal
	}{
		{nil, engine.Refuse("no_steps", "Trading", nil)},
		{long, engine.Refuse("too_many_steps", "Trading", engine.Args{"max": 24})},
		{[]Step{{}}, engine.Refuse("bad_step", "Trading", engine.Args{"step": 0})},
		{[]Step{Pay(red, blue, 1), {Kind: 200}}, engine.Refuse("bad_step", "Trading", engine.Args{"step": 1})},
		{[]Step{{Kind: GiveLot, To: blue, From: red, Lot: "A1", Money: 3}}, engine.Refuse("bad_step", "Trading", engine.Args{"step": 0})},
		{[]Step{Pay(red, red, 1)}, engine.Refuse("to_oneself", "Trading", engine.Args{"step": 0})},
		{[]Step{Pay(red, 4, 1)}, engine.Refuse("unknown_seat", "Trading", engine.Args{"step": 0})},
		{[]Step{Pay(engine.NoSeat, red, 1)}, engine.Refuse("unknown_seat", "Trading", engine.Args{"step": 0})},
		{[]Step{Pay(red, blue, 0)}, engine.Refuse("bad_money", "Trading", engine.Args{"min": 1, "max": maxMoney, "step": 0})},
		{[]Step{Pay(blue, red, -3)}, engine.Refuse("bad_money", "Trading", engine.Args{"min": 1, "max": maxMoney, "step": 0})},
		{[]Step{Pay(blue, red, 6)}, engine.Refuse("not_enough_money", "Trading", engine.Args{"needed": 6, "have": 5, "step": 0})},
		{[]Step{HandLot(red, blue, "Z1")}, engine.Refuse("unknown_lot", "Who Owns What", engine.Args{"argument": "lot", "step": 0})},
		{[]Step{HandLot(red, blue, "B1")}, engine.Refuse("not_givers_lot", "Trading", engine.Args{"giver": 2, "lot": "B1", "step": 0})},
		{[]Step{HandLot(red, blue, "A2")}, engine.Refuse("not_givers_lot", "Trading", engine.Args{"giver": 2, "lot": "A2", "step": 0})},
		{[]Step{HandDie(red, blue, "A1")}, engine.Refuse("not_givers_die", "Trading", engine.Args{"giver": 2, "lot": "A1", "step": 0})},
		{[]Step{HandDie(red, green, "A2")}, engine.Refuse("no_die_left", "Trading", engine.Args{"receiver": 1, "step": 0})},
		{[]Step{Pay(blue, yellow, 1)}, engine.Refuse("not_a_party", "Trading", nil)},
		{[]Step{Do(&Build{Lot: "A1", Color: Gold})}, engine.Refuse("nobody_else", "Trading", nil)},
		{[]Step{Do(new(End)), Pay(red, blue, 1)}, engine.Refuse("bad_step", "Trading", engine.Args{"step": 0})},
		{[]Step{Do(&Reorganize{Casino: "A2"}), Pay(red, blue, 1)}, engine.Refuse("only_last", "Trading", engine.Args{"step": 0})},
		{[]Step{Pay(red, blue, 45), Do(&Remodel{Casino: "A2", Color: Aqua}), Do(&Gamble{Casino: "A2", Bet: 1})},
			engine.Refuse("own_casino", "Action - Gamble", engine.Args{"step": 2})},
		{[]Step{Pay(red, blue, 46), Do(&Remodel{Casino: "A2", Color: Aqua})},
			engine.Refuse("not_enough_money", "Action - Remodel", engine.Args{"needed": 5, "have": 4, "step": 1})},
	} {
		assert.Equal(t, test.want, p.refusedDeal(red, test.steps...), enginetest.JSON(t, test.steps))
	}
	for _, seat := range []engine.Seat{engine.NoSeat, 4, 15} {
		assert.Equal(t, "unknown_seat", p.refusedDeal(seat, Pay(red, blue, 1)).Code)
	}
}

func TestDeal_ReceiverNeedsAMarker(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 red\nB1 blue\nB2 blue\nB3 blue\nB4 blue\nB5 blue\nB6 blue\nD1 blue\nD2 blue\nD3 blue\nD4 blue")
	assert.Equal(t, engine.Refuse("no_marker_left", "Trading", engine.Args{"receiver": 0, "step": 0}),
		p.refusedDeal(red, HandLot(red, blue, "A1"), HandLot(blue, red, "B1")))
	p.propose(red, 10, HandLot(blue, red, "B1"), HandLot(red, blue, "A1"))
	p.accept(blue, 10)
	assert.Zero(t, p.markersLeft(blue))
}

// Rulings 4: trades may come before the draw, but no action may.
func TestDeal_BeforeTheDraw(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 red\nA2 gold red 3\nA3 gold blue 2").next("F1")
	assert.Equal(t, engine.Refuse("must_draw_first", "Taking Turns", engine.Args{"step": 1}),
		p.refusedDeal(blue, Pay(blue, red, 5), Do(&Build{Lot: "A1", Color: Gold})))
	p.propose(blue, 10, HandDie(red, blue, "A2"), Pay(blue, red, 5))
	p.accept(red, 10)
	assert.Equal(t, blue, p.at("A2").Owner)
	p.do(red, new(Draw))
}

func TestDeal_Bounds(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "")
	p.propose(red, 10, Pay(red, blue, 1))
	assert.Equal(t, "already_proposed", p.refusedDeal(red, Pay(red, blue, 1)).Code)
	assert.Equal(t, kindWithdraw, p.match().Offers(red)[0].Action.Kind(), "nothing is proposed before that")
	p.propose(blue, 11, Pay(red, blue, 1))
	_, refusal := p.act(red, 11, &Counter{Steps: Steps{Pay(red, blue, 2)}})
	assert.Equal(t, "already_proposed", refusal.Code)
	_, refusal = p.act(red, 10, &Counter{Steps: Steps{Pay(red, blue, 2)}})
	assert.Equal(t, (*engine.Refusal)(nil), refusal, "one's own deal can be amended")
}

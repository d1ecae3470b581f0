package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// obeyed is what an order makes of the position, and checks that it can be done.
func (p *position) obeyed(seat engine.Seat, order engine.Order) engine.Action {
	p.tb.Helper()
	match := p.match()
	require.Nil(p.tb, order.Valid())
	move, ok := match.Obey(seat, []engine.Order{order})
	if !ok {
		return nil
	}
	require.Nil(p.tb, match.Check(move))
	return move.Action
}

// A1: orders say what they mean, or are refused.
func TestA1_OrdersThatMeanNothing_AreRefused(t *testing.T) {
	t.Parallel()
	for kind, texts := range map[string][]string{
		"lay-off": {
			`{}`, `{"accept":"maybe"}`, `{"accept":"never","from":3}`, `{"accept":"always","from":-1}`, `{"accept":true}`,
		},
		"place": {``, `{"how":"best"}`, `{"how":"safe","when":"now"}`},
		"deals": {``, `{"decline":"none"}`},
		"end":   {`{"when":"never"}`},
		"draw":  {``},
	} {
		for _, text := range texts {
			_, refusal := Game().ParseOrder(kind, []byte(text))
			require.NotNil(t, refusal, text)
			assert.Contains(t, []string{"bad_order", engine.BadArgument, engine.UnknownOrder}, refusal.Code)
		}
	}
	_, refusal := Game().ParseOrder("lay-off", []byte(`{"accept":"never","from":3}`))
	assert.Equal(t, engine.Refuse("bad_order", "", engine.Args{"argument": "from"}), refusal)
}

func TestOrders_ComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	for kind, text := range map[string]string{
		"lay-off": `{"accept":"always","from":7}`, "place": `{"how":"keep"}`, "deals": `{"decline":"loss"}`, "end": `{}`,
	} {
		order, refusal := Game().ParseOrder(kind, []byte(text))
		require.Nil(t, refusal)
		assert.Equal(t, kind, order.Kind())
		entry, err := Game().EncodeOrder(order)
		require.NoError(t, err)
		decoded, err := Game().DecodeOrder(entry)
		require.NoError(t, err)
		assert.Equal(t, order, decoded)
	}
}

func TestA1_LayOffOrder(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, redCasino)
	order := &LayOffOrder{Accept: always, From: 7}
	assert.Nil(t, p.obeyed(red, order), "nobody asks")
	p.do(yellow, &Gamble{Casino: "A1", Bet: 7})
	assert.Equal(t, &LayOff{Accept: true}, p.obeyed(red, order))
	assert.Equal(t, &LayOff{Accept: true}, p.obeyed(red, &LayOffOrder{Accept: always}))
	assert.Equal(t, &LayOff{}, p.obeyed(red, &LayOffOrder{Accept: always, From: 8}))
	assert.Equal(t, &LayOff{}, p.obeyed(red, &LayOffOrder{Accept: never}))
	assert.Nil(t, p.obeyed(yellow, order), "another is asked")
	assert.Nil(t, p.obeyed(red, &PlaceOrder{How: safe}), "another kind of question")
	assert.Nil(t, p.obeyed(yellow, &EndOrder{}), "the turn waits")
}

func TestA1_PlaceOrder(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 3\nA2 gold red 2")
	p.drawn("A1")
	p.do(red, &Reorganize{Casino: "A1"}, 2, 5)
	assert.Equal(t, &Place{Values: []int{5, 2}}, p.obeyed(red, &PlaceOrder{How: safe}))
	assert.Equal(t, &Place{Values: []int{2, 5}}, p.obeyed(red, &PlaceOrder{How: keep}))
}

func TestA1_DealsOrder(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps                 []Step
		all, property, isLoss bool
	}{
		"a gift":          {[]Step{Pay(red, blue, 3)}, true, false, false},
		"a lot for money": {[]Step{HandLot(blue, red, "B1"), Pay(red, blue, 3)}, true, true, false},
		"money for a lot": {[]Step{HandLot(red, blue, "A1"), Pay(blue, red, 3)}, true, false, true},
		"even":            {[]Step{Pay(red, blue, 3), Pay(blue, red, 3)}, true, false, false},
		"another's die":   {[]Step{HandDie(red, blue, "A2"), Pay(red, blue, 3)}, true, false, false},
	} {
		p := sketch(t, red, "A1 red\nA2 gold red 3\nB1 blue")
		p.propose(red, 10, test.steps...)
		for decline, want := range map[string]bool{all: test.all, property: test.property, loss: test.isLoss} {
			order := &DealsOrder{Decline: decline}
			assert.Equal(t, want, p.obeyed(blue, order) != nil, "%s %s", name, decline)
			assert.Nil(t, p.obeyed(red, order), "the proposer means it")
			assert.Nil(t, p.obeyed(green, order))
		}
	}
	p := sketch(t, red, "")
	p.propose(red, 10, Pay(red, blue, 3), Pay(green, red, 1))
	p.accept(blue, 10)
	assert.Nil(t, p.obeyed(blue, &DealsOrder{Decline: all}), "who has accepted means it")
	assert.Equal(t, new(Withdraw), p.obeyed(green, &DealsOrder{Decline: all}))
}

func TestA1_EndOrder(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 red").money(red, 5)
	order := new(EndOrder)
	assert.Equal(t, new(End), p.obeyed(red, order))
	assert.Nil(t, p.obeyed(blue, order))
	p.propose(blue, 10, Pay(blue, green, 3))
	assert.Equal(t, new(End), p.obeyed(red, order), "others' deals are theirs")
	p.propose(red, 11, Pay(blue, red, 3))
	assert.Nil(t, p.obeyed(red, order), "a deal that might still be made")
	_, refusal := p.act(blue, 11, new(Withdraw))
	require.Nil(t, refusal)
	assert.Nil(t, p.money(red, 6).obeyed(red, order), "red can build")
	assert.Nil(t, p.next("B1").obeyed(red, order), "it never draws")
}

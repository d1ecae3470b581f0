package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"boulevard/engine"
)

// changes are the changed casinos of events.
func changes(events []engine.Event) []CasinoChanged {
	var list []CasinoChanged
	for _, e := range events {
		if changed, ok := e.Args.(*CasinoChanged); ok {
			list = append(list, *changed)
		}
	}
	return list
}

func TestCasinoChanged_BuiltAndMerged(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 red\nA2 gold blue 2\nA3 brown yellow 5\nA5 gold green 1\nC1 red")
	assert.Equal(t, []CasinoChanged{{"C1", []LotID{"C1"}, Aqua, 1, red, engine.NoSeat}},
		changes(p.do(red, &Build{Lot: "C1", Color: Aqua})))
	assert.Equal(t, []CasinoChanged{{"A1", []LotID{"A1", "A2", "A5"}, Gold, 3, red, blue}},
		changes(p.do(red, &Build{Lot: "A1", Color: Gold})), "it is named by another lot than before")
	assert.Empty(t, changes(p.do(red, &Remodel{Casino: "C1", Color: Silver})), "only its color is another")
	assert.Equal(t, []CasinoChanged{{"A1", []LotID{"A1", "A2", "A3", "A5"}, Brown, 4, yellow, red}},
		changes(p.do(red, &Remodel{Casino: "A1", Color: Brown})), "the boss of the largest part was red")
	assert.Empty(t, changes(p.do(red, new(End))))
}

func TestCasinoChanged_RaisedAndReorganized(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 3 x1\nA2 gold blue 2 x1")
	assert.Equal(t, []CasinoChanged{{"A1", []LotID{"A1", "A2"}, Gold, 4, red, red}}, changes(p.do(red, &Raise{Casino: "A1"})))
	assert.Equal(t, []CasinoChanged{{"A1", []LotID{"A1", "A2"}, Gold, 4, blue, red}},
		changes(p.do(red, &Reorganize{Casino: "A1"}, 1, 2)))
}

// A tie that waits for a placement leaves the casino without a boss.
func TestCasinoChanged_TieWhileDiceArePlaced(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 3\nA2 gold red 2\nA3 gold blue 2")
	assert.Equal(t, []CasinoChanged{{"A1", []LotID{"A1", "A2", "A3"}, Gold, 3, engine.NoSeat, red}},
		changes(p.do(red, &Reorganize{Casino: "A1"}, 6, 2, 6)))
	assert.Equal(t, []CasinoChanged{{"A1", []LotID{"A1", "A2", "A3"}, Gold, 3, blue, engine.NoSeat}},
		changes(p.do(red, &Place{Values: []int{6, 2}}, 1, 5)))
}

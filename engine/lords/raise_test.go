package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Rulings 16.
func TestRaise_RaisesEveryTileOfTheCasino(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 3 x1\nA2 gold red 2 x1\nA5 gold blue 1 x2")
	assert.Len(t, p.casinos, 2, "casinos join only where colour and height match")
	raise := &Raise{Casino: "A1"}
	assert.Equal(t, &Prospect{Cost: 30, Size: 6, Boss: red}, p.facts(red, raise))
	p.do(red, raise)
	assert.Equal(t, 20, p.Players[red].Money)
	assert.Len(t, p.casinos, 1)
	assert.Equal(t, uint8(2), p.at("A1").Height)

	p.next("C12").do(red, new(Draw))
	assert.Equal(t, 6, p.Players[red].Points, "each riser counts as a tile")
	assert.Equal(t, 20+1+5, p.Players[red].Money, "dice pay pips only")
}

func TestRaise_SprawlCostsMoreAndGetsTheHeight(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 gold red 2 x3")
	sprawl := &Sprawl{Casino: "A2", Lot: "A5"}
	assert.Equal(t, &Prospect{Cost: 48, Die: 3, Size: 6, Boss: red}, p.facts(red, sprawl))
	p.do(red, sprawl)
	assert.Equal(t, uint8(3), p.at("A5").Height)
	assert.Equal(t, 2, p.Players[red].Money)
}

func TestRaise_RemodelAndReorganizeIgnoreRisers(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 gold red 2 x3")
	p.do(red, &Remodel{Casino: "A2", Color: Silver})
	p.do(red, &Reorganize{Casino: "A2"}, 4)
	assert.Equal(t, 50-5-2, p.Players[red].Money)
	assert.Equal(t, uint8(3), p.at("A2").Height)
}

func TestRaise_Refusals(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 gold red 2 x4\nB1 gold red 5 x1\nB2 gold red 1 x1\nC1 gold blue 2 x1\nD5 gold nobody x1").money(red, 29)
	for casino, code := range map[LotID]string{
		"A2": "max_height", "B1": "not_enough_money", "C1": "not_boss", "D5": "no_boss", "B2": "not_first_lot", "E1": "no_casino",
	} {
		assert.Equal(t, code, p.refused(red, &Raise{Casino: casino}).Code, casino)
	}
	assert.Equal(t, "no_risers", sketch(t, red, "A2 gold red 2").refused(red, &Raise{Casino: "A2"}).Code)
}

package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"boulevard/engine"
)

// Action - Sprawl, the example.
func TestSprawl_ExampleOfTheRuleBook(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 gold red 2\nA3 yellow")
	refusal := p.refused(red, &Sprawl{Casino: "A2", Lot: "A3"})
	assert.Equal(t, "lot_owned", refusal.Code)
	assert.Equal(t, engine.Args{"owner": int(yellow)}, refusal.Args)

	assert.Equal(t, &Prospect{Cost: 18, Die: 3, Size: 2, Boss: red}, p.facts(red, &Sprawl{Casino: "A2", Lot: "A5"}))
	p.do(red, &Sprawl{Casino: "A2", Lot: "A5"})
	assert.Equal(t, 32, p.Players[red].Money)
	assert.Equal(t, Lot{Owner: red, Color: Gold, Die: 3, Height: 1}, *p.at("A5"))
}

func TestSprawl_Refusals(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 gold red 2\nA1 gold red 3\nB2 gold blue 2\nD5 gold nobody").money(red, 17)
	for _, test := range []struct {
		sprawl Sprawl
		code   string
	}{
		{Sprawl{Casino: "A1", Lot: "A2"}, "lot_not_empty"},
		{Sprawl{Casino: "A1", Lot: "A6"}, "not_adjacent"},
		{Sprawl{Casino: "A1", Lot: "A5"}, "not_enough_money"},
		{Sprawl{Casino: "A2", Lot: "A5"}, "not_first_lot"},
		{Sprawl{Casino: "A3", Lot: "A5"}, "no_casino"},
		{Sprawl{Casino: "B2", Lot: "B5"}, "not_boss"},
		{Sprawl{Casino: "D5", Lot: "D2"}, "no_boss"},
		{Sprawl{Casino: "A", Lot: "A5"}, "unknown_lot"},
		{Sprawl{Casino: "A1", Lot: "a5"}, "unknown_lot"},
		{Sprawl{Casino: "A1", Lot: "A5", From: "A2"}, "not_enough_money"},
	} {
		assert.Equal(t, test.code, p.refused(red, &test.sprawl).Code, test.sprawl)
	}
	p.money(red, 18)
	assert.Equal(t, "die_in_supply", p.refused(red, &Sprawl{Casino: "A1", Lot: "A5", From: "A2"}).Code)
}

// Available Tiles.
func TestSprawl_NoTileOfTheColorLeft(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, nineTiles(Brown)+"C10 aqua nobody\n")
	p.at("C9").Owner, p.at("C9").Die = red, 4
	assert.Equal(t, "no_tiles", p.refused(red, &Sprawl{Casino: "C1", Lot: "C12"}).Code)
}

// Rulings 5 and 6: the die may come from the sprawling casino, which may change its boss.
func TestSprawl_DieFromTheSameCasino_LosesTheBoss(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, twelveDice("red"))
	p.at("C7").Color, p.at("C8").Color = Silver, Silver
	p.at("C8").Owner, p.at("C8").Die = blue, 1
	p.put([]string{"B2", "gold", "red", "2"})
	p.at("C7").Die = 2
	sprawl := &Sprawl{Casino: "B2", Lot: "B5", From: "B2"}
	assert.Equal(t, &Prospect{Cost: 18, Die: 3, Size: 2, Boss: red}, p.facts(red, sprawl))
	p.do(red, sprawl)
	assert.Equal(t, Lot{Owner: engine.NoSeat, Color: Gold, Height: 1}, *p.at("B2"))
	assert.Equal(t, red, p.bossOf("B2"))
}

// Rulings 15.
func TestCasinos_NeverJoinAcrossStreets(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A3 gold red 5\nB1 gold blue 5\nC3 gold red 6\nD1 gold blue 6\nA6 gold red 6\n")
	assert.Len(t, p.casinos, 4)
	assert.Equal(t, blue, p.bossOf("B1"))
}

package lords

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// Action - Build, the example.
func TestBuild_ExampleOfTheRuleBook(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 red")
	assert.Equal(t, &Prospect{Cost: 6, Die: 2, Size: 1, Boss: red}, p.facts(red, &Build{Lot: "A2", Color: Gold}))
	events := p.do(red, &Build{Lot: "A2", Color: Gold})

	assert.Equal(t, 44, p.Players[red].Money)
	assert.Equal(t, Lot{Owner: red, Color: Gold, Die: 2, Height: 1}, *p.at("A2"))
	assert.Equal(t, red, p.bossOf("A2"))
	assert.Equal(t, 10, p.markersLeft(red), "the marker is back in the supply")
	assert.Equal(t, 11, p.diceLeft(red))
	assert.Equal(t, 8, p.tilesLeft(Gold))
	assert.Equal(t, []string{"built"}, codes(events))
	assert.Equal(t, &Built{Seat: red, Lot: "A2", Color: Gold, Die: 2, Cost: 6}, args[*Built](t, events))
}

func TestBuild_Refusals(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 red\nA3 yellow\nB2 gold red 2\nA6 red\n"+nineTiles(Brown)).money(red, 19)
	for _, test := range []struct {
		build Build
		code  string
		args  engine.Args
	}{
		{Build{Lot: "A3", Color: Gold}, "not_your_lot", nil},
		{Build{Lot: "A1", Color: Gold}, "not_your_lot", nil},
		{Build{Lot: "B2", Color: Gold}, "lot_not_empty", nil},
		{Build{Lot: "A6", Color: Gold}, "not_enough_money", engine.Args{"needed": 20, "have": 19}},
		{Build{Lot: "A2", Color: Brown}, "no_tiles", engine.Args{"color": "brown", "needed": 1, "left": 0}},
		{Build{Lot: "A2"}, "unknown_color", nil},
		{Build{Lot: "A2", Color: Strip}, "unknown_color", nil},
		{Build{Lot: "A2", Color: 200}, "unknown_color", nil},
		{Build{Lot: "A0", Color: Gold}, "unknown_lot", engine.Args{"argument": "lot"}},
		{Build{Lot: "A99", Color: Gold}, "unknown_lot", engine.Args{"argument": "lot"}},
		{Build{Lot: "", Color: Gold}, "unknown_lot", engine.Args{"argument": "lot"}},
		{Build{Lot: "А2", Color: Gold}, "unknown_lot", engine.Args{"argument": "lot"}},
		{Build{Lot: "A2", Color: Gold, From: "B2"}, "die_in_supply", nil},
	} {
		refusal := p.refused(red, &test.build)
		assert.Equal(t, test.code, refusal.Code)
		assert.Equal(t, test.args, refusal.Args, test.code)
		assert.NotEmpty(t, refusal.Rule)
	}
}

// nineTiles puts all tiles of a colour on the C block, without dice.
func nineTiles(color Color) string {
	var lines strings.Builder
	for lot := range tilesPerColor {
		fmt.Fprintf(&lines, "C%d %s nobody\n", lot+1, color)
	}
	return lines.String()
}

// twelveDice puts all of a seat's dice on lots of the C block.
func twelveDice(seat string) string {
	var lines strings.Builder
	for lot := range dicePerPlayer {
		fmt.Fprintf(&lines, "C%d %s %s %d\n", lot+1, []Color{Aqua, Brown}[lot/6], seat, lot%6+1)
	}
	return lines.String()
}

// Available Dice; Rulings 5.
func TestBuild_AllDiceOnTheBoard_MovesANamedDie(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 red\nB1 gold blue 5\n"+twelveDice("red"))
	assert.Equal(t, "die_needed", p.refused(red, &Build{Lot: "A2", Color: Gold}).Code)
	assert.Equal(t, "not_your_die", p.refused(red, &Build{Lot: "A2", Color: Gold, From: "B1"}).Code)
	assert.Equal(t, "not_your_die", p.refused(red, &Build{Lot: "A2", Color: Gold, From: "A2"}).Code)
	assert.Equal(t, "unknown_lot", p.refused(red, &Build{Lot: "A2", Color: Gold, From: "Z1"}).Code)

	p.do(red, &Build{Lot: "A2", Color: Gold, From: "C6"})
	require.Equal(t, 0, p.diceLeft(red))
	assert.Equal(t, Lot{Owner: engine.NoSeat, Color: Aqua, Height: 1}, *p.at("C6"), "the tile stays, unowned")
	assert.Equal(t, uint8(2), p.at("A2").Die)
}

func TestBuild_JoinsACasinoAndMayTie(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 red\nA3 gold yellow 2\nA5 gold blue 1")
	build := &Build{Lot: "A2", Color: Gold}
	assert.Equal(t, &Prospect{Cost: 6, Die: 2, Size: 3, Boss: engine.NoSeat}, p.facts(red, build), "the dice decide")
	events := p.do(red, build, 6, 1)
	assert.Equal(t, []string{"built", "ties_rerolled"}, codes(events))
	assert.Equal(t, red, p.bossOf("A5"))
}

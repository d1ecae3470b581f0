package lords

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// Take Over Your Lot: another's die is replaced by one of the same value.
func TestTakeOver_DieIsReplacedWithTheSameValue(t *testing.T) {
	t.Parallel()
	p := sketch(t, blue, "A5 gold red 6").next("A5")
	events := p.do(blue, new(Draw))
	assert.Equal(t, Lot{Owner: blue, Color: Gold, Die: 6, Height: 1}, *p.at("A5"))
	assert.Equal(t, &Taken{Seat: blue, Lot: "A5", Die: 6, Loser: red}, args[*Taken](t, events))
	assert.Equal(t, 12, p.diceLeft(red))
	assert.Equal(t, 11, p.diceLeft(blue))
}

// Take Over Your Lot: a tile without a die gets the printed value.
func TestTakeOver_TileWithoutDie_GetsThePrintedValue(t *testing.T) {
	t.Parallel()
	p := sketch(t, blue, "A5 gold nobody").next("A5")
	p.do(blue, new(Draw))
	assert.Equal(t, Lot{Owner: blue, Color: Gold, Die: 3, Height: 1}, *p.at("A5"))
}

// Rulings 5: one's own die or marker stays as it is.
func TestTakeOver_OwnLot_ChangesNothing(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A5 gold red 6").next("A5")
	assert.Equal(t, []string{"card_drawn", "lots_paid"}, codes(p.do(red, new(Draw))))
	assert.Equal(t, Lot{Owner: red, Color: Gold, Die: 6, Height: 1}, *p.at("A5"))

	p = sketch(t, red, "")
	p.at("A2").Owner = red
	p.next("A2").do(red, new(Draw))
	assert.Equal(t, 9, p.markersLeft(red))
}

// Rulings 6: a tie after a take-over is settled before anything is paid. The card pays the winner of the tie.
func TestTakeOver_TieIsRerolledBeforePayment(t *testing.T) {
	t.Parallel()
	p := sketch(t, blue, "A5 silver red 4\nA6 silver red 4\nA4 silver green 1").next("A5")
	events := p.do(blue, new(Draw), 2, 5)
	assert.Equal(t, []string{"card_drawn", "tile_taken", "ties_rerolled", "lots_paid", "casino_paid"}, codes(events))
	assert.Equal(t, []int{0, 0, 3, 0}, pointsOf(p))
	assert.Equal(t, []int{52, 51, 55, 50}, moneyOf(p))
}

// Rulings 5: with all dice on the board the drawing player names the one that moves.
func TestTakeOver_AllDiceOnTheBoard_AsksWhichMoves(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A5 silver blue 6\n"+twelveDice("red")).next("A5")
	events := p.do(red, new(Draw))
	assert.Equal(t, []string{"card_drawn"}, codes(events), "nothing is paid before the answer")
	prompts := p.match().Prompts()
	require.Len(t, prompts, 1)
	assert.Equal(t, engine.Prompt{ID: engine.NewPromptID(1, red), Seat: red, Kind: "move-die", Default: &MoveDie{From: "C1"}}, prompts[0])
	assert.Len(t, p.match().Choices(red), 12)
	assert.Equal(t, "not_your_die", p.refused(red, &MoveDie{From: "A5"}).Code)
	assert.Equal(t, "die_needed", p.refused(red, &MoveDie{}).Code)
	assert.Equal(t, engine.PromptOpen, p.refused(red, new(End)).Code)

	p.do(red, &MoveDie{From: "C12"})
	assert.Equal(t, Lot{Owner: red, Color: Silver, Die: 6, Height: 1}, *p.at("A5"))
	assert.Equal(t, Lot{Owner: engine.NoSeat, Color: Brown, Height: 1}, *p.at("C12"))
	assert.Equal(t, 56, p.Players[red].Money, "the silver card pays the die that moved")
	assert.Equal(t, Playing, p.Phase)
}

// Rulings 5: with all markers on the board the drawing player names a lot to give up.
func TestTakeOver_AllMarkersOnTheBoard_AsksWhichLotToGiveUp(t *testing.T) {
	t.Parallel()
	lots := strings.Fields("B1 B2 B3 B4 B5 B6 C1 C2 C3 C4")
	p := sketch(t, red, strings.Join(lots, " red\n")+" red").next("A5")
	p.do(red, new(Draw))
	prompts := p.match().Prompts()
	require.Len(t, prompts, 1)
	assert.Equal(t, engine.Prompt{ID: engine.NewPromptID(1, red), Seat: red, Kind: "give-up", Default: &GiveUp{Lot: "B2"}}, prompts[0])
	assert.Equal(t, "not_your_lot", p.refused(red, &GiveUp{Lot: "A5"}).Code)
	assert.Equal(t, "unknown_lot", p.refused(red, &GiveUp{}).Code)

	events := p.do(red, &GiveUp{Lot: "C1"})
	assert.Equal(t, []string{"lot_given_up", "lot_taken", "lots_paid"}, codes(events))
	assert.Equal(t, engine.NoSeat, p.at("C1").Owner)
	assert.Equal(t, red, p.at("A5").Owner)
	assert.Equal(t, 60, p.Players[red].Money)
}

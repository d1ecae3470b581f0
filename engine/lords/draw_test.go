package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// Casinos Pay, the example: the gold card D8.
func TestDraw_GoldCard_PaysLotsAndGoldCasinos(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, "B2 green\nD9 gold yellow 6\nD1 gold green 4\nD4 gold green 2\nD5 gold blue 2\nD7 brown red 5\nD3 purple red 4")
	events := p.next("D8").do(yellow, new(Draw))

	assert.Equal(t, []int{52, 57, 50, 57}, moneyOf(p))
	assert.Equal(t, []int{0, 3, 0, 1}, pointsOf(p))
	assert.Equal(t, []string{"card_drawn", "lot_taken", "lots_paid", "casino_paid", "casino_paid"}, codes(events))
	assert.Equal(t, &LotsPaid{[]int{0, 1, 0, 1}}, args[*LotsPaid](t, events))
	assert.Equal(t, &CasinoPaid{"D9", Gold, []int{0, 0, 0, 6}, yellow, 1, 1}, events[3].Args, "the smallest first")
	assert.Equal(t, &CasinoPaid{"D1", Gold, []int{2, 6, 0, 0}, green, 3, 3}, events[4].Args)
	assert.Equal(t, Playing, p.Phase)
}

// Casinos Pay, the example: the 1-tile brown and the 3-tile gold casino touch The Strip, the other two do not.
func TestDraw_StripCard_PaysCasinosAtTheStrip(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, "D9 gold yellow 6\nD1 gold green 4\nD4 gold green 2\nD2 gold blue 2\nD7 brown red 5\nD3 purple red 4")
	p.next("D5").do(yellow, new(Draw))
	assert.Equal(t, []int{52, 56, 55, 51}, moneyOf(p))
	assert.Equal(t, []int{0, 3, 1, 0}, pointsOf(p))
}

// Rulings 4: nothing before the draw, and only one draw.
func TestDraw_IsTheFirstActionAndTheOnlyDraw(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 red\nA1 gold red 3\nB1 gold blue 5").next("E4")
	for _, action := range []engine.Action{
		&Build{Lot: "A2", Color: Gold}, &Sprawl{Casino: "A1", Lot: "A4"}, &Remodel{Casino: "A1", Color: Aqua},
		&Reorganize{Casino: "A1"}, &Gamble{Casino: "B1", Bet: 1}, new(End),
	} {
		assert.Equal(t, "must_draw_first", p.refused(red, action).Code)
	}
	p.do(red, new(Draw))
	assert.Equal(t, "already_drawn", p.refused(red, new(Draw)).Code)
	p.do(red, &Build{Lot: "E4", Color: Gold})
}

// Rulings 13: F cards pay lots and their colour, and the player draws on.
func TestDraw_TwoPlayers_FCardsPayAndAreFollowedByAnother(t *testing.T) {
	t.Parallel()
	p := sketchFor(t, 2, blue, "A2 blue\nB2 aqua green 2\nC1 gold blue 4")
	events := p.next("F3", "F8", "F6", "A1").do(blue, new(Draw))
	assert.Equal(t, []string{
		"card_drawn", "lots_paid", "casino_paid", "card_drawn", "lots_paid",
		"card_drawn", "lots_paid", "casino_paid", "card_drawn", "lot_taken", "lots_paid",
	}, codes(events))
	assert.Equal(t, []int{50 + 1 + 4 + 1 + 1 + 2, 50 + 2}, moneyOf(p))
	assert.Equal(t, engine.NoSeat, p.at("F3").Owner)
	assert.Equal(t, Playing, p.Phase)
}

func TestDraw_TwoPlayers_EndOfGameCardAfterAnFCard(t *testing.T) {
	t.Parallel()
	p := sketchFor(t, 2, blue, "A2 blue")
	p.next("F3")
	p.endNext(1)
	p.do(blue, new(Draw))
	assert.Equal(t, Over, p.Phase)
	assert.Equal(t, 52, p.Players[blue].Money)
}

// endNext puts the End of Game card under that many cards.
func (p *position) endNext(above int) {
	var deck []Card
	for _, card := range p.Deck {
		if card != p.board.end {
			deck = append(deck, card)
		}
	}
	at := len(deck) - above
	p.Deck = append(append(append([]Card{}, deck[:at]...), p.board.end), deck[at:]...)
	p.Phase = Drawing
}

// Rulings 12: the End of Game card pays lots and The Strip, and its drawer gets no actions.
func TestDraw_EndOfGameCard_PaysTheStripAndEnds(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, "A1 yellow\nD7 brown red 5\nD9 gold yellow 6")
	p.endNext(0)
	events := p.do(yellow, new(Draw))
	assert.Equal(t, []string{"card_drawn", "lots_paid", "casino_paid", "game_over"}, codes(events))
	assert.Equal(t, []int{50, 50, 55, 51}, moneyOf(p))
	assert.Equal(t, []int{0, 0, 1, 0}, pointsOf(p))
	match := p.match()
	assert.Equal(t, engine.NoSeat, match.Turn())
	assert.Empty(t, match.Choices(yellow))
	require.NotNil(t, match.Outcome())
	assert.Equal(t, EndOfGameCard, match.Outcome().Reason)
	assert.Equal(t, engine.GameOver, p.refused(yellow, new(End)).Code)
}

package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Scoring, the example.
func TestScoring_BreaksFromTheEightSpace(t *testing.T) {
	t.Parallel()
	b := baseRules().base().board
	for points, want := range map[int]int{0: 8, 1: 8, 2: 10, 3: 10, 4: 12, 5: 12} {
		assert.Equal(t, want, b.score(8, points), "%d points", points)
	}
	assert.Equal(t, 90, b.score(81, 30), "the track ends at 90")
	assert.Equal(t, []int{
		0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 23, 26, 29, 32, 36, 40, 44, 49, 54, 60, 66, 73, 81, 90,
	}, b.track)
}

// Scoring; Rulings 11: a handful of 1-tile casinos cannot pass a break, and the smallest casino is recorded first.
func TestScoring_CasinoByCasinoSmallestFirst(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 3\nB2 gold red 2\nC1 gold red 4\nD2 gold red 3").next("C12")
	p.Players[red].Points = 8
	p.do(red, new(Draw))
	assert.Equal(t, 8, p.Players[red].Points)

	// 7, then 1 to 8, then 2 to 10: the other way about it would be 9, which is 8, then 8.
	p = sketch(t, red, "A1 gold red 3\nA2 gold red 2\nC1 gold red 4").next("C12")
	p.Players[red].Points = 7
	p.do(red, new(Draw))
	assert.Equal(t, 10, p.Players[red].Points)
}

// Winning; Rulings 11: 90 points end the game after the payment.
func TestPayment_NinetyPointsEndTheGame(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "B1 gold blue 5\nB2 gold blue 2\nB3 gold blue 1\nB4 gold blue 1\nB5 gold blue 1\nB6 gold blue 1\n"+
		"C1 gold blue 3\nC2 gold blue 3\nC4 gold nobody").next("C12")
	p.Risers = true
	for _, id := range []LotID{"B1", "B2", "B3", "B4", "B5", "B6"} {
		p.at(id).Height = 2
	}
	p.Players[blue].Points = 81
	events := p.do(red, new(Draw))
	assert.Equal(t, Over, p.Phase)
	assert.Equal(t, 90, p.Players[blue].Points)
	assert.Equal(t, NinetyPoints, args[*GameOver](t, events).Reason)
	assert.Equal(t, NinetyPoints, p.match().Outcome().Reason)
}

// Rulings 6: a casino without dice pays nobody.
func TestPayment_CasinoWithoutDice_PaysNobody(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold nobody\nA2 gold nobody").next("C12")
	assert.Equal(t, []string{"card_drawn", "lot_taken", "lots_paid"}, codes(p.do(red, new(Draw))))
}

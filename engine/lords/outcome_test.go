package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"boulevard/engine"
)

// Winning; Rulings 11 and 12: points, then money, then a shared place.
func TestOutcome_PointsThenMoneyThenShared(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "")
	p.Phase, p.Card = Over, p.board.end
	p.drawnEnd()
	for seat, player := range [][2]int{{5, 20}, {90, 12}, {90, 40}, {5, 20}} {
		p.Players[seat].Money, p.Players[seat].Points = player[0], player[1]
	}
	p.Players[green].Money, p.Players[green].Points = 90, 12
	outcome := p.match().Outcome()
	var seats []engine.Seat
	var ranks []int
	for _, standing := range outcome.Ranking {
		seats, ranks = append(seats, standing.Seat), append(ranks, standing.Rank)
	}
	assert.Equal(t, []engine.Seat{red, blue, yellow, green}, seats)
	assert.Equal(t, []int{1, 2, 2, 4}, ranks)
	assert.Equal(t, []engine.Score{{Name: "points", Value: 40}, {Name: "money", Value: 90}}, outcome.Ranking[0].Scores)

	p.Players[blue].Money = 6
	assert.Equal(t, 2, p.match().Outcome().Ranking[1].Rank)
	assert.Equal(t, 3, p.match().Outcome().Ranking[2].Rank)
}

// drawnEnd takes the End of Game card out of the deck.
func (p *position) drawnEnd() {
	p.endNext(0)
	p.Deck, p.Phase = p.Deck[:len(p.Deck)-1], Over
}

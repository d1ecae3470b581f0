package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Components; Rulings 1.
func TestBoard_IsWellFormed(t *testing.T) {
	t.Parallel()
	b := baseRules().base().board
	assert.Len(t, b.lots, 48)
	assert.LessOrEqual(t, len(b.lots), maxLots)
	assert.Len(t, b.index, len(b.lots), "no lot twice")
	colors, lots := map[Color]int{}, map[int]int{}
	for _, card := range b.cards {
		colors[card.color]++
		lots[card.lot]++
	}
	assert.Equal(t, map[Color]int{Aqua: 9, Brown: 9, Gold: 9, Purple: 9, Silver: 9, Strip: 4}, colors)
	assert.Len(t, lots, 49, "each lot has a card, and the End of Game card has none")
	assert.Equal(t, cardInfo{lot: noLot, color: Strip}, b.cards[b.end])
	for i, lot := range b.lots {
		assert.True(t, lot.Die >= 1 && lot.Die <= 6 && lot.Cost > 0, lot.ID)
		assert.False(t, b.near[i].has(i))
		for rest := b.near[i]; rest != 0; rest &= rest - 1 {
			assert.True(t, b.near[rest.first()].has(i), "%s is a neighbour both ways", lot.ID)
			assert.Equal(t, lot.ID[0], b.lots[rest.first()].ID[0], "streets divide the blocks")
		}
	}
}

// The names of the companies here are those of the board's data.
func TestBoard_CompaniesAreThoseOfTheData(t *testing.T) {
	t.Parallel()
	var file deckFile
	readBoard("property-cards", &file)
	assert.Len(t, file.Companies, int(lastCompany))
	for color := Aqua; color <= lastCompany; color++ {
		assert.Equal(t, file.Companies[color.String()], companies[color].name)
		assert.NotEmpty(t, companies[color].glyph)
	}
}

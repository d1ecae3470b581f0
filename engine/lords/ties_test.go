package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Reroll if Tied, the example; Rulings 6.
func TestTies_ExampleOfTheRuleBook(t *testing.T) {
	t.Parallel()
	p := sketch(t, green, "C1 gold green 4\nC2 gold green 5\nC5 brown red 5\nC6 brown red 2\nC8 brown yellow 2")
	events := p.do(green, &Remodel{Casino: "C1", Color: Brown}, 3, 3)
	assert.Equal(t, []string{"remodeled", "ties_rerolled"}, codes(events))
	assert.Equal(t, &Rerolled{Casino: "C1", Lots: []LotID{"C2", "C5"}, Tied: 5, Dice: []int{3, 3}}, args[*Rerolled](t, events))
	assert.Equal(t, green, p.bossOf("C8"))
}

func TestTies_StillTied_RerollsAgain(t *testing.T) {
	t.Parallel()
	p := sketch(t, green, "C1 gold green 5\nC5 brown red 5\nC2 brown red 1")
	events := p.do(green, &Remodel{Casino: "C1", Color: Brown}, 4, 4, 2, 3)
	assert.Equal(t, []string{"remodeled", "ties_rerolled", "ties_rerolled"}, codes(events))
	assert.Equal(t, red, p.bossOf("C1"))
}

// Both tied players may fall below a third.
func TestTies_ThirdPlayerBecomesBoss(t *testing.T) {
	t.Parallel()
	p := sketch(t, green, "C1 gold green 5\nC5 brown red 5\nC2 brown blue 3")
	p.do(green, &Remodel{Casino: "C1", Color: Brown}, 2, 1)
	assert.Equal(t, blue, p.bossOf("C1"))
}

// Rulings 7: all largest dice are one player's, or the tied dice are not the largest.
func TestTies_OfOnePlayerOrOfSmallerDice_AreNotRerolled(t *testing.T) {
	t.Parallel()
	p := sketch(t, green, "C1 gold green 5\nC5 brown green 5\nC2 brown red 3\nC8 brown yellow 3")
	assert.Equal(t, []string{"remodeled"}, codes(p.do(green, &Remodel{Casino: "C1", Color: Brown})))
	assert.Equal(t, green, p.bossOf("C1"))
}

// A player who ties with himself and with another rerolls both of his dice.
func TestTies_AllOfTheLargestDiceAreRerolled(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "C1 brown green 5\nC5 brown green 5\nC2 brown red 4\nC4 gold red 5")
	events := p.do(red, &Remodel{Casino: "C4", Color: Brown}, 1, 2, 3)
	assert.Equal(t, []LotID{"C1", "C4", "C5"}, args[*Rerolled](t, events).Lots)
	assert.Equal(t, red, p.bossOf("C1"))
}

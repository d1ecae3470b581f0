package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

func TestReorganize_AnyOwnerMay_NotOnlyTheBoss(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold blue 6\nA2 gold red 1\nA4 gold nobody")
	events := p.do(red, &Reorganize{Casino: "A1"}, 2, 4)
	assert.Equal(t, &ReorganizePaid{red, "A1", 7}, events[0].Args, "certain before the dice")
	assert.Equal(t, &Reorganized{Seat: red, Lots: []LotID{"A1", "A2"}, Dice: []int{2, 4}}, args[*Reorganized](t, events))
	assert.Equal(t, 43, p.Players[red].Money)
	assert.Equal(t, red, p.bossOf("A1"))
	assert.Equal(t, Playing, p.Phase, "nobody has two dice to place")
}

func TestReorganize_Refusals(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold blue 6\nB1 gold red 6\nB2 gold red 5\nC1 brown nobody").money(red, 10)
	for casino, code := range map[LotID]string{
		"A1": "no_die_there", "B1": "not_enough_money", "B2": "not_first_lot", "C1": "no_die_there", "D1": "no_casino", "": "unknown_lot",
	} {
		assert.Equal(t, code, p.refused(red, &Reorganize{Casino: casino}).Code, casino)
	}
}

// Rulings 8: no die is reorganized twice in a turn, even in a larger casino, but tie rerolls do not count.
func TestReorganize_OfADieReorganizedThisTurn_IsRefused(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 1\nA2 red\nB1 silver red 4\nC1 aqua red 2\nC2 aqua blue 5")
	p.do(red, &Reorganize{Casino: "A1"}, 6)
	p.do(red, &Build{Lot: "A2", Color: Gold})
	assert.Equal(t, "already_reorganized", p.refused(red, &Reorganize{Casino: "A1"}).Code)
	p.do(red, &Reorganize{Casino: "B1"}, 4)

	events := p.do(red, &Reorganize{Casino: "C1"}, 3, 3, 5, 2)
	assert.Equal(t, []string{"reorganize_paid", "reorganized", "ties_rerolled"}, codes(events))
	p.do(red, new(End))
	assert.Zero(t, p.Rerolled, "the marks go with the turn")

	p = sketch(t, green, "C1 gold green 5\nC5 brown red 5\nC2 brown blue 3")
	p.do(green, &Remodel{Casino: "C1", Color: Brown}, 2, 1)
	p.do(green, &Reorganize{Casino: "C1"}, 1, 2, 3)
}

// The mark goes with a die that moves, and a tile that loses it is free again.
func TestReorganize_MarkMovesWithTheDie(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 red\n"+twelveDice("red"))
	p.at("C7").Color, p.at("C10").Color = Purple, Silver
	p.regroup()
	p.do(red, &Reorganize{Casino: "C7"}, 6)
	p.do(red, &Build{Lot: "A2", Color: Gold, From: "C7"})
	assert.Equal(t, "already_reorganized", p.refused(red, &Reorganize{Casino: "A2"}).Code)
}

// Rulings 9: owners of two or more different dice place them, in any order, and ties are settled after the last.
func TestReorganize_OwnersPlaceTheirDice_ThenTiesAreSettled(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 1\nA2 gold red 2\nA3 gold blue 1\nA6 gold blue 3\nA5 gold green 1\nA4 gold green 1")
	events := p.do(red, &Reorganize{Casino: "A1"}, 6, 3, 6, 3, 3, 4)
	assert.Equal(t, []string{"reorganize_paid", "reorganized"}, codes(events), "the 6s tie, but wait")
	match := p.match()
	assert.Equal(t, []engine.Seat{blue, red}, match.Asked(), "green's dice are equal")
	prompts := match.Prompts()
	require.Len(t, prompts, 2)
	assert.Equal(t, "place-dice", prompts[0].Kind)
	assert.Empty(t, match.Choices(green))
	assert.Equal(t, engine.PromptOpen, p.refused(red, new(End)).Code)

	choice := match.Choices(red)[0]
	assert.Equal(t, []engine.Param{{
		Name: "values", Kind: engine.Arrangement, Slots: []string{"A1", "A2"}, Values: []int{6, 3},
	}}, choice.Fill)
	for _, values := range [][]int{nil, {6}, {6, 4}, {3, 3}, {6, 3, 6}, {-6, 3}} {
		assert.Equal(t, "wrong_dice", p.refused(red, &Place{Values: values}).Code)
	}
	events = p.do(red, &Place{Values: []int{3, 6}})
	assert.Equal(t, []string{"dice_placed"}, codes(events))
	assert.Equal(t, engine.PromptClosed, p.refused(red, &Place{Values: []int{3, 6}}).Code)
	events = p.do(blue, &Place{Values: []int{4, 6}}, 1, 5)
	assert.Equal(t, []string{"dice_placed", "ties_rerolled"}, codes(events))
	assert.Equal(t, blue, p.bossOf("A1"))
	assert.Equal(t, Playing, p.Phase)
	p.do(red, new(End))
}

// Rulings 9: the default puts the higher dice where no card can take them over.
func TestPlace_DefaultIsSafe(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 1\nA2 gold red 2\nA5 gold red 3\nA3 gold nobody\nA4 gold red 1")
	p.drawn("A5")
	p.drawn("A4")
	p.do(red, &Reorganize{Casino: "A1"}, 6, 1, 5, 2)
	assert.Equal(t, &Place{Values: []int{2, 1, 6, 5}}, p.match().Prompts()[0].Default)
}

package lords

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Action - Remodel and Action - Reorganize, the examples.
func TestRemodel_ThenReorganize_ExamplesOfTheRuleBook(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A2 gold red 2\nA5 gold red 3\nA3 brown yellow 5")
	remodel := &Remodel{Casino: "A2", Color: Brown}
	assert.Equal(t, &Prospect{Cost: 10, Size: 3, Boss: yellow}, p.facts(red, remodel))
	p.do(red, remodel)
	assert.Equal(t, 40, p.Players[red].Money)
	assert.Equal(t, yellow, p.bossOf("A2"))
	assert.Len(t, p.casinos, 1)

	assert.Equal(t, &ReorganizeFacts{Cost: 10, Own: 2, Dice: 3}, p.facts(red, &Reorganize{Casino: "A2"}))
	p.do(red, &Reorganize{Casino: "A2"}, 5, 3, 1)
	assert.Equal(t, 30, p.Players[red].Money)
	assert.Equal(t, red, p.bossOf("A2"))
	p.do(red, &Place{Values: []int{1, 5}})
	assert.Equal(t, uint8(5), p.at("A5").Die)

	assert.Equal(t, "already_reorganized", p.refused(red, &Reorganize{Casino: "A2"}).Code)
}

func TestRemodel_Refusals(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 3\nA2 gold red 2\nB2 gold blue 2\nD5 gold nobody\nE1 brown green 3\n"+
		strings.ReplaceAll(nineTiles(Silver), "C9 silver nobody\n", "")).money(red, 10)
	for _, test := range []struct {
		remodel Remodel
		code    string
	}{
		{Remodel{Casino: "A1", Color: Gold}, "same_color"},
		{Remodel{Casino: "A1", Color: Silver}, "no_tiles"},
		{Remodel{Casino: "A1"}, "unknown_color"},
		{Remodel{Casino: "B2", Color: Brown}, "not_boss"},
		{Remodel{Casino: "D5", Color: Brown}, "no_boss"},
		{Remodel{Casino: "A2", Color: Brown}, "not_first_lot"},
		{Remodel{Casino: "A9", Color: Brown}, "unknown_lot"},
	} {
		assert.Equal(t, test.code, p.refused(red, &test.remodel).Code, test.remodel)
	}
	p.money(red, 9)
	assert.Equal(t, "not_enough_money", p.refused(red, &Remodel{Casino: "A1", Color: Brown}).Code)
}

// The tiles that come off are available again, and what merges may be a hostile takeover.
func TestRemodel_TilesReturnAndCasinosMerge(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 6\nA2 brown yellow 5\nA4 brown blue 4")
	p.do(red, &Remodel{Casino: "A1", Color: Brown})
	assert.Equal(t, 9, p.tilesLeft(Gold))
	assert.Equal(t, 6, p.tilesLeft(Brown))
	assert.Equal(t, red, p.bossOf("A4"))
}

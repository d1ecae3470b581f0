package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

const redCasino = "A1 gold red 3\nA2 gold red 2\nA5 gold red 4\n"

// Action - Gamble, the example: $4 at a casino of three tiles, where $15 are possible.
func TestGamble_ExampleOfTheRuleBook(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, redCasino)
	choices := p.match().Choices(yellow)
	assert.Equal(t, []engine.Param{{Name: "bet", Kind: engine.Range, Min: 1, Max: 15}}, choices[0].Fill)
	assert.Equal(t, []string{"bet_placed"}, codes(p.do(yellow, &Gamble{Casino: "A1", Bet: 4})))

	prompts := p.match().Prompts()
	assert.Equal(t, []engine.Prompt{{ID: engine.NewPromptID(1, red), Seat: red, Kind: "lay-off", Default: &LayOff{Accept: false}}}, prompts)
	assert.Equal(t, &LayOffFacts{Win: 2, Lose: 2, LoseDouble: 4}, p.facts(red, &LayOff{Accept: true}))
	events := p.do(red, new(LayOff), 1, 2)
	assert.Equal(t, &Gambled{Seat: yellow, Boss: red, Dice: []int{1, 2}, Gambler: 4, FromBoss: 4}, args[*Gambled](t, events))
	assert.Equal(t, []int{50, 50, 46, 54}, moneyOf(p))
	assert.Equal(t, "already_gambled", p.refused(yellow, &Gamble{Casino: "A1", Bet: 1}).Code)
}

// Rulings 10.
func TestGamble_EveryRoll(t *testing.T) {
	t.Parallel()
	for sum, times := range map[int]int{2: 2, 3: 1, 4: 1, 5: -1, 6: -1, 7: -1, 8: -1, 9: 1, 10: 1, 11: 1, 12: 2} {
		for _, laidOff := range []bool{false, true} {
			p := sketch(t, yellow, redCasino)
			p.do(yellow, &Gamble{Casino: "A1", Bet: 7})
			p.do(red, &LayOff{Accept: laidOff}, min(6, sum-1), sum-min(6, sum-1))
			boss := 7 * times
			if laidOff {
				boss = map[int]int{2: 7, 1: 3, -1: -3}[times]
			}
			assert.Equal(t, []int{50, 50, 50 - boss, 50 + 7*times}, moneyOf(p), "roll %d, laid off: %t", sum, laidOff)
		}
	}
}

func TestGamble_BossLaysOff_BankPaysTheRest(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, redCasino).money(red, 2)
	p.do(yellow, &Gamble{Casino: "A1", Bet: 9})
	events := p.do(red, &LayOff{Accept: true}, 6, 6)
	gambled := args[*Gambled](t, events)
	assert.Equal(t, 2, gambled.FromBoss, "half of 18 is 9, but the boss has 2")
	assert.Equal(t, 9, gambled.FromBank, "the bank pays its share in full")
	assert.Equal(t, []int{50, 50, 0, 61}, moneyOf(p))
}

func TestGamble_BossPaysWhatHeHas(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, redCasino).money(red, 3)
	p.do(yellow, &Gamble{Casino: "A1", Bet: 15})
	p.do(red, new(LayOff), 6, 4)
	assert.Equal(t, []int{50, 50, 0, 53}, moneyOf(p))
}

func TestGamble_Refusals(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, redCasino+"B1 gold yellow 5\nD5 gold nobody").money(yellow, 12)
	for _, test := range []struct {
		gamble Gamble
		code   string
		args   engine.Args
	}{
		{Gamble{Casino: "A1", Bet: 0}, "bet_out_of_range", engine.Args{"min": 1, "max": 15}},
		{Gamble{Casino: "A1", Bet: -3}, "bet_out_of_range", engine.Args{"min": 1, "max": 15}},
		{Gamble{Casino: "A1", Bet: 16}, "bet_out_of_range", engine.Args{"min": 1, "max": 15}},
		{Gamble{Casino: "A1", Bet: 13}, "not_enough_money", engine.Args{"needed": 13, "have": 12}},
		{Gamble{Casino: "B1", Bet: 1}, "own_casino", nil},
		{Gamble{Casino: "D5", Bet: 1}, "no_boss", nil},
		{Gamble{Casino: "A2", Bet: 1}, "not_first_lot", engine.Args{"first": "A1"}},
		{Gamble{Casino: "A3", Bet: 1}, "no_casino", nil},
		{Gamble{Casino: "☂", Bet: 1}, "unknown_lot", engine.Args{"argument": "casino"}},
	} {
		refusal := p.refused(yellow, &test.gamble)
		assert.Equal(t, test.code, refusal.Code)
		assert.Equal(t, test.args, refusal.Args)
	}
	p.money(yellow, 0)
	assert.Equal(t, "not_enough_money", p.refused(yellow, &Gamble{Casino: "A1", Bet: 1}).Code)
}

// Only the boss is asked, and the turn waits for him.
func TestGamble_WaitsForTheBoss(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, redCasino)
	p.do(yellow, &Gamble{Casino: "A1", Bet: 4})
	match := p.match()
	assert.Equal(t, []engine.Seat{red}, match.Asked())
	require.Len(t, match.Choices(red), 2)
	assert.Equal(t, engine.PromptOpen, p.refused(yellow, new(End)).Code)
	assert.Equal(t, engine.PromptClosed, p.refused(yellow, new(LayOff)).Code)
	assert.Equal(t, &BetPlaced{Seat: yellow, Casino: "A1", Boss: red, Bet: 4}, match.View(blue).(*View).Bet)
}

// Rulings 10: risers count for the limit.
func TestGamble_RisersRaiseTheLimit(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, "A1 gold red 3 x3\nA2 gold red 2 x3")
	assert.Equal(t, "bet_out_of_range", p.refused(yellow, &Gamble{Casino: "A1", Bet: 31}).Code)
	p.do(yellow, &Gamble{Casino: "A1", Bet: 30})
}

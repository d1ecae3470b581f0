package lords

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/enginetest"
)

func setUp(tb testing.TB, seats int, n uint64) (*State, []engine.Event) {
	tb.Helper()
	setup, refusal := Game().Resolve(seats, nil)
	require.Nil(tb, refusal)
	match, events, err := Game().New(setup, engine.NewDice(enginetest.Seed(n), 0))
	require.NoError(tb, err)
	return decodeState(tb, enginetest.Snapshot(tb, match)), events
}

// Setting Up; Rulings 1, 2 and 17.
func TestSetup_DealsTwoLotsAndTheMoneyThatTheyLeave(t *testing.T) {
	t.Parallel()
	for seats := 2; seats <= 6; seats++ {
		for n := range uint64(50) {
			s, events := setUp(t, seats, n)
			assert.Len(t, s.Deck, 48-2*seats+1)
			dice := make([]int, seats)
			for i, lot := range s.Lots {
				if lot.Owner != engine.NoSeat {
					dice[lot.Owner] += s.board.lots[i].Die
					assert.False(t, s.inDeck().has(i), "a dealt card is discarded")
				}
			}
			for seat, p := range s.Players {
				assert.Equal(t, Player{Money: 20 - dice[seat]}, p)
				assert.Equal(t, 8, s.markersLeft(engine.Seat(seat)))
				assert.Equal(t, 12, s.diceLeft(engine.Seat(seat)))
			}
			assert.Equal(t, Drawing, s.Phase)
			assert.Equal(t, s.Turn, args[*FirstRolled](t, events).First)
		}
	}
}

// Rulings 1: a quarter of the deck, give or take two cards, lies under the End of Game card.
func TestSetup_EndOfGameCard_OnTopOfTheLastQuarter(t *testing.T) {
	t.Parallel()
	seen := map[int]int{}
	for n := range uint64(300) {
		s, _ := setUp(t, 4, n)
		seen[slices.Index(s.Deck, s.board.end)]++
	}
	require.Len(t, seen, 5)
	for _, below := range []int{8, 9, 10, 11, 12} {
		assert.Greater(t, seen[below], 30)
	}
}

// Rulings 3: the tied highest roll again.
func TestSetup_FirstPlayer_TiedHighestRollAgain(t *testing.T) {
	t.Parallel()
	again := 0
	for n := range uint64(200) {
		_, events := setUp(t, 4, n)
		event := args[*FirstRolled](t, events)
		rolls, rolling := event.Rolls, []engine.Seat{0, 1, 2, 3}
		for len(rolling) > 1 {
			highest, tied := 0, []engine.Seat(nil)
			for i, seat := range rolling {
				require.Equal(t, seat, rolls[i].Seat)
				switch sum := rolls[i].Dice[0] + rolls[i].Dice[1]; {
				case sum > highest:
					highest, tied = sum, []engine.Seat{seat}
				case sum == highest:
					tied = append(tied, seat)
				}
			}
			rolls, rolling = rolls[len(rolling):], tied
			again += len(tied) - 1
		}
		assert.Empty(t, rolls)
		assert.Equal(t, rolling[0], event.First)
	}
	assert.Positive(t, again, "some games had ties")
}

// Rulings 13: with two players nobody starts with an F lot, and all F cards are still to come.
func TestSetup_TwoPlayers_NoLotsOfTheFBlock(t *testing.T) {
	t.Parallel()
	for n := range uint64(100) {
		s, _ := setUp(t, 2, n)
		left := 0
		for i, info := range s.board.lots {
			if info.ID[0] == 'F' {
				assert.Equal(t, engine.NoSeat, s.Lots[i].Owner)
				if s.inDeck().has(i) {
					left++
				}
			}
		}
		assert.Equal(t, 9, left)
	}
}

func TestSetup_EveryCardIsEquallyLikelyOnTop(t *testing.T) {
	t.Parallel()
	counts := make([]int, 49)
	const games = 4800
	for n := range uint64(games) {
		s, _ := setUp(t, 4, n)
		counts[s.Deck[len(s.Deck)-1]]++
	}
	sum := 0.0
	for _, count := range counts[:48] {
		difference := float64(count) - games/48
		sum += difference * difference / (games / 48)
	}
	assert.Less(t, sum, 85.0, "chi-square with 47 degrees of freedom: 85 is passed once in 1,500 times")
}

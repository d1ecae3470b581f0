package host_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/catalogue"
	"boulevard/engine/enginetest"
	"boulevard/functions/internal/store"
)

const benchSeats = 4

// BenchmarkRandomGame plays whole games of four through the engine alone: in each, all choices of the acting seat are
// listed and one is made. The sizes are those that the heads of such games have in the table, at every version.
func BenchmarkRandomGame(b *testing.B) {
	for _, game := range catalogue.All() {
		b.Run(game.Info().ID, func(b *testing.B) {
			b.ReportAllocs()
			actions := 0
			for n := range b.N {
				actions += playRandomly(b, game, uint64(n))
			}
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
			b.ReportMetric(float64(actions)/float64(b.N), "actions/game")
			sizes := headSizes(b, game.Info().ID)
			b.ReportMetric(float64(sizes[len(sizes)/2]), "head-p50-B")
			b.ReportMetric(float64(sizes[len(sizes)*99/100]), "head-p99-B")
		})
	}
}

func playRandomly(b *testing.B, game engine.Game, n uint64) int {
	b.Helper()
	random, seed := enginetest.Random(n), enginetest.Seed(n)
	setup, refusal := game.Resolve(benchSeats, nil)
	require.Nil(b, refusal)
	match := enginetest.New(b, game, setup, seed)
	version := uint64(0)
	for match.Turn() != engine.NoSeat {
		version++
		if _, refusal := match.Act(enginetest.RandomMove(match, random), engine.NewDice(seed, version)); refusal != nil {
			b.Fatal(refusal)
		}
	}
	return int(version)
}

// sampledGames is how many games the sizes of heads are taken from.
const sampledGames = 20

// headSizes hosts random games and returns the size of every head that was written, in order.
func headSizes(b *testing.B, id string) []int {
	b.Helper()
	h := newHost(b)
	var sizes []int
	for n := range uint64(sampledGames) {
		random := enginetest.Random(n)
		game, players := h.startedOf(b, id, benchSeats)
		for game.Status == store.Playing {
			sizes = append(sizes, game.Size())
			game = h.playOn(b, game, players, random)
		}
	}
	slices.Sort(sizes)
	return sizes
}

package lords

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/enginetest"
)

var fourSeats = engine.Setup{Seats: 4, Options: engine.Options{optionRisers: "off"}}

// BenchmarkRandomGame plays whole games of four: in each, all choices of the acting seat are listed and one is made.
func BenchmarkRandomGame(b *testing.B) {
	game := Game()
	b.Run(game.Info().ID, func(b *testing.B) {
		b.ReportAllocs()
		actions := 0
		for n := range b.N {
			actions += playRandomly(b, game, uint64(n))
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
		b.ReportMetric(float64(actions)/float64(b.N), "actions/game")
	})
}

func playRandomly(b *testing.B, game engine.Game, n uint64) int {
	random := rand.New(rand.NewPCG(n, n))
	seed := enginetest.Seed(n)
	match := enginetest.New(b, game, fourSeats, seed)
	version := 0
	for match.Turn() != engine.NoSeat {
		version++
		if _, refusal := match.Act(enginetest.RandomMove(match, random), engine.NewDice(seed, uint64(version))); refusal != nil {
			b.Fatal(refusal)
		}
	}
	return version
}

// midgame is a match of four after a number of random moves, at a moment when the turn's player may do what he likes.
func midgame(b *testing.B) engine.Match {
	b.Helper()
	game, random, seed := Game(), enginetest.Random(7), enginetest.Seed(7)
	match := enginetest.New(b, game, fourSeats, seed)
	for version := uint64(1); version < 90 || len(match.Choices(match.Turn())) < 12; version++ {
		_, refusal := match.Act(enginetest.RandomMove(match, random), engine.NewDice(seed, version))
		require.Nil(b, refusal)
	}
	return match
}

// BenchmarkAct makes the moves of recorded games, whose choices are not listed again.
func BenchmarkAct(b *testing.B) {
	game, random, seed := Game(), enginetest.Random(7), enginetest.Seed(7)
	var moves []engine.Move
	for match := enginetest.New(b, game, fourSeats, seed); match.Turn() != engine.NoSeat; {
		moves = append(moves, enginetest.RandomMove(match, random))
		_, refusal := match.Act(moves[len(moves)-1], engine.NewDice(seed, uint64(len(moves))))
		require.Nil(b, refusal)
	}
	b.ReportAllocs()
	b.ResetTimer()
	var match engine.Match
	for n := range b.N {
		at := n % len(moves)
		if at == 0 {
			match = enginetest.New(b, game, fourSeats, seed)
		}
		if _, refusal := match.Act(moves[at], engine.NewDice(seed, uint64(at+1))); refusal != nil {
			b.Fatal(refusal)
		}
	}
}

// BenchmarkChoices lists the choices of the acting seat.
func BenchmarkChoices(b *testing.B) {
	match := midgame(b)
	b.ReportAllocs()
	for b.Loop() {
		match.Choices(match.Turn())
	}
	b.ReportMetric(float64(len(match.Choices(match.Turn()))), "choices")
}

// BenchmarkView builds a seat's view.
func BenchmarkView(b *testing.B) {
	match := midgame(b)
	b.ReportAllocs()
	for b.Loop() {
		match.View(0)
	}
}

// BenchmarkRestore decodes and validates a snapshot.
func BenchmarkRestore(b *testing.B) {
	game := Game()
	snapshot := enginetest.Snapshot(b, midgame(b))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := game.Restore(snapshot); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(snapshot)), "bytes")
}

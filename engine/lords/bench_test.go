package lords

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/enginetest"
)

var fourSeats = engine.Setup{Seats: 4, Options: engine.Options{optionRisers: "off"}}

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

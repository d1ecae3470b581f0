package enginetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// FuzzRestore restores arbitrary bytes and plays on from whatever is accepted: nothing may panic.
func FuzzRestore(f *testing.F, game engine.Game, next Mover) {
	for i, setup := range setups(f, game) {
		seed := Seed(uint64(i))
		f.Add(Snapshot(f, New(f, game, setup, seed)), uint64(i))
		moves := next.Play(f, game, setup, seed, Random(uint64(i)))
		for at := range moves {
			if at%17 == i {
				f.Add(moves[at].Snapshot, uint64(at))
			}
		}
	}
	f.Fuzz(func(t *testing.T, snapshot []byte, n uint64) {
		match, err := game.Restore(snapshot)
		if err != nil {
			return
		}
		random, first := Random(n), unused(match)
		for version := first; version < first+20; version++ {
			look(t, match)
			if match.Turn() == engine.NoSeat || version > mostVersions {
				return
			}
			_, refusal := match.Act(next(match, random), engine.NewDice(Seed(n), version))
			require.Nil(t, refusal)
		}
	})
}

// mostVersions is more than any game has, and leaves room in prompts' names.
const mostVersions = 1 << 26

// look reads all there is to read of a match.
func look(t *testing.T, match engine.Match) {
	t.Helper()
	match.Outcome()
	for seat := engine.NoSeat; seat < 8; seat++ {
		JSON(t, match.View(seat))
		JSON(t, match.Choices(seat))
		JSON(t, match.Offers(seat))
	}
	JSON(t, match.Prompts())
}

// FuzzAct makes arbitrary actions of clients' JSON in the middle of a random game: none may panic, and a refused one
// changes nothing.
func FuzzAct(f *testing.F, game engine.Game, setup engine.Setup, next Mover) {
	seed := Seed(1)
	moves := next.Play(f, game, setup, seed, Random(1))
	for i, m := range moves {
		f.Add(uint16(i), int8(m.Seat), uint32(m.Prompt), m.Kind, []byte(m.Args))
	}
	f.Fuzz(func(t *testing.T, at uint16, seat int8, prompt uint32, kind string, args []byte) {
		action, refusal := game.ParseAction(kind, args)
		if refusal != nil {
			require.NotEmpty(t, refusal.Code)
			return
		}
		action = throughJournal(t, game, action)
		version := int(at)%len(moves) + 1
		before := moves[version-1].Snapshot
		match, err := game.Restore(before)
		require.NoError(t, err)
		move := engine.Move{Seat: engine.Seat(seat), Action: action, Prompt: engine.PromptID(prompt)}
		if _, refusal := match.Act(move, engine.NewDice(seed, uint64(version+1))); refusal != nil {
			require.Equal(t, before, Snapshot(t, match))
			return
		}
		_, err = game.Restore(Snapshot(t, match))
		require.NoError(t, err)
	})
}

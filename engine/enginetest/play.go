// Package enginetest is the suite that every game passes, and helpers for the games' own tests.
package enginetest

import (
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// Recorded is a move as the journal keeps it, with the snapshot that it led to.
type Recorded struct {
	Seat     engine.Seat     `json:"seat"`
	Prompt   engine.PromptID `json:"prompt,omitempty"`
	Kind     string          `json:"kind"`
	Args     json.RawMessage `json:"args"`
	Snapshot []byte          `json:"-"`
}

// Seed makes a seed of a number.
func Seed(n uint64) engine.Seed {
	var seed engine.Seed
	binary.BigEndian.PutUint64(seed[:], n)
	return seed
}

// Random makes a source of choices that depends on the number alone.
func Random(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, n)) }

// New sets up a match whose dice come from a seed.
func New(tb testing.TB, game engine.Game, setup engine.Setup, seed engine.Seed) engine.Match {
	tb.Helper()
	match, _, err := game.New(setup, engine.NewDice(seed, 0))
	require.NoError(tb, err)
	return match
}

// RandomMove picks a move for a random one of the asked seats.
func RandomMove(match engine.Match, random *rand.Rand) engine.Move {
	asked := match.Asked()
	seat := asked[random.IntN(len(asked))]
	choices := match.Choices(seat)
	choice := choices[random.IntN(len(choices))]
	return engine.Move{Seat: seat, Action: choice.Filled(random.IntN), Prompt: choice.Prompt}
}

// Mover picks the next move of a game that is not over.
type Mover func(match engine.Match, random *rand.Rand) engine.Move

// Deals proposes deals at random: actions with steps that may be refused.
type Deals func(match engine.Match, seat engine.Seat, pick func(n int) int) []engine.Action

// Mover mixes deals into random moves.
func (d Deals) Mover() Mover {
	return func(match engine.Match, random *rand.Rand) engine.Move {
		if move, ok := d.move(match, random.IntN); ok {
			return move
		}
		return RandomMove(match, random)
	}
}

// move picks now and then something that a seat may do without being asked. While deals are open it does so more often, and
// likes best what their parties are offered first, so that deals are made.
func (d Deals) move(match engine.Match, pick func(n int) int) (engine.Move, bool) {
	var parties []engine.Seat
	for _, p := range match.Prompts() {
		if p.Optional {
			parties = append(parties, p.Seat)
		}
	}
	if pick(5) > min(len(parties), 2) {
		return engine.Move{}, false
	}
	seats := append(match.Asked(), parties...)
	moves := d.moves(match, seats[pick(len(seats))], pick)
	answer := slices.IndexFunc(moves, func(m engine.Move) bool { return m.Prompt != 0 })
	switch {
	case len(moves) == 0:
		return engine.Move{}, false
	case answer >= 0 && pick(2) == 0:
		return moves[answer], true
	}
	return moves[pick(len(moves))], true
}

// moves are what a seat may do without being asked, with some random deals.
func (d Deals) moves(match engine.Match, seat engine.Seat, pick func(n int) int) []engine.Move {
	proposed := d(match, seat, pick)
	var moves []engine.Move
	for _, c := range match.Offers(seat) {
		actions := []engine.Action{c.Action}
		if len(c.Fill) > 0 {
			actions = proposed
		}
		for _, action := range actions {
			move := engine.Move{Seat: seat, Action: action, Prompt: c.Prompt}
			if action.Kind() == c.Action.Kind() && match.Check(move) == nil {
				moves = append(moves, move)
			}
		}
	}
	return moves
}

// Play plays a whole game and returns its moves.
func (next Mover) Play(tb testing.TB, game engine.Game, setup engine.Setup, seed engine.Seed, random *rand.Rand) []Recorded {
	tb.Helper()
	match := New(tb, game, setup, seed)
	var moves []Recorded
	for match.Outcome() == nil {
		move := next(match, random)
		_, refusal := match.Act(move, engine.NewDice(seed, uint64(len(moves)+1)))
		require.Nil(tb, refusal)
		args, err := json.Marshal(move.Action)
		require.NoError(tb, err)
		moves = append(moves, Recorded{move.Seat, move.Prompt, move.Action.Kind(), args, Snapshot(tb, match)})
	}
	return moves
}

// Replay plays recorded moves again and returns the last snapshot. Each move goes through the client's JSON and through the
// journal. Snapshots that were recorded must be met to the byte.
func Replay(tb testing.TB, game engine.Game, match engine.Match, seed engine.Seed, moves []Recorded) []byte {
	tb.Helper()
	for i, m := range moves {
		action, refusal := game.ParseAction(m.Kind, m.Args)
		require.Nil(tb, refusal, "move %d", i)
		action = throughJournal(tb, game, action)
		move := engine.Move{Seat: m.Seat, Action: action, Prompt: m.Prompt}
		_, refusal = match.Act(move, engine.NewDice(seed, uint64(i+1)))
		require.Nil(tb, refusal, "move %d", i)
		if m.Snapshot != nil {
			require.Equal(tb, m.Snapshot, Snapshot(tb, match), "move %d", i)
		}
	}
	return Snapshot(tb, match)
}

func throughJournal(tb testing.TB, game engine.Game, action engine.Action) engine.Action {
	tb.Helper()
	entry, err := game.EncodeAction(action)
	require.NoError(tb, err)
	decoded, err := game.DecodeAction(entry)
	require.NoError(tb, err)
	return decoded
}

// Snapshot encodes a match.
func Snapshot(tb testing.TB, match engine.Match) []byte {
	tb.Helper()
	data, err := match.Snapshot()
	require.NoError(tb, err)
	return data
}

// DiceThatRoll searches for dice whose first rolls show those faces.
func DiceThatRoll(tb testing.TB, faces ...int) *engine.Dice {
	tb.Helper()
	for n := range uint64(1 << 24) {
		dice, rolled := engine.NewDice(Seed(n), 1), 0
		for rolled < len(faces) && dice.Die() == faces[rolled] {
			rolled++
		}
		if rolled == len(faces) {
			return engine.NewDice(Seed(n), 1)
		}
	}
	tb.Fatalf("no seed rolls %v", faces)
	return nil
}

// JSON encodes a value as clients see it.
func JSON(tb testing.TB, value any) string {
	tb.Helper()
	data, err := json.Marshal(value)
	require.NoError(tb, err)
	return string(data)
}

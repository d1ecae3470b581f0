// Package recordtest makes exported games for tests, without a server.
package recordtest

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/enginetest"
	"boulevard/engine/record"
)

// Play plays a whole game at random and records it as a host does: players come and go before the start, leave standing
// orders, and take back what they did where nothing was rolled and nothing shown. What happens depends on n alone.
func Play(tb testing.TB, game engine.Game, setup engine.Setup, n uint64) record.Game {
	tb.Helper()
	r := &recorder{TB: tb, game: game, setup: setup, random: enginetest.Random(n)}
	r.open(n)
	r.start()
	for r.match.Outcome() == nil {
		switch {
		case len(r.backs) > 0 && r.random.IntN(3) == 0:
			r.undo()
		case r.random.IntN(20) == 0:
			seat := r.last
			r.add(record.Entry{Kind: "order", Seat: &seat})
		default:
			r.act()
		}
	}
	r.Status, r.State = "finished", enginetest.Snapshot(tb, r.match)
	r.Version = uint64(len(r.Entries))
	return r.Game
}

// Document is a game as it is exported.
func Document(tb testing.TB, g record.Game) []byte {
	tb.Helper()
	data, err := json.Marshal(g)
	require.NoError(tb, err)
	return data
}

// Setups are the smallest and the largest table of a game, with the first and with the last value of every option.
func Setups(tb testing.TB, game engine.Game) []engine.Setup {
	tb.Helper()
	info := game.Info()
	varied := engine.Options{}
	for _, option := range info.Options {
		varied[option.Name] = option.Values[len(option.Values)-1]
	}
	setups := make([]engine.Setup, 0, 4)
	for _, seats := range []int{info.MinSeats, info.MaxSeats} {
		for _, chosen := range []engine.Options{nil, varied} {
			setup, refusal := game.Resolve(seats, chosen)
			require.Nil(tb, refusal)
			setups = append(setups, setup)
		}
	}
	return setups
}

// recorder is a game being played and recorded.
type recorder struct {
	testing.TB
	record.Game
	game   engine.Game
	setup  engine.Setup
	random *rand.Rand
	seed   engine.Seed
	match  engine.Match
	// last is the seat that acted last, and backs the versions that it can go back to, with their snapshots.
	last  int
	backs []back
}

type back struct {
	version  uint64
	snapshot []byte
}

// open makes the game that players will join.
func (r *recorder) open(n uint64) {
	secret := binary.BigEndian.AppendUint64(make([]byte, record.SecretSize-8), n)
	info := r.game.Info()
	commitment := record.Commitment(secret)
	r.Game = record.Game{
		Format: record.Format, ID: "game" + hex.EncodeToString(secret[24:]), Game: info.ID, Rules: info.Version,
		Options: r.setup.Options, Created: 1_790_000_000_000, Secret: hex.EncodeToString(secret),
		Commitment: hex.EncodeToString(commitment[:]),
	}
	entropy := make([][]byte, 0, r.setup.Seats)
	for seat := range r.setup.Seats {
		added := make([]byte, r.random.IntN(17))
		for i := range added {
			added[i] = byte(r.random.IntN(256))
		}
		entropy = append(entropy, added)
		r.Players = append(r.Players, record.Player{Name: "Player " + string(rune('A'+seat)), Entropy: hex.EncodeToString(added)})
	}
	r.seed = record.Seed(secret, r.ID, entropy)
}

// join is the kind of entry that seats a player.
const join = "join"

// start seats the players, one of whom leaves and comes again; the last one starts the match.
func (r *recorder) start() {
	for _, kind := range []string{"create", join, "leave"} {
		r.add(record.Entry{Kind: kind})
	}
	for range r.setup.Seats - 2 {
		r.add(record.Entry{Kind: join})
	}
	dice := r.dice()
	match, _, err := r.game.New(r.setup, dice)
	require.NoError(r, err)
	r.match = match
	r.add(record.Entry{Kind: join, Starts: true, Rolls: rolls(dice)})
}

// dice are those of the version that is being made.
func (r *recorder) dice() *engine.Dice { return engine.NewDice(r.seed, uint64(len(r.Entries)+1)) }

func (r *recorder) add(entry record.Entry) {
	entry.Version = uint64(len(r.Entries) + 1)
	entry.At = r.Created + int64(len(r.Entries))*3_600_000
	r.Entries = append(r.Entries, entry)
}

func (r *recorder) act() {
	before := back{uint64(len(r.Entries)), enginetest.Snapshot(r, r.match)}
	move, dice := enginetest.RandomMove(r.match, r.random), r.dice()
	_, refusal := r.match.Act(move, dice)
	require.Nil(r, refusal)
	args, err := json.Marshal(move.Action)
	require.NoError(r, err)
	seat := int(move.Seat)
	if seat != r.last {
		r.backs = nil
	}
	if r.last = seat; dice.Used() || r.binds(move.Action.Kind()) {
		r.backs = nil
	} else {
		r.backs = append(r.backs, before)
	}
	r.add(record.Entry{
		Kind: move.Action.Kind(), Seat: &seat, Prompt: uint32(move.Prompt), Args: args, Rolls: rolls(dice),
		Auto: move.Prompt != 0 && r.random.IntN(2) == 0,
	})
}

// binds reports whether an action cannot be taken back.
func (r *recorder) binds(kind string) bool {
	return slices.ContainsFunc(r.game.Actions(), func(t engine.ActionType) bool {
		return t.Kind == kind && (t.Reveals || t.Final)
	})
}

// undo takes back the last action.
func (r *recorder) undo() {
	last := r.backs[len(r.backs)-1]
	r.backs = r.backs[:len(r.backs)-1]
	match, err := r.game.Restore(last.snapshot)
	require.NoError(r, err)
	r.match = match
	seat := r.last
	r.add(record.Entry{Kind: "undo", Seat: &seat, Back: last.version})
}

func rolls(dice *engine.Dice) [][2]int {
	taken := make([][2]int, len(dice.Rolls()))
	for i, roll := range dice.Rolls() {
		taken[i] = [2]int{roll.N, roll.Value}
	}
	return taken
}

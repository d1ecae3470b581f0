package enginetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// Suite is what a game tells about itself for the common tests.
type Suite struct {
	// Games is the number of random games for each number of seats and value of an option.
	Games int
	// Starts change the position after the set-up, so that random games reach what they seldom reach by themselves.
	Starts map[string]func(snapshot []byte, pick func(n int) int) []byte
	// Candidates makes arbitrary actions, of every kind and with every sort of argument.
	Candidates func(match engine.Match, pick func(n int) int) []engine.Action
	// Deals proposes deals, for games that have any.
	Deals Deals
	// Orders makes standing orders that mean something.
	Orders func(pick func(n int) int) []engine.Order
	// Invariants checks what is always true of a snapshot, and of the events that led from one to the next. Before the
	// first move, before is nil.
	Invariants func(tb testing.TB, before, after []byte, events []engine.Event)
	// Twin changes what nobody may know in a snapshot, and nothing else.
	Twin func(snapshot []byte, pick func(n int) int) []byte
	// Actions is the game's table of actions. The events of those that reveal something may differ between twins.
	Actions []engine.ActionType
	// Secrets are texts that no view may contain, such as the order of a deck as JSON.
	Secrets func(snapshot []byte) []string
}

// Run tests a game against the contract (demands G3, G4, R6, S1 and S2).
func Run(t *testing.T, game engine.Game, suite Suite) {
	for _, setup := range setups(t, game) {
		t.Run(fmt.Sprint(setup.Seats, "_seats_", JSON(t, setup.Options)), func(t *testing.T) {
			t.Parallel()
			for n := range suite.Games {
				newRun(t, game, suite, setup, uint64(n+1), "").play()
			}
			for _, start := range slices.Sorted(maps.Keys(suite.Starts)) {
				newRun(t, game, suite, setup, 1, start).play()
			}
		})
	}
	t.Run("FreshProcesses_SameHash", func(t *testing.T) { freshProcesses(t, game, suite.Mover()) })
}

// Mover makes random moves, and deals where there are any.
func (s Suite) Mover() Mover {
	if s.Deals == nil {
		return RandomMove
	}
	return s.Deals.Mover()
}

// setups are all numbers of seats with all values of all options.
func setups(tb testing.TB, game engine.Game) []engine.Setup {
	tb.Helper()
	info := game.Info()
	options := []engine.Options{{}}
	for _, option := range info.Options {
		var more []engine.Options
		for _, chosen := range options {
			for _, value := range option.Values {
				next := engine.Options{option.Name: value}
				maps.Copy(next, chosen)
				more = append(more, next)
			}
		}
		options = more
	}
	var all []engine.Setup
	for seats := info.MinSeats; seats <= info.MaxSeats; seats++ {
		for _, chosen := range options {
			setup, refusal := game.Resolve(seats, chosen)
			require.Nil(tb, refusal)
			all = append(all, setup)
		}
	}
	return all
}

// run is one random game under test.
type run struct {
	testing.TB
	game  engine.Game
	suite Suite
	setup engine.Setup
	seed  engine.Seed
	match engine.Match
	pick  func(n int) int
	start []byte
	moves []Recorded
}

func newRun(tb testing.TB, game engine.Game, suite Suite, setup engine.Setup, n uint64, start string) *run {
	tb.Helper()
	r := &run{TB: tb, game: game, suite: suite, setup: setup, seed: Seed(n), pick: Random(n).IntN}
	r.match = New(tb, game, setup, r.seed)
	r.start = Snapshot(tb, r.match)
	if start != "" {
		r.start = suite.Starts[start](r.start, r.pick)
		r.match = r.restore(r.start)
	}
	return r
}

func (r *run) restore(snapshot []byte) engine.Match {
	match, err := r.game.Restore(snapshot)
	require.NoError(r, err)
	return match
}

func (r *run) play() {
	r.suite.Invariants(r, nil, Snapshot(r, r.match), nil)
	for r.match.Outcome() == nil {
		r.checkAsked()
		r.checkOffers()
		r.checkPrompts()
		r.checkCandidates()
		r.checkRestore()
		r.checkSecrets()
		r.checkOrders()
		r.move()
	}
	r.checkAsked()
	require.Equal(r, engine.NoSeat, r.match.Turn())
	Replay(r, r.game, r.restore(r.start), r.seed, r.moves)
}

// move makes a random move, on the match and on its twin.
func (r *run) move() {
	before := Snapshot(r, r.match)
	move := r.next()
	version := uint64(len(r.moves) + 1)
	twin := r.twin()
	r.checkPreview(move, twin)

	events, refusal := r.match.Act(move, engine.NewDice(r.seed, version))
	require.Nil(r, refusal, "%s %s", move.Action.Kind(), JSON(r, move.Action))
	after := Snapshot(r, r.match)
	r.suite.Invariants(r, before, after, events)
	r.checkNews(events)
	if !r.reveals(move.Action) {
		twinEvents, refusal := twin.Act(move, engine.NewDice(r.seed, version))
		require.Nil(r, refusal)
		for seat := engine.NoSeat; int(seat) < r.setup.Seats; seat++ {
			require.Equal(r, JSON(r, engine.Visible(events, seat)), JSON(r, engine.Visible(twinEvents, seat)))
		}
	}
	r.moves = append(r.moves, Recorded{move.Seat, move.Prompt, move.Action.Kind(), json.RawMessage(JSON(r, move.Action)), after})
}

// checkNews: whoever is told of an event away from the table may know of it at the table.
func (r *run) checkNews(events []engine.Event) {
	for _, e := range events {
		if e.News.Kind == "" {
			continue
		}
		require.NotZero(r, e.News.To, e.Code)
		for seat := range engine.Seat(r.setup.Seats) {
			require.True(r, e.To.Includes(seat) || !e.News.To.Includes(seat), "%s to seat %d", e.Code, seat)
		}
	}
}

func (r *run) reveals(action engine.Action) bool {
	return slices.ContainsFunc(r.suite.Actions, func(t engine.ActionType) bool {
		return t.Kind == action.Kind() && t.Reveals
	})
}

// next picks what the game waits for, or now and then something that a seat may do without being asked.
func (r *run) next() engine.Move {
	if r.suite.Deals != nil {
		if move, ok := r.suite.Deals.move(r.match, r.pick); ok {
			return move
		}
	}
	asked := r.match.Asked()
	seat := asked[r.pick(len(asked))]
	choice := r.choose(seat)
	return engine.Move{Seat: seat, Action: choice.Filled(r.pick), Prompt: choice.Prompt}
}

// choose picks a kind of action before an action of that kind, so that rare kinds are tried too.
func (r *run) choose(seat engine.Seat) engine.Choice {
	choices := r.match.Choices(seat)
	var kinds []string
	for _, c := range choices {
		if !slices.Contains(kinds, c.Action.Kind()) {
			kinds = append(kinds, c.Action.Kind())
		}
	}
	kind := kinds[r.pick(len(kinds))]
	choices = slices.DeleteFunc(choices, func(c engine.Choice) bool { return c.Action.Kind() != kind })
	return choices[r.pick(len(choices))]
}

// checkAsked: an asked seat has a choice, all of which are accepted; any other seat has none.
func (r *run) checkAsked() {
	asked := r.match.Asked()
	for seat := engine.NoSeat; int(seat) <= r.setup.Seats; seat++ {
		choices := r.match.Choices(seat)
		require.Equal(r, slices.Contains(asked, seat), len(choices) > 0, "choices of seat %d", seat)
		for _, c := range choices {
			move := engine.Move{Seat: seat, Action: c.Filled(r.pick), Prompt: c.Prompt}
			require.Nil(r, r.match.Check(move), "%s %s", move.Action.Kind(), JSON(r, move.Action))
		}
	}
}

// checkPrompts: the default answer is among the choices. An optional prompt has none, but an answer.
func (r *run) checkPrompts() {
	for _, p := range r.match.Prompts() {
		if p.Optional {
			require.Nil(r, p.Default)
			require.True(r, slices.ContainsFunc(r.match.Offers(p.Seat), func(c engine.Choice) bool { return c.Prompt == p.ID }))
			continue
		}
		move := engine.Move{Seat: p.Seat, Action: p.Default, Prompt: p.ID}
		require.True(r, offered(r.match.Choices(p.Seat), move), "default %s %s", p.Default.Kind(), JSON(r, p.Default))
		require.Nil(r, r.match.Check(move))
	}
}

// checkCandidates: an arbitrary move is accepted if it is offered, and is refused without a trace if it is not.
func (r *run) checkCandidates() {
	before := Snapshot(r, r.match)
	twin := r.twin()
	choices := map[engine.Seat][]engine.Choice{}
	for seat := range engine.Seat(r.setup.Seats) {
		choices[seat] = slices.Concat(r.match.Choices(seat), r.match.Offers(seat))
	}
	prompts := []engine.PromptID{0}
	for _, p := range r.match.Prompts() {
		prompts = append(prompts, p.ID)
	}
	for _, action := range r.candidates() {
		move := engine.Move{
			Seat: engine.Seat(r.pick(r.setup.Seats)), Action: action, Prompt: prompts[r.pick(len(prompts))],
		}
		if asked := r.match.Asked(); r.pick(4) > 0 {
			move.Seat = asked[r.pick(len(asked))]
		}
		refusal := r.match.Check(move)
		if refusal == nil || !isDeal(choices[move.Seat], move) {
			require.Equal(r, offered(choices[move.Seat], move), refusal == nil, "%s %s: %v", action.Kind(), JSON(r, action), refusal)
		}
		require.Equal(r, JSON(r, refusal), JSON(r, twin.Check(move)))
		if refusal != nil {
			events, again := r.match.Act(move, engine.NewDice(r.seed, 1))
			require.Equal(r, refusal, again)
			require.Nil(r, events)
		}
	}
	require.Equal(r, before, Snapshot(r, r.match), "a refused move left a trace")
}

func (r *run) candidates() []engine.Action {
	actions := r.suite.Candidates(r.match, r.pick)
	if r.suite.Deals != nil {
		actions = append(actions, r.suite.Deals(r.match, engine.Seat(r.pick(r.setup.Seats)), r.pick)...)
	}
	return actions
}

// checkRestore: a snapshot restores to a match with the same snapshot.
func (r *run) checkRestore() {
	before := Snapshot(r, r.match)
	restored := r.restore(before)
	require.Equal(r, before, Snapshot(r, restored))
	for _, seat := range r.match.Asked() {
		require.Equal(r, JSON(r, r.match.Choices(seat)), JSON(r, restored.Choices(seat)))
	}
}

// checkSecrets: a table that differs in what nobody may know looks the same to everybody.
func (r *run) checkSecrets() {
	twin := r.twin()
	secrets := r.suite.Secrets(Snapshot(r, r.match))
	for seat := engine.NoSeat; int(seat) < r.setup.Seats; seat++ {
		view := JSON(r, r.match.View(seat))
		require.Equal(r, view, JSON(r, twin.View(seat)))
		require.Equal(r, JSON(r, r.match.Choices(seat)), JSON(r, twin.Choices(seat)))
		require.Equal(r, JSON(r, r.match.Offers(seat)), JSON(r, twin.Offers(seat)))
		for _, secret := range secrets {
			require.NotContains(r, view, secret)
		}
	}
	require.Equal(r, JSON(r, r.match.Prompts()), JSON(r, twin.Prompts()))
}

// twin is a match that differs from this one only in what nobody may know.
func (r *run) twin() engine.Match {
	return r.restore(r.suite.Twin(Snapshot(r, r.match), r.pick))
}

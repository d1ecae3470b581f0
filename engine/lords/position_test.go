package lords

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/enginetest"
)

// Seats by the colours of the rule book's examples.
const (
	blue engine.Seat = iota
	green
	red
	yellow
)

var seatNamed = map[string]engine.Seat{"blue": blue, "green": green, "red": red, "yellow": yellow, "nobody": engine.NoSeat}

// position is a table in a test.
type position struct {
	*State
	tb testing.TB
}

// sketch sets up a table of four in the middle of a turn. Each line of the sketch is a marker ("A3 yellow"), a tile with a
// die ("A2 gold red 2") or one without ("A2 gold nobody"); "x2" at the end is a height. Cards of marked lots are out of
// the deck. Everybody has $50.
func sketch(tb testing.TB, turn engine.Seat, lines string) *position {
	tb.Helper()
	return sketchFor(tb, 4, turn, lines)
}

func sketchFor(tb testing.TB, seats int, turn engine.Seat, lines string) *position {
	tb.Helper()
	b := baseRules().base().board
	s := &State{
		Players: make([]Player, seats), Lots: make([]Lot, len(b.lots)), Turn: turn, Phase: Playing, Card: noCard,
		Risers: strings.Contains(lines, " x"),
	}
	s.board = b
	for i := range s.Lots {
		s.Lots[i].Owner = engine.NoSeat
	}
	for i := range s.Players {
		s.Players[i].Money = 50
	}
	for i := range b.cards {
		s.Deck = append(s.Deck, Card(i))
	}
	slices.Reverse(s.Deck)
	p := &position{State: s, tb: tb}
	for line := range strings.Lines(lines) {
		if fields := strings.Fields(line); len(fields) > 0 {
			p.put(fields)
		}
	}
	require.NoError(tb, s.validate(b))
	return p
}

func (p *position) put(fields []string) {
	lot := p.at(LotID(fields[0]))
	if len(fields) == 2 {
		lot.Owner = seatNamed[fields[1]]
		p.drawn(LotID(fields[0]))
		return
	}
	*lot = Lot{Color: colorNamed(fields[1]), Owner: seatNamed[fields[2]], Height: 1}
	for _, field := range fields[3:] {
		if height, raised := strings.CutPrefix(field, "x"); raised {
			lot.Height = height[0] - '0'
		} else {
			lot.Die = field[0] - '0'
		}
	}
}

func (p *position) at(id LotID) *Lot {
	p.tb.Helper()
	lot, ok := p.lot(id)
	require.True(p.tb, ok, "no lot %q", id)
	return &p.Lots[lot]
}

func (p *position) card(id LotID) Card {
	lot, _ := p.lot(id)
	return Card(slices.IndexFunc(p.board.cards, func(c cardInfo) bool { return c.lot == lot }))
}

// drawn takes a lot's card out of the deck.
func (p *position) drawn(id LotID) {
	p.Deck = slices.DeleteFunc(p.Deck, func(c Card) bool { return c == p.card(id) })
}

// next puts cards on top of the deck, the first to be drawn first, and lets the turn begin with the draw.
func (p *position) next(ids ...LotID) *position {
	p.Phase = Drawing
	for _, id := range slices.Backward(ids) {
		p.drawn(id)
		p.Deck = append(p.Deck, p.card(id))
	}
	return p
}

func (p *position) money(seat engine.Seat, money int) *position {
	p.Players[seat].Money = money
	return p
}

func (p *position) bossOf(id LotID) engine.Seat {
	lot, _ := p.lot(id)
	return p.casinoOf(lot).boss
}

// match is the position as the rest of the program sees it.
func (p *position) match() engine.Match {
	p.tb.Helper()
	match, err := Game().Restore(encodeState(p.State))
	require.NoError(p.tb, err)
	return match
}

func (p *position) move(seat engine.Seat, action engine.Action) engine.Move {
	move := engine.Move{Seat: seat, Action: action}
	if row := slices.IndexFunc(actions, func(a engine.ActionType) bool { return a.Kind == action.Kind() }); actions[row].Answers != "" {
		move.Prompt = p.asked(seat)
	}
	return move
}

// do makes a move with dice that roll those faces, and returns its events.
func (p *position) do(seat engine.Seat, action engine.Action, faces ...int) []engine.Event {
	p.tb.Helper()
	match := p.match()
	move := p.move(seat, action)
	require.True(p.tb, slices.ContainsFunc(match.Choices(seat), func(c engine.Choice) bool {
		return enginetest.Covers(c, action)
	}), "%s %s is not offered", action.Kind(), enginetest.JSON(p.tb, action))
	events, refusal := match.Act(move, enginetest.DiceThatRoll(p.tb, faces...))
	require.Nil(p.tb, refusal)
	p.State = decodeState(p.tb, enginetest.Snapshot(p.tb, match))
	return events
}

// refused makes a move that must be refused, and returns why.
func (p *position) refused(seat engine.Seat, action engine.Action) *engine.Refusal {
	p.tb.Helper()
	match := p.match()
	require.False(p.tb, slices.ContainsFunc(match.Choices(seat), func(c engine.Choice) bool {
		return enginetest.Covers(c, action)
	}), "%s %s is offered", action.Kind(), enginetest.JSON(p.tb, action))
	before := enginetest.Snapshot(p.tb, match)
	events, refusal := match.Act(p.move(seat, action), enginetest.DiceThatRoll(p.tb))
	require.NotNil(p.tb, refusal)
	require.Nil(p.tb, events)
	require.Equal(p.tb, before, enginetest.Snapshot(p.tb, match))
	return refusal
}

// facts are those of the choice that covers an action.
func (p *position) facts(seat engine.Seat, action engine.Action) any {
	p.tb.Helper()
	choices := p.match().Choices(seat)
	at := slices.IndexFunc(choices, func(c engine.Choice) bool { return enginetest.Covers(c, action) })
	require.GreaterOrEqual(p.tb, at, 0)
	return choices[at].Facts
}

// codes are those of the events, without the ones about changed casinos, which follow from the others.
func codes(events []engine.Event) []string {
	var codes []string
	for _, e := range events {
		if _, follows := e.Args.(*CasinoChanged); !follows {
			codes = append(codes, e.Code)
		}
	}
	return codes
}

// args are the particulars of the only event with that type of them.
func args[T any](tb testing.TB, events []engine.Event) T {
	tb.Helper()
	var found []T
	for _, e := range events {
		if a, ok := e.Args.(T); ok {
			found = append(found, a)
		}
	}
	require.Len(tb, found, 1)
	return found[0]
}

func moneyOf(p *position) []int {
	var money []int
	for _, player := range p.Players {
		money = append(money, player.Money)
	}
	return money
}

func pointsOf(p *position) []int {
	var points []int
	for _, player := range p.Players {
		points = append(points, player.Points)
	}
	return points
}

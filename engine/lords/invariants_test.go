package lords

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// invariants: nothing is negative or more than there is (which validate checks), each casino has one boss, and money,
// markers and dice only move as the events tell.
func invariants(tb testing.TB, before, after []byte, events []engine.Event) {
	tb.Helper()
	s := decodeState(tb, after)
	require.LessOrEqual(tb, len(after), sizeLimit(s), "the snapshot has grown")
	if s.Phase != Placing {
		for _, c := range s.casinos {
			require.True(tb, c.boss != engine.NoSeat || c.top == 0, "casino %v without a boss", s.ids(c.lots))
		}
	}
	if before == nil {
		return
	}
	was := decodeState(tb, before)
	books := newLedger(len(s.Players))
	for _, e := range events {
		books.postMoney(e.Args)
		books.postGoods(e)
	}
	for seat, p := range s.Players {
		require.Equal(tb, p.Money, was.Players[seat].Money+books.money[seat], "money of seat %d", seat)
		require.Equal(tb, int(s.markersUsed[seat]), int(was.markersUsed[seat])+books.markers[seat], "markers of seat %d", seat)
		require.Equal(tb, int(s.diceUsed[seat]), int(was.diceUsed[seat])+books.dice[seat], "dice of seat %d", seat)
		require.GreaterOrEqual(tb, p.Points, was.Players[seat].Points)
	}
	require.LessOrEqual(tb, len(s.Deck), len(was.Deck))
	requireChanges(tb, was, s, events)
}

// sizeLimit is generous to open deals alone.
func sizeLimit(s *State) int {
	limit := 400
	for _, d := range s.Deals {
		limit += 20 + 24*len(d.Steps)
	}
	return limit
}

// requireChanges: a casino has an event exactly if it is another than before.
func requireChanges(tb testing.TB, was, is *State, events []engine.Event) {
	tb.Helper()
	told := map[LotID]int{}
	for _, changed := range changes(events) {
		told[changed.Casino]++
	}
	for _, c := range is.casinos {
		same := false
		for _, old := range was.casinos {
			same = same || old.lots == c.lots && old.boss == c.boss && old.size() == c.size()
		}
		require.Equal(tb, same, told[is.id(c.first())] == 0, "casino %v", is.ids(c.lots))
		require.LessOrEqual(tb, told[is.id(c.first())], 1)
		delete(told, is.id(c.first()))
	}
	require.Empty(tb, told)
}

// ledger is what events say about each seat's property.
type ledger struct{ money, markers, dice []int }

func newLedger(seats int) *ledger {
	return &ledger{make([]int, seats), make([]int, seats), make([]int, seats)}
}

func (l *ledger) postMoney(args any) {
	switch e := args.(type) {
	case *Built:
		l.money[e.Seat] -= e.Cost
	case *Remodeled:
		l.money[e.Seat] -= e.Cost
	case *Raised:
		l.money[e.Seat] -= e.Cost
	case *ReorganizePaid:
		l.money[e.Seat] -= e.Cost
	case *Gambled:
		l.money[e.Seat] += e.Gambler
		l.money[e.Boss] -= e.FromBoss
	case *LotsPaid:
		for seat, money := range e.Money {
			l.money[seat] += money
		}
	case *CasinoPaid:
		for seat, money := range e.Money {
			l.money[seat] += money
		}
	case *MoneyGiven:
		l.money[e.From] -= e.Money
		l.money[e.To] += e.Money
	}
}

func (l *ledger) postGoods(event engine.Event) {
	switch e := event.Args.(type) {
	case *Built:
		if event.Code == "built" {
			l.markers[e.Seat]--
		}
		if e.From == "" {
			l.dice[e.Seat]++
		}
	case *Taken:
		goods := l.dice
		if e.Die == 0 {
			goods = l.markers
		}
		if e.From == "" {
			goods[e.Seat]++
		}
		if e.Loser != engine.NoSeat {
			goods[e.Loser]--
		}
	case *GivenUp:
		l.markers[e.Seat]--
	case *LotGiven:
		l.markers[e.From]--
		l.markers[e.To]++
	case *DieGiven:
		l.dice[e.From]--
		l.dice[e.To]++
	}
}

package lords

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/enginetest"
)

func TestGame_FulfilsTheContract(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, Game(), enginetest.Suite{
		Games: 2,
		Starts: map[string]func([]byte, func(int) int) []byte{
			"rich": rich, "crowded": crowded,
		},
		Candidates: candidates,
		Deals:      deals,
		Orders:     randomOrders,
		Invariants: invariants,
		Twin:       twin,
		Actions:    actions,
		Secrets:    secrets,
	})
}

// decodeState is a snapshot's state, with what follows from it.
func decodeState(tb testing.TB, snapshot []byte) *State {
	tb.Helper()
	s := new(State)
	require.NoError(tb, cbor.Unmarshal(snapshot, s))
	require.NoError(tb, s.validate(baseRules().base().board))
	return s
}

func encodeState(s *State) []byte {
	mode, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		panic(err)
	}
	data, err := mode.Marshal(s)
	if err != nil {
		panic(err)
	}
	return data
}

// rich gives everybody so much money that dice and tiles run out.
func rich(snapshot []byte, _ func(int) int) []byte {
	s := new(State)
	if err := cbor.Unmarshal(snapshot, s); err != nil {
		panic(err)
	}
	for seat := range s.Players {
		s.Players[seat].Money = 2000
	}
	return encodeState(s)
}

// crowded gives as many lots as possible to the seats in turn, so that markers run out, and nobody can afford to build.
func crowded(snapshot []byte, pick func(int) int) []byte {
	s := new(State)
	if err := cbor.Unmarshal(snapshot, s); err != nil {
		panic(err)
	}
	b := baseRules().base().board
	left := make([]int, len(s.Players))
	for seat := range s.Players {
		s.Players[seat].Money = 0
		left[seat] = 7 + pick(2)
	}
	end := slices.Index(s.Deck, b.end)
	for top := len(s.Deck) - 1; top > end; top-- {
		lot, seat := b.cards[s.Deck[top]].lot, top%len(s.Players)
		if left[seat] > 0 && (len(s.Players) != 2 || b.lots[lot].ID[0] != 'F') {
			s.Lots[lot].Owner = engine.Seat(seat)
			left[seat]--
			s.Deck = slices.Delete(s.Deck, top, top+1)
		}
	}
	return encodeState(s)
}

// candidates are some actions of every kind with likely and with impossible arguments; now and then all there are.
func candidates(_ engine.Match, pick func(n int) int) []engine.Action {
	ids := []LotID{"", "A0", "A99", "Ä2", "a2"}
	for _, lot := range baseRules().base().board.lots {
		ids = append(ids, lot.ID)
	}
	if pick(300) == 0 {
		return everyAction(ids)
	}
	id := func() LotID { return ids[pick(len(ids))] }
	from := func() LotID { return []LotID{"", "", id()}[pick(3)] }
	color := func() Color { return Color(pick(8)) }
	list := []engine.Action{
		&Draw{}, &End{}, &LayOff{}, &LayOff{Accept: true}, &Place{}, &Place{Values: []int{pick(8), pick(8)}},
		&Place{Values: []int{pick(6), pick(6), -pick(6)}},
		new(Accept), new(Withdraw), &Propose{}, &Counter{}, &Propose{Steps: Steps{{Kind: StepKind(pick(12)), Lot: id()}}},
	}
	for range 6 {
		list = append(list, &Build{Lot: id(), Color: color(), From: from()}, &Sprawl{Casino: id(), Lot: id(), From: from()},
			&Remodel{Casino: id(), Color: color()}, &Reorganize{Casino: id()}, &Raise{Casino: id()},
			&Gamble{Casino: id(), Bet: pick(30) - 3}, &MoveDie{From: id()}, &GiveUp{Lot: id()})
	}
	return list
}

func everyAction(ids []LotID) []engine.Action {
	var list []engine.Action
	for _, id := range ids {
		list = append(list, &Reorganize{Casino: id}, &Raise{Casino: id}, &MoveDie{From: id}, &GiveUp{Lot: id})
		for color := range Strip + 2 {
			list = append(list, &Build{Lot: id, Color: color}, &Remodel{Casino: id, Color: color})
		}
		for _, to := range ids {
			list = append(list, &Sprawl{Casino: id, Lot: to}, &Build{Lot: id, Color: Gold, From: to})
		}
		for _, bet := range []int{-1, 0, 1, 5, 6, 25, 1 << 40} {
			list = append(list, &Gamble{Casino: id, Bet: bet})
		}
	}
	return list
}

// twin is the same table with another order of the deck. Only where the End of Game card can be is known of it.
func twin(snapshot []byte, pick func(n int) int) []byte {
	s := new(State)
	if err := cbor.Unmarshal(snapshot, s); err != nil {
		panic(err)
	}
	b := baseRules().base().board
	end := slices.Index(s.Deck, b.end)
	if end < 0 {
		return snapshot
	}
	s.Deck = slices.Delete(s.Deck, end, end+1)
	for i := len(s.Deck) - 1; i > 0; i-- {
		j := pick(i + 1)
		s.Deck[i], s.Deck[j] = s.Deck[j], s.Deck[i]
	}
	quarter := (len(b.cards) - 1 - 2*len(s.Players)) / 4
	below := min(quarter-endSpread+pick(2*endSpread+1), len(s.Deck))
	s.Deck = slices.Insert(s.Deck, below, b.end)
	return encodeState(s)
}

// secrets is the order of the deck, by numbers and by names.
func secrets(snapshot []byte) []string {
	s := new(State)
	if err := cbor.Unmarshal(snapshot, s); err != nil {
		panic(err)
	}
	if len(s.Deck) < 4 {
		return nil
	}
	b := baseRules().base().board
	var numbers []int
	var ids []LotID
	for _, card := range s.Deck {
		numbers = append(numbers, int(card))
		if lot := b.cards[card].lot; lot != noLot {
			ids = append(ids, b.lots[lot].ID)
		}
	}
	var texts []string
	for _, list := range []any{numbers, ids} {
		text, err := json.Marshal(list)
		if err != nil {
			panic(err)
		}
		texts = append(texts, string(text[1:len(text)-1]))
	}
	return texts
}

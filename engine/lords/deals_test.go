package lords

import (
	"github.com/fxamacker/cbor/v2"

	"boulevard/engine"
)

// deals proposes deals of a few steps, most of them among two: about what they have, and what the turn's player can do.
func deals(match engine.Match, seat engine.Seat, pick func(n int) int) []engine.Action {
	snapshot, err := match.Snapshot()
	if err != nil {
		panic(err)
	}
	s := new(State)
	if err := cbor.Unmarshal(snapshot, s); err != nil {
		panic(err)
	}
	if err := s.validate(baseRules().base().board); err != nil {
		panic(err)
	}
	list := make([]engine.Action, 0, 6)
	for range 3 {
		list = append(list, &Propose{Steps: s.randomSteps(seat, pick)}, &Counter{Steps: s.randomSteps(seat, pick)})
	}
	return list
}

func (s *State) randomSteps(seat engine.Seat, pick func(n int) int) Steps {
	partner := engine.Seat(pick(len(s.Players)))
	if partner == seat {
		partner = (seat + 1) % engine.Seat(len(s.Players))
	}
	steps := make(Steps, 0, 4)
	for range 1 + pick(4) {
		from, to := seat, partner
		if pick(2) == 0 {
			from, to = partner, seat
		}
		if pick(8) == 0 {
			to = engine.Seat(pick(len(s.Players)))
		}
		steps = append(steps, s.randomStep(from, to, pick))
	}
	return steps
}

// randomStep gives a thing that its giver has if he has any, or now and then one that he does not have.
func (s *State) randomStep(from, to engine.Seat, pick func(n int) int) Step {
	var lots, dice []LotID
	for i := range s.Lots {
		switch lot := &s.Lots[i]; {
		case lot.hasMarker(from):
			lots = append(lots, s.id(i))
		case lot.hasDie(from):
			dice = append(dice, s.id(i))
		}
	}
	other := s.id(pick(len(s.Lots)))
	switch pick(6) {
	case 0:
		return HandLot(from, to, append(lots, other)[pick(len(lots)+1)])
	case 1, 2:
		return HandDie(from, to, append(dice, other)[pick(len(dice)+1)])
	case 3, 4:
		if s.Phase == Playing {
			choices := s.choices(s.Turn)
			return Do(choices[pick(len(choices))].Filled(pick))
		}
	}
	return Pay(from, to, 1+pick(min(s.Players[from].Money, 20)+1))
}

func randomOrders(pick func(n int) int) []engine.Order {
	list := []engine.Order{
		&LayOffOrder{Accept: always, From: pick(10)}, &LayOffOrder{Accept: never}, &PlaceOrder{How: safe}, &PlaceOrder{How: keep},
		&DealsOrder{Decline: all}, &DealsOrder{Decline: property}, &DealsOrder{Decline: loss}, new(EndOrder),
	}
	orders := make([]engine.Order, 0, 4)
	for range pick(5) {
		orders = append(orders, list[pick(len(list))])
	}
	return orders
}

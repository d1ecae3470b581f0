package lords

import (
	"cmp"
	"slices"

	"boulevard/engine"
)

// Place puts the dice that one has in a reorganized casino in their tiles (Action - Reorganize; Rulings 9).
type Place struct {
	_ struct{} `cbor:",toarray"`
	// Values are the faces, one for each of one's lots in the casino in the order of the board.
	Values []int `json:"values"`
}

// Placed is the event of a placement.
type Placed struct {
	Seat engine.Seat `json:"seat"`
	Lots []LotID     `json:"lots"`
	Dice []int       `json:"dice"`
}

// Kind is "place".
func (*Place) Kind() string { return kindPlace }

// Fill returns a placement of those values.
func (*Place) Fill(_ string, values []int) engine.Action { return &Place{Values: values} }

// check accepts any order of one's own faces, and nothing else.
func (a *Place) check(s *State, seat engine.Seat) refusal {
	c := s.casinoOf(int(s.Casino))
	if len(a.Values) != s.diceOf(c.lots, seat).count() {
		return refuse(wrongDice, ruleReorganize)
	}
	if !slices.Equal(slices.Sorted(slices.Values(a.Values)), slices.Sorted(slices.Values(s.faces(c, seat)))) {
		return refuse(wrongDice, ruleReorganize)
	}
	return refusal{}
}

// faces are those of the seat's dice in a casino, in the order of the board.
func (s *State) faces(c *casino, seat engine.Seat) []int {
	var values []int
	for rest := s.diceOf(c.lots, seat); rest != 0; rest &= rest - 1 {
		values = append(values, int(s.Lots[rest.first()].Die))
	}
	return values
}

// canPlace reports whether a seat has dice of different values in a casino.
func (s *State) canPlace(c *casino, seat engine.Seat) bool {
	own := s.diceOf(c.lots, seat)
	for rest := own; rest != 0; rest &= rest - 1 {
		if s.Lots[rest.first()].Die != s.Lots[own.first()].Die {
			return true
		}
	}
	return false
}

// apply does not wait for the other owners: nobody's placement depends on another's, as only one's own dice change
// places. The last one settles the ties.
func (a *Place) apply(s *State, seat engine.Seat, dice *engine.Dice, log *engine.Log) {
	own := s.diceOf(s.casinoOf(int(s.Casino)).lots, seat)
	rest := own
	for _, value := range a.Values {
		s.Lots[rest.first()].Die = uint8(value)
		rest &= rest - 1
	}
	log.Add("dice_placed", ruleReorganize, &Placed{seat, s.ids(own), a.Values})
	s.answered(seat)
	if len(s.Asks) > 0 {
		s.regroup()
		return
	}
	s.Phase, s.Casino = Playing, 0
	s.settle(dice, log)
}

// safePlacement keeps the high dice from being taken over: they go to the lots whose card is already out of the deck,
// then in the order of the board (Rulings 9).
func (s *State) safePlacement(seat engine.Seat) *Place {
	c := s.casinoOf(int(s.Casino))
	values := s.faces(c, seat)
	slots := make([]int, len(values))
	for i := range slots {
		slots[i] = i
	}
	// A die on an open lot goes to whoever draws its card (Take Over Your Lot).
	var open []bool
	inDeck := s.inDeck()
	for rest := s.diceOf(c.lots, seat); rest != 0; rest &= rest - 1 {
		open = append(open, inDeck.has(rest.first()))
	}
	slices.SortStableFunc(slots, func(a, b int) int {
		switch {
		case open[a] == open[b]:
			return cmp.Compare(a, b)
		case open[b]:
			return -1
		}
		return 1
	})
	slices.SortFunc(values, func(a, b int) int { return cmp.Compare(b, a) })
	placed := make([]int, len(values))
	for i, slot := range slots {
		placed[slot] = values[i]
	}
	return &Place{Values: placed}
}

// offerPlacements leaves the arrangement to the seat, as there can be very many.
func (s *State) offerPlacements(seat engine.Seat, out *offers) {
	c := s.casinoOf(int(s.Casino))
	slots := make([]string, 0, maxSeats)
	for _, id := range s.ids(s.diceOf(c.lots, seat)) {
		slots = append(slots, string(id))
	}
	out.list = append(out.list, engine.Choice{
		Action: new(Place),
		Fill:   []engine.Param{{Name: "values", Kind: engine.Arrangement, Slots: slots, Values: s.faces(c, seat)}},
	})
}

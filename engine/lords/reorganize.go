package lords

import "boulevard/engine"

// Reorganize rerolls every die of a casino where one has a die (Action - Reorganize).
type Reorganize struct {
	_      struct{} `cbor:",toarray"`
	Casino LotID    `json:"casino"`
}

// ReorganizePaid is the event of the payment for a reorganize, before any die is rolled.
type ReorganizePaid struct {
	Seat engine.Seat `json:"seat"`
	// Casino is the casino's first lot.
	Casino LotID `json:"casino"`
	Cost   int   `json:"cost"`
}

// Reorganized is the event of a reorganize: what was rolled, before anyone puts his dice where he wants them.
type Reorganized struct {
	Seat engine.Seat `json:"seat"`
	// Lots are those with dice, and Dice the new faces in that order.
	Lots []LotID `json:"lots"`
	Dice []int   `json:"dice"`
}

// ReorganizeFacts explains the choice of a reorganize.
type ReorganizeFacts struct {
	Cost int `json:"cost"`
	// Own and Dice are how many of the casino's dice are the seat's, and how many there are.
	Own  int `json:"own"`
	Dice int `json:"dice"`
}

// Kind is "reorganize".
func (*Reorganize) Kind() string { return kindReorganize }

func (a *Reorganize) check(s *State, seat engine.Seat) refusal {
	c, r := s.namedCasino(a.Casino)
	if !r.ok() {
		return r
	}
	return s.canReorganize(seat, c)
}

// canReorganize wants a die in the casino, not its boss. It refuses the whole casino for one die that was reorganized this
// turn: all dice of a casino are rerolled or none (Rulings 8).
func (s *State) canReorganize(seat engine.Seat, c *casino) refusal {
	switch {
	case s.diceOf(c.lots, seat) == 0:
		return refuse(noDieThere, ruleReorganize)
	case c.lots&s.Rerolled != 0:
		return refuse(alreadyReorganized, ruleReorganize)
	}
	return s.pay(seat, s.pips(c), ruleReorganize)
}

// apply rolls the dice where they lie, in the order of the board. Ties wait until the owners have placed their dice.
func (a *Reorganize) apply(s *State, seat engine.Seat, dice *engine.Dice, log *engine.Log) {
	c, _ := s.namedCasino(a.Casino)
	cost := s.pips(c)
	s.Players[seat].Money -= cost
	log.Add("reorganize_paid", ruleReorganize, &ReorganizePaid{seat, a.Casino, cost})
	event := &Reorganized{Seat: seat}
	for rest := c.lots; rest != 0; rest &= rest - 1 {
		lot := rest.first()
		if s.Lots[lot].Die == 0 {
			continue
		}
		die := dice.Die()
		s.Lots[lot].Die = uint8(die)
		s.Rerolled |= lotBit(lot)
		event.Lots, event.Dice = append(event.Lots, s.id(lot)), append(event.Dice, die)
	}
	log.Add("reorganized", ruleReorganize, event)
	s.askPlacements(c, dice)
	if len(s.Asks) == 0 {
		s.settle(dice, log)
		return
	}
	s.Phase, s.Casino = Placing, uint8(c.first())
	s.regroup()
}

// askPlacements opens a prompt for every owner whose dice differ, so that it matters where he puts them (Rulings 9).
func (s *State) askPlacements(c *casino, dice *engine.Dice) {
	for seat := range engine.Seat(len(s.Players)) {
		if s.canPlace(c, seat) {
			s.ask(seat, dice)
		}
	}
}

func (s *State) offerReorganizes(seat engine.Seat, out *offers) {
	var facts batch[ReorganizeFacts]
	for i := range s.casinos {
		c := &s.casinos[i]
		if r := s.canReorganize(seat, c); !r.ok() {
			continue
		}
		out.add(&s.board.menu.reorganizes[c.first()],
			facts.keep(ReorganizeFacts{Cost: s.pips(c), Own: s.diceOf(c.lots, seat).count(), Dice: s.diceIn(c)}))
	}
}

// diceIn counts a casino's dice, which may be fewer than its tiles.
func (s *State) diceIn(c *casino) int {
	dice := 0
	for rest := c.lots; rest != 0; rest &= rest - 1 {
		if s.Lots[rest.first()].Die > 0 {
			dice++
		}
	}
	return dice
}

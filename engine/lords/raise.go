package lords

import "boulevard/engine"

// Raise puts a riser under every tile of a casino that one is the boss of (Americana's Action - Raise; Rulings 16).
type Raise struct {
	_      struct{} `cbor:",toarray"`
	Casino LotID    `json:"casino"`
}

// Raised is the event of a raise.
type Raised struct {
	Seat   engine.Seat `json:"seat"`
	Lots   []LotID     `json:"lots"`
	Height int         `json:"height"`
	Cost   int         `json:"cost"`
}

// Kind is "raise".
func (*Raise) Kind() string { return kindRaise }

func (a *Raise) check(s *State, seat engine.Seat) refusal {
	c, r := s.namedCasino(a.Casino)
	if !r.ok() {
		return r
	}
	return s.canRaise(seat, c)
}

// canRaise knows no limit but the height: the rule book does not count the risers.
func (s *State) canRaise(seat engine.Seat, c *casino) refusal {
	if !s.Risers {
		return refuse(noRisers, ruleRaise)
	}
	if r := c.bossed(seat, ruleRaise); !r.ok() {
		return r
	}
	if c.height >= s.maxHeight() {
		return refusal{why: maxHeight, rule: ruleRaise, numbers: [2]int{int(s.maxHeight())}}
	}
	return s.pay(seat, riserCost*c.lots.count(), ruleRaise)
}

// apply may join the casino to higher ones of its colour, so that ties are settled as after any action.
func (a *Raise) apply(s *State, seat engine.Seat, dice *engine.Dice, log *engine.Log) {
	c, _ := s.namedCasino(a.Casino)
	cost, height := riserCost*c.lots.count(), c.height+1
	s.Players[seat].Money -= cost
	for rest := c.lots; rest != 0; rest &= rest - 1 {
		s.setTile(rest.first(), c.color, height)
	}
	log.Add("raised", ruleRaise, &Raised{seat, s.ids(c.lots), int(height), cost})
	s.settle(dice, log)
}

// offerRaises tells which casinos the raise would merge with. No die comes onto the board.
func (s *State) offerRaises(seat engine.Seat, out *offers) {
	if !s.Risers {
		return
	}
	var facts batch[Prospect]
	for i := range s.casinos {
		c := &s.casinos[i]
		if r := s.canRaise(seat, c); !r.ok() {
			continue
		}
		lots := s.joined(c.lots, c.color, c.height+1)
		prospect := s.prospect(lots, c.height+1, seat, noLot, noLot, riserCost*c.lots.count())
		out.add(&s.board.menu.raises[c.first()], facts.keep(prospect))
	}
}

package lords

import "boulevard/engine"

// remodelCost is the price per tile (Action - Remodel).
const remodelCost = 5

// Remodel changes the colour of a casino that one is the boss of (Action - Remodel).
type Remodel struct {
	_      struct{} `cbor:",toarray"`
	Casino LotID    `json:"casino"`
	Color  Color    `json:"color"`
}

// Remodeled is the event of a remodel.
type Remodeled struct {
	Seat engine.Seat `json:"seat"`
	Lots []LotID     `json:"lots"`
	// Old and Color are the tiles' colours before and after.
	Old   Color `json:"old"`
	Color Color `json:"color"`
	Cost  int   `json:"cost"`
}

// Kind is "remodel".
func (*Remodel) Kind() string { return kindRemodel }

func (a *Remodel) check(s *State, seat engine.Seat) refusal {
	c, r := s.namedCasino(a.Casino)
	if !r.ok() {
		return r
	}
	if r := s.canRemodel(seat, c); !r.ok() {
		return r
	}
	return s.canRecolor(c, a.Color)
}

// canRemodel judges the casino alone, whatever the new colour.
func (s *State) canRemodel(seat engine.Seat, c *casino) refusal {
	if r := c.bossed(seat, ruleRemodel); !r.ok() {
		return r
	}
	return s.pay(seat, remodelCost*c.lots.count(), ruleRemodel)
}

// canRecolor counts tiles only: risers have no colour (Rulings 16). The new colour's tiles must all be there at once, as
// the old ones go back afterwards.
func (s *State) canRecolor(c *casino, color Color) refusal {
	if color == c.color {
		return refuse(sameColor, ruleRemodel)
	}
	return s.tiles(color, c.lots.count())
}

// apply exchanges the tiles under the dice. What merges by it is settled at once (Reroll if Tied).
func (a *Remodel) apply(s *State, seat engine.Seat, dice *engine.Dice, log *engine.Log) {
	c, _ := s.namedCasino(a.Casino)
	cost := remodelCost * c.lots.count()
	s.Players[seat].Money -= cost
	for rest := c.lots; rest != 0; rest &= rest - 1 {
		s.setTile(rest.first(), a.Color, c.height)
	}
	log.Add("remodeled", ruleRemodel, &Remodeled{seat, s.ids(c.lots), c.color, a.Color, cost})
	s.settle(dice, log)
}

// offerRemodels tells for each colour which casinos the remodel would merge with, and who would be the boss of all.
func (s *State) offerRemodels(seat engine.Seat, out *offers) {
	var facts batch[Prospect]
	for i := range s.casinos {
		c := &s.casinos[i]
		if c.boss != seat {
			continue
		}
		if r := s.canRemodel(seat, c); !r.ok() {
			continue
		}
		for color := Aqua; color <= lastCompany; color++ {
			if r := s.canRecolor(c, color); !r.ok() {
				continue
			}
			lots := s.joined(c.lots, color, c.height)
			prospect := s.prospect(lots, c.height, seat, noLot, noLot, remodelCost*c.lots.count())
			out.add(&s.board.menu.remodels[c.first()][color], facts.keep(prospect))
		}
	}
}

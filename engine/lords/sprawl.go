package lords

import "boulevard/engine"

// riserSprawl is what each riser adds to the cost of a sprawl, and riserCost what one costs (Rulings 16).
const (
	riserSprawl = 15
	riserCost   = 15
)

// Sprawl extends a casino that one is the boss of onto a lot that nobody owns (Action - Sprawl).
type Sprawl struct {
	_ struct{} `cbor:",toarray"`
	// Casino is the first lot of the casino in the order of the board.
	Casino LotID `json:"casino"`
	Lot    LotID `json:"lot"`
	// From names the lot whose die moves here when all dice are on the board. It may be one of the casino's own.
	From LotID `json:"from,omitempty"`
}

// Kind is "sprawl".
func (*Sprawl) Kind() string { return kindSprawl }

func (a *Sprawl) check(s *State, seat engine.Seat) refusal {
	c, r := s.namedCasino(a.Casino)
	if !r.ok() {
		return r
	}
	lot, ok := s.lot(a.Lot)
	if !ok {
		return noSuchLot("lot")
	}
	if r := s.canSprawl(seat, c, lot); !r.ok() {
		return r
	}
	_, r = s.source(seat, a.From)
	return r
}

// canSprawl judges the casino as it is before a die moves: a boss may move the very die that makes him the boss.
func (s *State) canSprawl(seat engine.Seat, c *casino, lot int) refusal {
	if r := c.bossed(seat, ruleSprawl); !r.ok() {
		return r
	}
	switch {
	case s.Lots[lot].hasTile():
		return refuse(lotNotEmpty, ruleSprawl)
	case s.Lots[lot].Owner != engine.NoSeat:
		// One's own lots are no exception: they are built on.
		return refusal{why: lotOwned, rule: ruleSprawl, numbers: [2]int{int(s.Lots[lot].Owner)}}
	case s.board.near[lot]&c.lots == 0:
		return refuse(notAdjacent, ruleSprawl)
	}
	if r := s.tiles(c.color, 1); !r.ok() {
		return r
	}
	return s.pay(seat, s.sprawlCost(c, lot), ruleSprawl)
}

// sprawlCost is twice what a build costs there, and more from a raised casino (Rulings 16).
func (s *State) sprawlCost(c *casino, lot int) int {
	return 2*s.board.lots[lot].Cost + riserSprawl*int(c.height-1)
}

func (a *Sprawl) apply(s *State, seat engine.Seat, dice *engine.Dice, log *engine.Log) {
	c, _ := s.namedCasino(a.Casino)
	lot, _ := s.lot(a.Lot)
	from, _ := s.source(seat, a.From)
	// setTile and setDie leave c as it was, but settle works out the casinos anew.
	cost, color, die := s.sprawlCost(c, lot), c.color, s.board.lots[lot].Die
	s.Players[seat].Money -= cost
	s.setTile(lot, color, c.height)
	s.setDie(lot, seat, uint8(die), from)
	log.Add("sprawled", ruleSprawl, &Built{seat, a.Lot, color, die, cost, a.From})
	s.settle(dice, log)
}

// offerSprawls may offer a lot twice, where it touches two casinos of the seat: the colour and the cost can differ.
func (s *State) offerSprawls(seat engine.Seat, out *offers) {
	var room [dicePerPlayer]int
	sources := s.sources(seat, room[:0])
	var facts batch[Prospect]
	for i := range s.casinos {
		c := &s.casinos[i]
		if c.boss != seat {
			continue
		}
		for rest := s.board.neighbors(c.lots); rest != 0; rest &= rest - 1 {
			lot := rest.first()
			if r := s.canSprawl(seat, c, lot); !r.ok() {
				continue
			}
			// The new tile may bridge to further casinos, and always touches this one.
			lots := s.joined(lotBit(lot), c.color, c.height)
			for _, from := range sources {
				prospect := s.prospect(lots, c.height, seat, lot, from, s.sprawlCost(c, lot))
				out.add(&Sprawl{Casino: s.id(c.first()), Lot: s.id(lot), From: s.id(from)}, facts.keep(prospect))
			}
		}
	}
}

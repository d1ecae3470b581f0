package lords

import "boulevard/engine"

// Build places a tile and a die on a lot of one's own (Action - Build).
type Build struct {
	_     struct{} `cbor:",toarray"`
	Lot   LotID    `json:"lot"`
	Color Color    `json:"color"`
	// From names the lot whose die moves here when all dice are on the board.
	From LotID `json:"from,omitempty"`
}

// Built is the event of a build or a sprawl.
type Built struct {
	Seat  engine.Seat `json:"seat"`
	Lot   LotID       `json:"lot"`
	Color Color       `json:"color"`
	Die   int         `json:"die"`
	Cost  int         `json:"cost"`
	From  LotID       `json:"from,omitempty"`
}

// Kind is "build".
func (*Build) Kind() string { return kindBuild }

func (a *Build) check(s *State, seat engine.Seat) refusal {
	lot, ok := s.lot(a.Lot)
	if !ok {
		return noSuchLot("lot")
	}
	if r := s.canBuild(seat, lot); !r.ok() {
		return r
	}
	if r := s.tiles(a.Color, 1); !r.ok() {
		return r
	}
	_, r := s.source(seat, a.From)
	return r
}

// canBuild judges the lot alone. The colours follow, and the choice of a die, which is possible in every build or in none.
func (s *State) canBuild(seat engine.Seat, lot int) refusal {
	switch {
	case s.Lots[lot].hasTile():
		return refuse(lotNotEmpty, ruleBuild)
	case !s.Lots[lot].hasMarker(seat):
		return refuse(notYourLot, ruleBuild)
	}
	return s.pay(seat, s.board.lots[lot].Cost, ruleBuild)
}

// apply need not take the marker away: an owner is shown by a die where there is a tile, so that the marker counts as back in
// the supply as soon as the tile lies there.
func (a *Build) apply(s *State, seat engine.Seat, dice *engine.Dice, log *engine.Log) {
	lot, _ := s.lot(a.Lot)
	from, _ := s.source(seat, a.From)
	printed := s.board.lots[lot]
	s.Players[seat].Money -= printed.Cost
	s.setTile(lot, a.Color, 1)
	s.setDie(lot, seat, uint8(printed.Die), from)
	log.Add("built", ruleBuild, &Built{seat, a.Lot, a.Color, printed.Die, printed.Cost, a.From})
	s.settle(dice, log)
}

// offerBuilds lists a build in every colour on each of the seat's lots, and while no die is in the supply, one for each
// die that could move there.
func (s *State) offerBuilds(seat engine.Seat, out *offers) {
	var room [dicePerPlayer]int
	sources := s.sources(seat, room[:0])
	var facts batch[Prospect]
	for lot := range s.Lots {
		if !s.Lots[lot].hasMarker(seat) {
			continue
		}
		if r := s.canBuild(seat, lot); !r.ok() {
			continue
		}
		for color := Aqua; color <= lastCompany; color++ {
			if r := s.tiles(color, 1); !r.ok() {
				continue
			}
			lots := s.joined(lotBit(lot), color, 1)
			for _, from := range sources {
				prospect := s.prospect(lots, 1, seat, lot, from, s.board.lots[lot].Cost)
				out.add(s.build(lot, color, from), facts.keep(prospect))
			}
		}
	}
}

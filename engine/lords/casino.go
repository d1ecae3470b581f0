package lords

import "boulevard/engine"

// casino is a group of tiles of one colour and height that hang together by their edges (Who Owns What).
type casino struct {
	lots   lotSet
	color  Color
	height uint8
	// boss owns the die with the most pips, top. He is NoSeat where there is no die, or a tie is not settled yet.
	boss engine.Seat
	top  uint8
}

// first is the lot that actions name the casino by: the first in the board's order.
func (c *casino) first() int { return c.lots.first() }

// size counts the casino's tiles and risers (Points Paid; Rulings 16).
func (c *casino) size() int { return c.lots.count() * int(c.height) }

// regroup works out what follows from the lots. It is called after every change of a tile, die or marker.
func (s *State) regroup() {
	s.diceUsed, s.markersUsed = [maxSeats]uint8{}, [maxSeats]uint8{}
	s.tilesUsed = [lastCompany + 1]uint8{}
	s.casinoAt = [maxLots]uint8{}
	var tiles [lastCompany + 1]lotSet
	for i := range s.Lots {
		lot := &s.Lots[i]
		switch {
		case lot.hasTile():
			tiles[lot.Color] |= lotBit(i)
			s.tilesUsed[lot.Color]++
			if lot.Owner != engine.NoSeat {
				s.diceUsed[lot.Owner]++
			}
		case lot.Owner != engine.NoSeat:
			s.markersUsed[lot.Owner]++
		}
	}
	s.findCasinos(&tiles)
}

// findCasinos lists the casinos by their first lots, so that the order of payments and rerolls is the same on every replay.
func (s *State) findCasinos(tiles *[lastCompany + 1]lotSet) {
	s.casinos = s.casinos[:0]
	all := tiles[Aqua] | tiles[Brown] | tiles[Gold] | tiles[Purple] | tiles[Silver]
	for all != 0 {
		first := all.first()
		lot := s.Lots[first]
		c := casino{lots: s.flood(first, tiles[lot.Color]), color: lot.Color, height: lot.Height}
		c.boss, c.top = s.leader(c.lots, noLot)
		s.casinos = append(s.casinos, c)
		for rest := c.lots; rest != 0; rest &= rest - 1 {
			s.casinoAt[rest.first()] = uint8(len(s.casinos))
		}
		all &^= c.lots
	}
}

// flood is the casino around a lot, given all lots of its colour. Tiles join where they share an edge, and with risers only
// tiles of the same height do (Who Owns What; Rulings 16).
func (s *State) flood(first int, tiles lotSet) lotSet {
	if s.Risers {
		tiles = s.ofHeight(tiles, s.Lots[first].Height)
	}
	group := lotBit(first)
	for edge := group; edge != 0; {
		grown := s.board.near[edge.first()] & tiles &^ group
		group |= grown
		edge = edge&(edge-1) | grown
	}
	return group
}

func (s *State) ofHeight(tiles lotSet, height uint8) lotSet {
	var same lotSet
	for rest := tiles; rest != 0; rest &= rest - 1 {
		if lot := rest.first(); s.Lots[lot].Height == height {
			same |= lotBit(lot)
		}
	}
	return same
}

// leader is the owner of the largest die among the lots, or NoSeat where owners tie, and that die. The die on the lot
// skip is not counted. Several largest dice of one owner are no tie (Rulings 7).
func (s *State) leader(lots lotSet, skip int) (boss engine.Seat, top uint8) {
	boss = engine.NoSeat
	for rest := lots; rest != 0; rest &= rest - 1 {
		i := rest.first()
		lot := &s.Lots[i]
		switch {
		case i == skip || lot.Die < top || lot.Owner == engine.NoSeat:
		case lot.Die > top:
			boss, top = lot.Owner, lot.Die
		case lot.Owner != boss:
			boss = engine.NoSeat
		}
	}
	return boss, top
}

// casinoOf is the casino that a lot is part of, or nil.
func (s *State) casinoOf(lot int) *casino {
	if at := s.casinoAt[lot]; at > 0 {
		return &s.casinos[at-1]
	}
	return nil
}

// joined are the lots of a casino that would hold these lots in that colour and height: they and every casino that the
// change would join them to.
func (s *State) joined(lots lotSet, color Color, height uint8) lotSet {
	all := lots
	for rest := s.board.neighbors(lots); rest != 0; rest &= rest - 1 {
		if c := s.casinoOf(rest.first()); c != nil && c.color == color && c.height == height {
			all |= c.lots
		}
	}
	return all
}

// namedCasino finds the casino that an action names by its first lot.
func (s *State) namedCasino(id LotID) (*casino, refusal) {
	lot, ok := s.lot(id)
	if !ok {
		return nil, noSuchLot("casino")
	}
	c := s.casinoOf(lot)
	switch {
	case c == nil:
		return nil, refuse(noCasino, ruleOwns)
	case c.first() != lot:
		return nil, refusal{why: notFirstLot, rule: ruleOwns, name: string(s.id(c.first()))}
	case c.lots&s.unsure != 0:
		return nil, refuse(upToDice, ruleTrading)
	}
	return c, refusal{}
}

// pips is the sum of a casino's dice, which is what it costs to reorganize it.
func (s *State) pips(c *casino) int {
	sum := 0
	for rest := c.lots; rest != 0; rest &= rest - 1 {
		sum += int(s.Lots[rest.first()].Die)
	}
	return sum
}

// diceOf are the lots of a set that hold a die of the seat.
func (s *State) diceOf(lots lotSet, seat engine.Seat) lotSet {
	var own lotSet
	for rest := lots; rest != 0; rest &= rest - 1 {
		if lot := rest.first(); s.Lots[lot].hasDie(seat) {
			own |= lotBit(lot)
		}
	}
	return own
}

// bossed refuses an action at a casino of which the seat is not the boss. A casino without dice has none, so nobody can
// sprawl, remodel or raise it (Rulings 6).
func (c *casino) bossed(seat engine.Seat, rule string) refusal {
	switch c.boss {
	case seat:
		return refusal{}
	case engine.NoSeat:
		return refuse(noBoss, rule)
	default:
		return refusal{why: notBoss, rule: rule, numbers: [2]int{int(c.boss)}}
	}
}

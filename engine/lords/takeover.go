package lords

import "boulevard/engine"

// Taken is the event of a take-over: of a lot with a marker, or of a tile with a die.
type Taken struct {
	Seat engine.Seat `json:"seat"`
	Lot  LotID       `json:"lot"`
	// Die is the face on the tile taken over, 0 for a lot without a tile.
	Die int `json:"die,omitempty"`
	// Loser is who had the die before, or -1.
	Loser engine.Seat `json:"loser"`
	// From names the lot whose die moved here.
	From LotID `json:"from,omitempty"`
}

// MoveDie names the die that goes to the tile taken over when all dice are on the board (Rulings 5).
type MoveDie struct {
	_    struct{} `cbor:",toarray"`
	From LotID    `json:"from"`
}

// GiveUp names the lot that loses its marker when all markers are on the board (Rulings 5).
type GiveUp struct {
	_   struct{} `cbor:",toarray"`
	Lot LotID    `json:"lot"`
}

// GivenUp is the event of a lot given up.
type GivenUp struct {
	Seat engine.Seat `json:"seat"`
	Lot  LotID       `json:"lot"`
}

// takeOver gives the drawn lot to the seat that drew it, or asks what it needs to know first.
func (s *State) takeOver(seat engine.Seat, lot int, dice *engine.Dice, log *engine.Log) {
	switch {
	case s.Lots[lot].Owner == seat:
		// The lot changes nothing for its own owner (Rulings 5).
		s.playOn(log)
	case s.Lots[lot].hasTile() && s.diceLeft(seat) == 0:
		s.Phase = MovingDie
		s.ask(seat, dice)
	case s.Lots[lot].hasTile():
		s.takeTile(seat, lot, noLot, dice, log)
	case s.markersLeft(seat) == 0:
		s.Phase = GivingUp
		s.ask(seat, dice)
	default:
		s.takeLot(seat, lot, log)
	}
}

// takeTile puts the seat's die in place of the one on the tile, with the same face, or with the printed one where there
// is no die.
func (s *State) takeTile(seat engine.Seat, lot, from int, dice *engine.Dice, log *engine.Log) {
	loser, die := s.Lots[lot].Owner, s.Lots[lot].Die
	if die == 0 {
		die = uint8(s.board.lots[lot].Die)
	}
	s.setDie(lot, seat, die, from)
	log.Add("tile_taken", ruleTakeOver, &Taken{seat, s.id(lot), int(die), loser, s.id(from)})
	s.settle(dice, log)
	s.playOn(log)
}

// takeLot puts the seat's marker on a lot without a tile. There is no tie to settle: markers are in no casino.
func (s *State) takeLot(seat engine.Seat, lot int, log *engine.Log) {
	loser := s.Lots[lot].Owner
	s.setMarker(lot, seat)
	s.regroup()
	log.Add("lot_taken", ruleTakeOver, &Taken{Seat: seat, Lot: s.id(lot), Loser: loser})
	s.playOn(log)
}

// drawnLot is the lot of the card drawn last.
func (s *State) drawnLot() int { return s.board.cards[s.Card].lot }

// Kind is "move-die".
func (*MoveDie) Kind() string { return kindMoveDie }

// check relies on the supply being empty, without which there is no such prompt.
func (a *MoveDie) check(s *State, seat engine.Seat) refusal {
	_, r := s.source(seat, a.From)
	return r
}

// apply goes on where the draw stopped: with the take-over, and then with the payments.
func (a *MoveDie) apply(s *State, seat engine.Seat, dice *engine.Dice, log *engine.Log) {
	from, _ := s.source(seat, a.From)
	s.answered(seat)
	s.takeTile(seat, s.drawnLot(), from, dice, log)
}

func (s *State) offerMoveDice(seat engine.Seat, out *offers) {
	for lot := range s.Lots {
		if s.Lots[lot].hasDie(seat) {
			out.add(&MoveDie{From: s.id(lot)}, nil)
		}
	}
}

// defaultMoveDie moves the die with the fewest pips.
func (s *State) defaultMoveDie(seat engine.Seat) *MoveDie {
	least := noLot
	for lot := range s.Lots {
		if s.Lots[lot].hasDie(seat) && (least == noLot || s.Lots[lot].Die < s.Lots[least].Die) {
			least = lot
		}
	}
	return &MoveDie{From: s.id(least)}
}

// Kind is "give-up".
func (*GiveUp) Kind() string { return kindGiveUp }

func (a *GiveUp) check(s *State, seat engine.Seat) refusal {
	lot, ok := s.lot(a.Lot)
	switch {
	case !ok:
		return noSuchLot("lot")
	case !s.Lots[lot].hasMarker(seat):
		return refuse(notYourLot, ruleTakeOver)
	}
	return refusal{}
}

// apply goes on where the draw stopped. The new lot is taken after the old one is given up, as the marker is needed.
func (a *GiveUp) apply(s *State, seat engine.Seat, _ *engine.Dice, log *engine.Log) {
	lot, _ := s.lot(a.Lot)
	s.setMarker(lot, engine.NoSeat)
	s.answered(seat)
	log.Add("lot_given_up", ruleTakeOver, &GivenUp{seat, a.Lot})
	s.takeLot(seat, s.drawnLot(), log)
}

func (s *State) offerGiveUps(seat engine.Seat, out *offers) {
	for lot := range s.Lots {
		if s.Lots[lot].hasMarker(seat) {
			out.add(&GiveUp{Lot: s.id(lot)}, nil)
		}
	}
}

// defaultGiveUp gives up the lot that is cheapest to build on.
func (s *State) defaultGiveUp(seat engine.Seat) *GiveUp {
	least := noLot
	for lot := range s.Lots {
		if s.Lots[lot].hasMarker(seat) && (least == noLot || s.board.lots[lot].Cost < s.board.lots[least].Cost) {
			least = lot
		}
	}
	return &GiveUp{Lot: s.id(least)}
}

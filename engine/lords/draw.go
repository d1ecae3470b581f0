package lords

import "boulevard/engine"

// Draw takes the turn's card and all that follows from it (Step 1: Draw).
type Draw struct {
	_ struct{} `cbor:",toarray"`
}

// Drawn is the event of a drawn card. The End of Game card has no lot.
type Drawn struct {
	Seat  engine.Seat `json:"seat"`
	Lot   LotID       `json:"lot,omitempty"`
	Color Color       `json:"color"`
	End   bool        `json:"end,omitempty"`
	Left  int         `json:"left"`
}

// Kind is "draw".
func (*Draw) Kind() string { return kindDraw }

func (*Draw) check(s *State, _ engine.Seat) refusal {
	if s.Phase != Drawing {
		return refuse(alreadyDrawn, ruleDraw)
	}
	return refusal{}
}

// apply draws until a card ends the step. It stops early where the take-over needs an answer: the drawn card stays in the
// state, and the answer goes on from there.
func (*Draw) apply(s *State, seat engine.Seat, dice *engine.Dice, log *engine.Log) {
	for s.Phase == Drawing {
		s.drawCard(seat, log)
		lot := s.board.cards[s.Card].lot
		switch {
		case s.Card == s.board.end:
			s.payCard(log)
			s.finish(log)
		case s.closed(lot):
			// Nothing is taken over, and the player draws on (2-Player Rules).
			s.payCard(log)
		default:
			s.takeOver(seat, lot, dice, log)
		}
	}
}

// drawCard moves the top card to the discards, which are all the cards that are not in the deck.
func (s *State) drawCard(seat engine.Seat, log *engine.Log) {
	top := len(s.Deck) - 1
	s.Card, s.Deck = s.Deck[top], s.Deck[:top]
	card := s.board.cards[s.Card]
	log.Add("card_drawn", ruleDraw, &Drawn{
		Seat: seat, Lot: s.id(card.lot), Color: card.color, End: s.Card == s.board.end, Left: top,
	})
}

func (s *State) offerDraw(_ engine.Seat, out *offers) { out.add(new(Draw), nil) }

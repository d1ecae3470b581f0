package lords

import (
	"errors"
	"fmt"
	"slices"

	"boulevard/engine"
)

// maxMoney bounds what a decoded state may hold: more than any game pays, and far from overflow.
const maxMoney = 1 << 24

// validate reports why a decoded state cannot be played on, and works out what follows from it. Each step may rely on
// those before it.
func (s *State) validate(b *board) error {
	s.board = b
	for _, step := range []func() error{
		s.validatePlayers, s.validateLots, s.validateDeck, s.validateSupplies, s.validateBosses, s.validatePhase, s.validateDeals,
	} {
		if err := step(); err != nil {
			return fmt.Errorf("lords: %w", err)
		}
	}
	return nil
}

// validatePlayers comes first: all other steps index players by seat.
func (s *State) validatePlayers() error {
	if n := len(s.Players); n < 2 || n > maxSeats {
		return errors.New("wrong number of players")
	}
	for _, p := range s.Players {
		if p.Money < 0 || p.Money > maxMoney || !slices.Contains(s.board.track, p.Points) {
			return errors.New("impossible money or points")
		}
	}
	if !s.Turn.In(len(s.Players)) {
		return errors.New("nobody's turn")
	}
	return nil
}

// validateLots checks each lot by itself, so that regroup can count and group them.
func (s *State) validateLots() error {
	if len(s.Lots) != len(s.board.lots) {
		return errors.New("wrong number of lots")
	}
	for i, lot := range s.Lots {
		owned := lot.Owner != engine.NoSeat
		tile := lot.hasTile()
		switch {
		case owned && !lot.Owner.In(len(s.Players)),
			tile && !lot.Color.company(),
			tile && (lot.Height < 1 || lot.Height > s.maxHeight()),
			!tile && lot.Height != 0,
			(lot.Die > 0) != (tile && owned) || lot.Die > 6,
			s.closed(i) && (tile || owned):
			return fmt.Errorf("impossible lot %s", s.id(i))
		}
	}
	return nil
}

// validateDeck wants the End of Game card in the deck or drawn, since without it a draw could find no card.
func (s *State) validateDeck() error {
	var seen [256]bool
	if s.Card != noCard {
		if int(s.Card) >= len(s.board.cards) {
			return errors.New("unknown card drawn")
		}
		seen[s.Card] = true
	}
	for _, card := range s.Deck {
		if int(card) >= len(s.board.cards) || seen[card] {
			return errors.New("impossible deck")
		}
		seen[card] = true
	}
	if !seen[s.board.end] {
		return errors.New("no End of Game card")
	}
	if drawn := s.Card == s.board.end; drawn && s.Phase != Over {
		return errors.New("no end after the End of Game card")
	}
	return nil
}

// validateSupplies works out the casinos too, on which the remaining steps rely.
func (s *State) validateSupplies() error {
	s.regroup()
	for seat := range engine.Seat(len(s.Players)) {
		if s.diceLeft(seat) < 0 || s.markersLeft(seat) < 0 {
			return errors.New("too many dice or markers")
		}
	}
	for color := Aqua; color <= lastCompany; color++ {
		if s.tilesLeft(color) < 0 {
			return errors.New("too many tiles")
		}
	}
	return nil
}

// validateBosses allows a tie only while dice are placed, since it is settled after that.
func (s *State) validateBosses() error {
	for _, c := range s.casinos {
		if c.boss == engine.NoSeat && c.top > 0 && s.Phase != Placing {
			return errors.New("two bosses")
		}
	}
	for rest := s.Rerolled; rest != 0; rest &= rest - 1 {
		if lot := rest.first(); lot >= len(s.Lots) || s.Lots[lot].Die == 0 {
			return errors.New("impossible reorganization")
		}
	}
	return nil
}

// validatePhase checks that exactly those prompts are open that the phase is about.
func (s *State) validatePhase() error {
	if int(s.Phase) >= len(offered) {
		return errors.New("unknown phase")
	}
	if int(s.Casino) >= len(s.Lots) {
		return errors.New("unknown casino")
	}
	if s.Phase != LayingOff && s.Bet != 0 || s.Phase != LayingOff && s.Phase != Placing && s.Casino != 0 {
		return errors.New("a bet or casino that nobody is asked about")
	}
	if s.Phase == Drawing && (s.Gambled || s.Rerolled != 0) {
		return errors.New("actions before the draw")
	}
	return s.validateAsks()
}

// validateAsks checks that the phase has prompts if and only if it asks something, each of a seat that it would ask.
func (s *State) validateAsks() error {
	last := engine.PromptID(0)
	for i, a := range s.Asks {
		twice := slices.ContainsFunc(s.Asks[:i], func(b Ask) bool { return a.Seat == b.Seat })
		if a.ID <= last || a.ID.Seat() != a.Seat || twice || !s.askable(a.Seat) {
			return errors.New("impossible prompt")
		}
		last = a.ID
	}
	if len(s.Asks) == 0 && promptOf[s.Phase] != "" {
		return errors.New("wrong number of prompts")
	}
	return nil
}

// asksSeat tells of each phase whether it would ask a seat; the others ask nobody.
var asksSeat = [...]func(s *State, seat engine.Seat) bool{
	MovingDie: (*State).lacksDie,
	GivingUp:  (*State).lacksMarker,
	LayingOff: (*State).hasBet,
	Placing:   (*State).hasToPlace,
	Over:      nil,
}

// askable reports whether the phase asks that seat.
func (s *State) askable(seat engine.Seat) bool {
	ask := asksSeat[s.Phase]
	return ask != nil && seat.In(len(s.Players)) && ask(s, seat)
}

// lacksDie reports whether the seat drew a tile that it has no die for (Rulings 5).
func (s *State) lacksDie(seat engine.Seat) bool {
	return seat == s.Turn && s.drewLot() && s.Lots[s.drawnLot()].hasTile() && s.diceLeft(seat) == 0
}

// lacksMarker reports whether the seat drew a lot that it has no marker for (Rulings 5).
func (s *State) lacksMarker(seat engine.Seat) bool {
	return seat == s.Turn && s.drewLot() && !s.Lots[s.drawnLot()].hasTile() && s.markersLeft(seat) == 0
}

// hasBet reports whether the seat is the boss where another can have made that bet (Action - Gamble).
func (s *State) hasBet(seat engine.Seat) bool {
	c := s.askedAbout()
	return c != nil && seat == c.boss && seat != s.Turn && s.Gambled &&
		s.Bet >= 1 && s.Bet <= min(betPerTile*c.size(), s.Players[s.Turn].Money)
}

// hasToPlace reports whether it matters where the seat's reorganized dice go (Rulings 9).
func (s *State) hasToPlace(seat engine.Seat) bool {
	c := s.askedAbout()
	return c != nil && s.canPlace(c, seat)
}

// askedAbout is the casino that the state names, or nil if it has none by that lot: casinos go by their first lot only.
func (s *State) askedAbout() *casino {
	c := s.casinoOf(int(s.Casino))
	if c == nil || c.first() != int(s.Casino) {
		return nil
	}
	return c
}

// drewLot reports whether the card drawn last names a lot that is not the drawing player's already.
func (s *State) drewLot() bool {
	return s.Card != noCard && s.drawnLot() != noLot && s.Lots[s.drawnLot()].Owner != s.Turn && !s.closed(s.drawnLot())
}

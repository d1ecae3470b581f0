package lords

import "boulevard/engine"

// What each player and each company has (Components).
const (
	dicePerPlayer    = 12
	markersPerPlayer = 10
	tilesPerColor    = 9
	maxSeats         = 6
)

// Phase is the step that the turn is at.
type Phase uint8

const (
	// Drawing waits for the turn's card (On Every Turn, step 1).
	Drawing Phase = iota
	// MovingDie asks the drawing player which of his dice goes to the tile he takes over.
	MovingDie
	// GivingUp asks the drawing player which lot he gives up for the one he takes over.
	GivingUp
	// Playing takes the turn's actions (On Every Turn, step 2).
	Playing
	// LayingOff asks a boss whether he lays off half of a bet.
	LayingOff
	// Placing asks owners to put reorganized dice in their tiles.
	Placing
	// Over is the end.
	Over
)

// State is a table of Lords of Vegas. Everything but Deck is known to all: the deck's order is nobody's.
type State struct {
	derived `cbor:"-"`

	Players []Player `cbor:"1,keyasint"`
	// Lots are in the order of the board.
	Lots []Lot `cbor:"2,keyasint"`
	// Deck is the draw pile, the top card last. All other cards are discarded.
	Deck []Card `cbor:"3,keyasint"`
	// Risers tells whether casinos can be raised.
	Risers bool        `cbor:"4,keyasint,omitempty"`
	Turn   engine.Seat `cbor:"5,keyasint"`
	Phase  Phase       `cbor:"6,keyasint"`
	// Card is the one drawn last, or noCard.
	Card    Card `cbor:"7,keyasint"`
	Gambled bool `cbor:"8,keyasint,omitempty"`
	// Rerolled are the lots with dice that were reorganized this turn.
	Rerolled lotSet `cbor:"9,keyasint,omitempty"`
	// Casino is the first lot of the casino that is gambled at or reorganized while prompts about it are open.
	Casino uint8 `cbor:"10,keyasint,omitempty"`
	Bet    int   `cbor:"11,keyasint,omitempty"`
	// Asks are the open prompts, whose kind follows from Phase.
	Asks []Ask `cbor:"12,keyasint,omitempty"`
	// Deals are the open deals, the oldest first.
	Deals []Deal `cbor:"13,keyasint,omitempty"`
}

// Player is what a seat has besides its lots and dice.
type Player struct {
	_      struct{} `cbor:",toarray"`
	Money  int
	Points int
}

// Lot is a space of the board. A lot without a tile that has an owner holds his marker; a tile that has an owner holds
// his die; a tile without an owner has no die.
type Lot struct {
	_     struct{} `cbor:",toarray"`
	Owner engine.Seat
	// Color is that of the tile, or Plain.
	Color Color
	// Die is the face that shows, 0 without a die.
	Die uint8
	// Height is the tile and the risers under it, 0 without a tile.
	Height uint8
}

// Ask is an open prompt.
type Ask struct {
	_    struct{} `cbor:",toarray"`
	ID   engine.PromptID
	Seat engine.Seat
}

// derived is what follows from the rest of the state. regroup works it out after every change; it is never encoded.
type derived struct {
	board   *board
	casinos []casino
	// casinoAt is one more than the place in casinos of each lot's casino, 0 for a lot without a tile.
	casinoAt [maxLots]uint8
	// diceUsed and markersUsed are by seat, tilesUsed by colour.
	diceUsed, markersUsed [maxSeats]uint8
	tilesUsed             [lastCompany + 1]uint8
	// unsure are the lots of casinos whose tied dice a trial of a deal has left as they are: nobody knows their bosses.
	unsure lotSet
	// scratch is room to collect choices in.
	scratch offers
}

func (l Lot) hasTile() bool                    { return l.Color != Plain }
func (l Lot) hasDie(seat engine.Seat) bool     { return l.Color != Plain && l.Owner == seat }
func (l Lot) hasMarker(seat engine.Seat) bool  { return l.Color == Plain && l.Owner == seat }
func (s *State) diceLeft(seat engine.Seat) int { return dicePerPlayer - int(s.diceUsed[seat]) }

func (s *State) markersLeft(seat engine.Seat) int { return markersPerPlayer - int(s.markersUsed[seat]) }

func (s *State) tilesLeft(color Color) int { return tilesPerColor - int(s.tilesUsed[color]) }

// lot finds a lot by its printed name.
func (s *State) lot(id LotID) (int, bool) {
	lot, ok := s.board.index[id]
	return lot, ok
}

func (s *State) id(lot int) LotID {
	if lot == noLot {
		return ""
	}
	return s.board.lots[lot].ID
}

func (s *State) ids(set lotSet) []LotID {
	ids := make([]LotID, 0, set.count())
	for rest := set; rest != 0; rest &= rest - 1 {
		ids = append(ids, s.id(rest.first()))
	}
	return ids
}

// setMarker puts a player's marker on a lot without a tile, in place of whatever marker is there.
func (s *State) setMarker(lot int, seat engine.Seat) { s.Lots[lot].Owner = seat }

// Dice, markers and tiles are not counted in the state but derived from the lots, so these three are all that keeps the
// supplies right, however a thing changes hands.

// setDie puts a player's die on a tile, in place of whatever die is there. It comes from the lot from, whose tile stays
// without an owner, or from his supply (Step 2: Play, Available Dice).
func (s *State) setDie(lot int, seat engine.Seat, pips uint8, from int) {
	s.Rerolled &^= lotBit(lot)
	if from != noLot {
		s.Lots[from].Owner, s.Lots[from].Die = engine.NoSeat, 0
		// The mark belongs to the die: no die may be rerolled twice in a turn.
		if s.Rerolled.has(from) {
			s.Rerolled = s.Rerolled&^lotBit(from) | lotBit(lot)
		}
	}
	s.Lots[lot].Owner, s.Lots[lot].Die = seat, pips
}

// setTile puts a tile on a lot, in place of whatever tile is there.
func (s *State) setTile(lot int, color Color, height uint8) {
	s.Lots[lot].Color, s.Lots[lot].Height = color, height
}

// closed reports whether a lot is out of the game: the F block with two players (2-Player Rules).
func (s *State) closed(lot int) bool {
	return len(s.Players) == 2 && lot != noLot && s.board.lots[lot].ID[0] == 'F'
}

// inDeck are the lots whose card is still to come.
func (s *State) inDeck() lotSet {
	var set lotSet
	for _, card := range s.Deck {
		if lot := s.board.cards[card].lot; lot != noLot {
			set |= lotBit(lot)
		}
	}
	return set
}

// maxHeight is how high a casino can be raised, the tile included (Rulings 16).
func (s *State) maxHeight() uint8 {
	if !s.Risers {
		return 1
	}
	return uint8(len(s.Players))
}

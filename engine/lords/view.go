package lords

import "boulevard/engine"

// phaseNames are what clients call the phases.
var phaseNames = [...]string{
	Drawing: "draw", MovingDie: kindMoveDie, GivingUp: kindGiveUp, Playing: "play", LayingOff: kindLayOff,
	Placing: promptPlace, Over: "over",
}

// View is the table as a seat sees it: everything but the order of the deck. Seats that are -1 are nobody's.
type View struct {
	// You is the seat that looks, -1 for a spectator.
	You       engine.Seat   `json:"you"`
	Turn      engine.Seat   `json:"turn"`
	Phase     string        `json:"phase"`
	Gambled   bool          `json:"gambled"`
	Street    string        `json:"street"`
	Risers    bool          `json:"risers"`
	MaxHeight int           `json:"max_height"`
	Track     []int         `json:"track"`
	Faces     []Face        `json:"faces"`
	Players   []PlayerView  `json:"players"`
	Lots      []LotView     `json:"lots"`
	Casinos   []CasinoView  `json:"casinos"`
	Companies []CompanyView `json:"companies"`
	// Strip is what a Pay The Strip card would pay.
	Strip CompanyView `json:"strip"`
	// Card is the one drawn last, and Deck the number of cards left.
	Card     *CardView  `json:"card,omitempty"`
	Deck     int        `json:"deck"`
	Discards []CardView `json:"discards"`
	Bet      *BetPlaced `json:"bet,omitempty"`
	// Deals are the open deals, the oldest first.
	Deals []DealView `json:"deals,omitempty"`
}

// Face is a side of a die.
type Face struct {
	Pips  int    `json:"pips"`
	Name  string `json:"name"`
	Glyph string `json:"glyph"`
}

// PlayerView is what a player has.
type PlayerView struct {
	Color  string `json:"color"`
	Glyph  string `json:"glyph"`
	Money  int    `json:"money"`
	Points int    `json:"points"`
	// Next is the next space of the scoring track.
	Next    int `json:"next"`
	Dice    int `json:"dice"`
	Markers int `json:"markers"`
}

// LotView is a lot with what lies on it. An owner without a tile has his marker there.
type LotView struct {
	LotInfo
	Owner engine.Seat `json:"owner"`
	Tile  string      `json:"tile,omitempty"`
	// Pips is the face of the die on the tile; Die is the printed one.
	Pips   int `json:"pips,omitempty"`
	Height int `json:"height,omitempty"`
	// Drawn tells whether the lot's card is out of the deck: whether the lot is safe from being taken over.
	Drawn bool `json:"drawn"`
	// Reorganized marks a die that was reorganized this turn.
	Reorganized bool `json:"reorganized,omitempty"`
	Closed      bool `json:"closed,omitempty"`
}

// CasinoView is a casino with what can be done with it.
type CasinoView struct {
	Lots   []LotID     `json:"lots"`
	Color  string      `json:"color"`
	Height int         `json:"height"`
	Size   int         `json:"size"`
	Boss   engine.Seat `json:"boss"`
	Strip  bool        `json:"strip"`
	// Money is what it would pay by seat, and Points what its boss would be paid before breaks.
	Money  []int `json:"money"`
	Points int   `json:"points"`
	// Reorganize, Remodel and Raise are the costs; Bet is the greatest bet there.
	Reorganize int `json:"reorganize"`
	Remodel    int `json:"remodel"`
	Raise      int `json:"raise,omitempty"`
	Bet        int `json:"bet"`
}

// CompanyView is a company, or The Strip, with what its card would pay.
type CompanyView struct {
	Color string `json:"color"`
	Name  string `json:"name"`
	Glyph string `json:"glyph"`
	// Tiles and Cards are how many are left.
	Tiles int `json:"tiles"`
	Cards int `json:"cards"`
	// Money and Points are what the card would pay by seat, points after breaks.
	Money  []int `json:"money"`
	Points []int `json:"points"`
}

// CardView is a property card.
type CardView struct {
	Lot   LotID  `json:"lot,omitempty"`
	Color string `json:"color"`
	End   bool   `json:"end,omitempty"`
}

// view copies what may be known, which is all but the order of Deck: the deck is only counted.
func (s *State) view(seat engine.Seat) *View {
	v := &View{
		You: seat, Turn: s.Turn, Phase: phaseNames[s.Phase], Gambled: s.Gambled, Street: s.board.street,
		Risers: s.Risers, MaxHeight: int(s.maxHeight()), Track: s.board.track, Faces: faces[:],
		Players: s.playerViews(), Lots: s.lotViews(), Casinos: s.casinoViews(), Deck: len(s.Deck), Deals: s.dealViews(),
	}
	if s.Phase == Over {
		v.Turn = engine.NoSeat
	}
	s.viewCards(v)
	if s.Phase == LayingOff {
		c := s.casinoOf(int(s.Casino))
		v.Bet = &BetPlaced{Seat: s.Turn, Casino: s.id(c.first()), Boss: c.boss, Bet: s.Bet}
	}
	return v
}

// playerViews hides nothing: money, dice and markers are in the open.
func (s *State) playerViews() []PlayerView {
	views := make([]PlayerView, len(s.Players))
	for i, p := range s.Players {
		seat := engine.Seat(i)
		views[i] = PlayerView{
			Color: players[i].color, Glyph: players[i].glyph, Money: p.Money, Points: p.Points,
			Next: s.board.nextSpace(p.Points), Dice: s.diceLeft(seat), Markers: s.markersLeft(seat),
		}
	}
	return views
}

// nextSpace is the space of the track after one, or the last.
func (b *board) nextSpace(points int) int {
	for _, space := range b.track {
		if space > points {
			return space
		}
	}
	return points
}

// lotViews tells which cards are out of the deck: the discards lie open on the board (Setting Up).
func (s *State) lotViews() []LotView {
	views := make([]LotView, len(s.Lots))
	inDeck := s.inDeck()
	for i, lot := range s.Lots {
		views[i] = LotView{
			LotInfo: s.board.lots[i], Owner: lot.Owner, Tile: lot.Color.String(), Pips: int(lot.Die), Height: int(lot.Height),
			Drawn: !inDeck.has(i), Reorganized: s.Rerolled.has(i), Closed: s.closed(i),
		}
	}
	return views
}

// casinoViews tells what each casino pays and costs, so that clients need no rules to explain it.
func (s *State) casinoViews() []CasinoView {
	views := make([]CasinoView, len(s.casinos))
	money := make([]int, len(s.casinos)*len(s.Players))
	for i := range s.casinos {
		c := &s.casinos[i]
		paid := money[i*len(s.Players):][:len(s.Players)]
		s.moneyPaid(c, paid)
		views[i] = CasinoView{
			Lots: s.ids(c.lots), Color: c.color.String(), Height: int(c.height), Size: c.size(), Boss: c.boss,
			Strip: c.lots&s.board.strip != 0, Money: paid, Points: c.size(),
			Reorganize: s.pips(c), Remodel: remodelCost * c.lots.count(), Bet: betPerTile * c.size(),
		}
		if s.Risers && c.height < s.maxHeight() {
			views[i].Raise = riserCost * c.lots.count()
		}
	}
	return views
}

// viewCards shows the cards that are out of the deck, in the order of the board, and what is left of each colour.
func (s *State) viewCards(v *View) {
	var left [Strip + 1]int
	var inDeck [256]bool
	for _, card := range s.Deck {
		inDeck[card] = true
		left[s.board.cards[card].color]++
	}
	v.Discards = make([]CardView, 0, len(s.board.cards))
	for i := range s.board.cards {
		if !inDeck[i] {
			v.Discards = append(v.Discards, *s.cardView(Card(i)))
		}
	}
	if s.Card != noCard {
		v.Card = s.cardView(s.Card)
	}
	v.Companies = make([]CompanyView, 0, lastCompany)
	for color := Aqua; color <= lastCompany; color++ {
		v.Companies = append(v.Companies, s.companyView(color, s.tilesLeft(color), left[color]))
	}
	v.Strip = s.companyView(Strip, 0, left[Strip])
}

func (s *State) cardView(card Card) *CardView {
	printed := s.board.cards[card]
	return &CardView{Lot: s.id(printed.lot), Color: printed.color.String(), End: card == s.board.end}
}

// companyView tells what a card of that colour would pay.
func (s *State) companyView(color Color, tiles, cards int) CompanyView {
	numbers := make([]int, 2*len(s.Players))
	v := CompanyView{
		Color: companies[color].color, Name: companies[color].name, Glyph: companies[color].glyph, Tiles: tiles, Cards: cards,
		Money: numbers[:len(s.Players)], Points: numbers[len(s.Players):],
	}
	// Points are taken casino by casino, as payCasino does, for each stops at breaks (Scoring).
	for _, i := range s.paying(color, make([]int, 0, maxLots)) {
		c := &s.casinos[i]
		s.moneyPaid(c, v.Money)
		if c.boss != engine.NoSeat {
			at := s.Players[c.boss].Points
			v.Points[c.boss] = s.board.score(at+v.Points[c.boss], c.size()) - at
		}
	}
	return v
}

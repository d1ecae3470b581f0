package lords

import (
	"slices"

	"boulevard/engine"
)

// winningPoints is the end of the track, which ends the game (Winning).
const winningPoints = 90

// LotsPaid is the event of the payment of lots: dollars by seat.
type LotsPaid struct {
	Money []int `json:"money"`
}

// CasinoPaid is the event of a casino's payment.
type CasinoPaid struct {
	// Casino is the casino's first lot.
	Casino LotID `json:"casino"`
	Color  Color `json:"color"`
	// Money is by seat.
	Money []int `json:"money"`
	// Boss is paid Points, one for each tile and riser, which brings his chip to Total.
	Boss   engine.Seat `json:"boss"`
	Points int         `json:"points"`
	Total  int         `json:"total"`
}

// payCard pays what the drawn card calls for (Owned Lots Pay, Casinos Pay). The End of Game card is of the colour that pays
// The Strip, and ends the game by itself.
func (s *State) payCard(log *engine.Log) {
	s.payLots(log)
	color := s.board.cards[s.Card].color
	for _, i := range s.paying(color, make([]int, 0, maxLots)) {
		s.payCasino(&s.casinos[i], log)
	}
	if s.Card != s.board.end && s.most() >= winningPoints {
		s.finish(log)
	}
}

// payLots pays for markers only: a tile's owner is paid by its casino.
func (s *State) payLots(log *engine.Log) {
	money := make([]int, len(s.Players))
	for seat := range s.Players {
		money[seat] = int(s.markersUsed[seat])
		s.Players[seat].Money += money[seat]
	}
	log.Add("lots_paid", ruleLotsPay, &LotsPaid{money})
}

// paying are the casinos that a card of that colour pays, the smallest first (Scoring; Rulings 11).
func (s *State) paying(color Color, room []int) []int {
	for i := range s.casinos {
		c := &s.casinos[i]
		if c.top > 0 && (c.color == color || color == Strip && c.lots&s.board.strip != 0) {
			room = append(room, i)
		}
	}
	slices.SortStableFunc(room, func(a, b int) int { return s.casinos[a].size() - s.casinos[b].size() })
	return room
}

// payCasino records one casino's points before the next one pays, since each stops at breaks by itself (Rulings 11).
func (s *State) payCasino(c *casino, log *engine.Log) {
	money := make([]int, len(s.Players))
	s.moneyPaid(c, money)
	for seat, amount := range money {
		s.Players[seat].Money += amount
	}
	boss := &s.Players[c.boss]
	boss.Points = s.board.score(boss.Points, c.size())
	log.Add("casino_paid", ruleCasinosPay, &CasinoPaid{s.id(c.first()), c.color, money, c.boss, c.size(), boss.Points})
}

// moneyPaid adds a dollar for each pip to the owner of each of a casino's dice (Money Paid).
func (s *State) moneyPaid(c *casino, money []int) {
	for rest := c.lots; rest != 0; rest &= rest - 1 {
		if lot := &s.Lots[rest.first()]; lot.Owner != engine.NoSeat {
			money[lot.Owner] += int(lot.Die)
		}
	}
}

// score is where the chip goes from a space with that many points: it stops before a break that they do not bridge, and
// the rest is lost (Scoring).
func (b *board) score(from, points int) int {
	to := from
	for _, space := range b.track {
		if space > to && space <= from+points {
			to = space
		}
	}
	return to
}

// most is the points of the leader.
func (s *State) most() int {
	most := 0
	for _, p := range s.Players {
		most = max(most, p.Points)
	}
	return most
}

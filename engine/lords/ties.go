package lords

import "boulevard/engine"

// Rerolled is the event of the reroll of tied largest dice.
type Rerolled struct {
	// Casino is the casino's first lot. Lots are those of the rerolled dice, and Dice the new faces in that order.
	Casino LotID   `json:"casino"`
	Lots   []LotID `json:"lots"`
	Tied   int     `json:"tied"`
	Dice   []int   `json:"dice"`
}

// settle works out the casinos after a change, and rerolls tied largest dice until each casino has one boss (After Each
// Action: Reroll if Tied; Rulings 6 and 7). A trial, which has no dice, only notes whose boss they would decide.
func (s *State) settle(dice *engine.Dice, log *engine.Log) {
	s.regroup()
	for i := range s.casinos {
		c := &s.casinos[i]
		if dice == nil && c.boss == engine.NoSeat && c.top > 0 {
			s.unsure |= c.lots
			continue
		}
		for c.boss == engine.NoSeat && c.top > 0 {
			s.reroll(c, dice, log)
			c.boss, c.top = s.leader(c.lots, noLot)
		}
	}
}

// reroll rolls all of the largest dice, also several of one owner. Tie rerolls leave no mark: they do not count as
// reorganized (Rulings 8).
func (s *State) reroll(c *casino, dice *engine.Dice, log *engine.Log) {
	event := &Rerolled{Casino: s.id(c.first()), Tied: int(c.top)}
	for rest := c.lots; rest != 0; rest &= rest - 1 {
		lot := rest.first()
		if s.Lots[lot].Die != c.top {
			continue
		}
		die := dice.Die()
		event.Lots, event.Dice = append(event.Lots, s.id(lot)), append(event.Dice, die)
		s.Lots[lot].Die = uint8(die)
	}
	log.Add("ties_rerolled", ruleTies, event)
}

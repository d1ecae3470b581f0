package lords

import "boulevard/engine"

// CasinoChanged is the event of a casino that has other lots, another size or another boss than before an action.
type CasinoChanged struct {
	// Casino is the casino's first lot.
	Casino LotID       `json:"casino"`
	Lots   []LotID     `json:"lots"`
	Color  Color       `json:"color"`
	Size   int         `json:"size"`
	Boss   engine.Seat `json:"boss"`
	// WasBoss was the boss of the casino before, or of the largest one that has become a part of it; -1 if there was none.
	WasBoss engine.Seat `json:"was_boss"`
}

// logCasinos tells which casinos an action has changed.
func (s *State) logCasinos(before *memory, log *engine.Log) {
	for i := range s.casinos {
		c := &s.casinos[i]
		was := before.at(c.first())
		if was != nil && was.lots == c.lots && was.boss == c.boss && was.height == c.height {
			continue
		}
		event := &CasinoChanged{
			Casino: s.id(c.first()), Lots: s.ids(c.lots), Color: c.color, Size: c.size(), Boss: c.boss, WasBoss: engine.NoSeat,
		}
		if was = before.largest(c.lots); was != nil {
			event.WasBoss = was.boss
		}
		log.AddNews(event.news(), "casino_changed", ruleOwns, event)
	}
}

// news concerns the boss in whose place another is now.
func (e *CasinoChanged) news() engine.News {
	if e.WasBoss == engine.NoSeat || e.Boss == engine.NoSeat || e.WasBoss == e.Boss {
		return engine.News{}
	}
	return engine.News{Kind: engine.TakenOver, To: engine.Only(e.WasBoss)}
}

// at is the casino that a lot was part of, or nil.
func (m *memory) at(lot int) *casino {
	if at := m.casinoAt[lot]; at > 0 {
		return &m.casinos[at-1]
	}
	return nil
}

// largest is the largest casino that those lots were part of, the first of several, or nil.
func (m *memory) largest(lots lotSet) *casino {
	var largest *casino
	for rest := lots; rest != 0; rest &= rest - 1 {
		if c := m.at(rest.first()); c != nil && (largest == nil || c.size() > largest.size()) {
			largest = c
		}
	}
	return largest
}

package lords

import "boulevard/engine"

// Why deals lapse.
const (
	lapsedMoved = "moved"
	lapsedTurn  = "turn_ended"
	lapsedOver  = "game_over"
)

// DealLapsed is the event of a deal that is off the table without anybody's doing.
type DealLapsed struct {
	Deal    uint32        `json:"deal"`
	Parties []engine.Seat `json:"parties"`
	// Reason is "moved", "turn_ended" or "game_over".
	Reason string `json:"reason"`
	// Lot is the one that moved, or whose die did.
	Lot LotID `json:"lot,omitempty"`
}

// memory is what must be known of the table before an action to tell what it has changed.
type memory struct {
	turn     engine.Seat
	lots     [maxLots]Lot
	casinos  [maxLots]casino
	casinoAt [maxLots]uint8
}

func (s *State) remember() (m memory) {
	m.turn, m.casinoAt = s.Turn, s.casinoAt
	copy(m.casinos[:], s.casinos)
	copy(m.lots[:], s.Lots)
	return m
}

// lapse takes deals off the table that are no longer what was proposed (Rulings 14). A die counts as moved also when it shows
// another face: it is worth something else.
func (s *State) lapse(before *memory, log *engine.Log) {
	for i := 0; i < len(s.Deals); {
		deal := &s.Deals[i]
		event := &DealLapsed{Deal: deal.Version, Parties: deal.Steps.parties(before.turn).list()}
		switch moved := s.moved(deal, before); {
		case s.Phase == Over:
			event.Reason = lapsedOver
		case s.Turn != before.turn:
			event.Reason = lapsedTurn
		case moved != noLot:
			event.Reason, event.Lot = lapsedMoved, s.id(moved)
		default:
			i++
			continue
		}
		log.AddNews(engine.News{Kind: engine.DealOff, To: engine.Only(event.Parties...)}, "deal_lapsed", ruleTrading, event)
		s.close(deal.Version)
	}
}

// moved is the first lot of a deal whose marker or die is not what it was, or noLot.
func (s *State) moved(deal *Deal, before *memory) int {
	for rest := s.stakes(deal.Steps); rest != 0; rest &= rest - 1 {
		i := rest.first()
		was, is := &before.lots[i], &s.Lots[i]
		if was.Owner != is.Owner || was.hasTile() != is.hasTile() || was.Die != is.Die {
			return i
		}
	}
	return noLot
}

// stakes are the lots whose markers and dice a deal gives away as they lie on the table before it. What its own steps bring
// about first, such as the die of a tile that is built in it, is not among them.
func (s *State) stakes(steps Steps) lotSet {
	var stakes, made lotSet
	for i := range steps {
		step := &steps[i]
		if lot, ok := s.lot(step.Lot); ok {
			if !step.acts() && !made.has(lot) {
				stakes |= lotBit(lot)
			}
			made |= lotBit(lot)
		}
		if from, ok := s.lot(step.Source); ok {
			made |= lotBit(from)
		}
	}
	return stakes
}

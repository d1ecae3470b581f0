package lords

import "errors"

// lastVersion leaves room in prompts' names for as many versions again.
const lastVersion = 1 << 27

// validateDeals comes last, as deals are about all the rest.
func (s *State) validateDeals() error {
	if len(s.Deals) > maxDeals || len(s.Deals) > 0 && s.Phase == Over {
		return errors.New("deals that nobody can make")
	}
	proposers, last := seatSet(0), uint32(0)
	for i := range s.Deals {
		deal := &s.Deals[i]
		if err := s.validateDeal(deal); err != nil {
			return err
		}
		if deal.Version <= last || deal.Version > lastVersion || proposers.has(deal.Proposer) {
			return errors.New("impossible order of deals")
		}
		proposers, last = proposers|seatBit(deal.Proposer), deal.Version
		for _, ask := range s.Asks {
			if ask.ID.Version() == uint64(deal.Version) {
				return errors.New("a prompt named as a deal's")
			}
		}
	}
	return nil
}

// validateDeal wants somebody left to accept, and things that lie where they lay when the deal was proposed.
func (s *State) validateDeal(deal *Deal) error {
	if r := s.readable(deal.Steps); !r.ok() {
		return errors.New("unreadable deal")
	}
	parties := deal.Steps.parties(s.Turn)
	if !deal.Proposer.In(len(s.Players)) || !parties.has(deal.Proposer) ||
		!deal.Accepted.has(deal.Proposer) || deal.Accepted&^parties != 0 || deal.Accepted == parties {
		return errors.New("deal of the wrong parties")
	}
	stakes := s.stakes(deal.Steps)
	for i := range deal.Steps {
		step := &deal.Steps[i]
		if step.acts() {
			if s.Phase != Playing && s.Phase != LayingOff && s.Phase != Placing {
				return errors.New("a deal about actions before the draw")
			}
			continue
		}
		lot, ok := s.lot(step.Lot)
		if !ok || !stakes.has(lot) {
			continue
		}
		// Only the first step that gives a thing away finds it as it lies on the table.
		stakes &^= lotBit(lot)
		if !s.holds(step, &s.Lots[lot]) {
			return errors.New("a deal about what its giver does not have")
		}
	}
	return nil
}

// holds reports whether a step's giver has what he gives.
func (s *State) holds(step *Step, lot *Lot) bool {
	if step.Kind == GiveLot {
		return lot.hasMarker(step.From)
	}
	return lot.hasDie(step.From)
}

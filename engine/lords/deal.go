package lords

import (
	"slices"

	"boulevard/engine"
)

// The bounds of what may lie on the table.
const (
	maxDeals = 8
	maxSteps = 24
)

// Deal is an open deal: everybody named in it has to accept it before anything happens (Trading; Rulings 14).
type Deal struct {
	_ struct{} `cbor:",toarray"`
	// Version is the one that the proposal made, which names the deal and its prompts.
	Version  uint32
	Proposer engine.Seat
	// Accepted are the seats that have accepted, the proposer by proposing.
	Accepted seatSet
	Steps    Steps
}

// seatSet is a set of seats: bit i stands for seat i.
type seatSet uint8

func (set seatSet) has(seat engine.Seat) bool { return seat >= 0 && set>>seat&1 != 0 }

func seatBit(seat engine.Seat) seatSet { return 1 << seat }

// list are the seats of the set in order.
func (set seatSet) list() []engine.Seat {
	seats := make([]engine.Seat, 0, maxSeats)
	for seat := range engine.Seat(maxSeats) {
		if set.has(seat) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// parties are all that are named in the steps, and the player whose turn it is if he is to act.
func (steps Steps) parties(turn engine.Seat) seatSet {
	var set seatSet
	for i := range steps {
		if steps[i].acts() {
			set |= seatBit(turn)
		} else {
			set |= seatBit(steps[i].From) | seatBit(steps[i].To)
		}
	}
	return set
}

// prompts adds a prompt for each party, also those that have accepted: they can withdraw.
func (d *Deal) prompts(turn engine.Seat, prompts []engine.Prompt) []engine.Prompt {
	for _, seat := range d.Steps.parties(turn).list() {
		prompts = append(prompts, engine.Prompt{
			ID: d.prompt(seat), Seat: seat, Kind: promptDeal, Optional: true, Decided: d.Accepted.has(seat),
		})
	}
	return prompts
}

func (d *Deal) prompt(seat engine.Seat) engine.PromptID {
	return engine.NewPromptID(uint64(d.Version), seat)
}

// last reports whether nothing but that seat's acceptance is missing.
func (d *Deal) last(seat, turn engine.Seat) bool {
	return d.Accepted|seatBit(seat) == d.Steps.parties(turn)
}

// dealOf is the deal that a prompt asks about.
func (s *State) dealOf(prompt engine.PromptID) *Deal {
	at := slices.IndexFunc(s.Deals, func(d Deal) bool { return uint64(d.Version) == prompt.Version() })
	if at < 0 {
		return nil
	}
	return &s.Deals[at]
}

// proposal is the seat's own open deal, or nil.
func (s *State) proposal(seat engine.Seat) *Deal {
	at := slices.IndexFunc(s.Deals, func(d Deal) bool { return d.Proposer == seat })
	if at < 0 {
		return nil
	}
	return &s.Deals[at]
}

// close takes a deal off the table.
func (s *State) close(version uint32) {
	s.Deals = slices.DeleteFunc(s.Deals, func(d Deal) bool { return d.Version == version })
	if len(s.Deals) == 0 {
		s.Deals = nil
	}
}

// canPropose refuses a seat that may not put a deal on the table, or not this one in place of the open one that it counters.
func (s *State) canPropose(seat engine.Seat, countered *Deal) refusal {
	own := s.proposal(seat)
	switch {
	case !seat.In(len(s.Players)):
		return refuse(unknownSeat, ruleTrading)
	case own != nil && own != countered:
		return refuse(alreadyProposed, ruleTrading)
	case countered == nil && len(s.Deals) >= maxDeals:
		return refusal{why: tooManyDeals, rule: ruleTrading, numbers: [2]int{maxDeals}}
	}
	return refusal{}
}

// canDeal refuses steps that mean nothing, or that could not be made now.
func (s *State) canDeal(seat engine.Seat, steps Steps) refusal {
	if r := s.readable(steps); !r.ok() {
		return r
	}
	parties := steps.parties(s.Turn)
	switch {
	case !parties.has(seat):
		return refuse(notAParty, ruleTrading)
	case parties == seatBit(seat):
		return refuse(nobodyElse, ruleTrading)
	}
	return s.trial(steps)
}

// readable refuses steps that would mean nothing on any table.
func (s *State) readable(steps Steps) refusal {
	switch {
	case len(steps) == 0:
		return refuse(noSteps, ruleTrading)
	case len(steps) > maxSteps:
		return refusal{why: tooManySteps, rule: ruleTrading, numbers: [2]int{maxSteps}}
	}
	for i := range steps {
		r := s.readableStep(&steps[i])
		if r.ok() && steps[i].lastOnly() && i < len(steps)-1 {
			r = refuse(onlyLast, ruleTrading)
		}
		if !r.ok() {
			r.step = uint8(i + 1)
			return r
		}
	}
	return refusal{}
}

// readableStep knows the things that can be traded: money, lots, dice and actions, and nothing else (Trading).
func (s *State) readableStep(step *Step) refusal {
	_, known := s.lot(step.Lot)
	switch {
	case !step.wellFormed():
		return refuse(badStep, ruleTrading)
	case step.acts():
		return refusal{}
	case !step.From.In(len(s.Players)) || !step.To.In(len(s.Players)):
		return refuse(unknownSeat, ruleTrading)
	case step.From == step.To:
		return refuse(toOneself, ruleTrading)
	case step.Kind == GiveMoney && (step.Money < 1 || step.Money > maxMoney):
		return refusal{why: badMoney, rule: ruleTrading, numbers: [2]int{1, maxMoney}}
	case step.Kind != GiveMoney && !known:
		return noSuchLot("lot")
	}
	return refusal{}
}

// put lays a deal on the table.
func (s *State) put(seat engine.Seat, steps Steps, countered uint32, dice *engine.Dice, log *engine.Log) {
	deal := Deal{Version: uint32(dice.Version()), Proposer: seat, Accepted: seatBit(seat), Steps: steps}
	s.Deals = append(s.Deals, deal)
	log.Add("deal_proposed", ruleTrading, &DealProposed{
		Deal: deal.Version, Seat: seat, Parties: steps.parties(s.Turn).list(), Steps: steps, Counters: countered,
	})
}

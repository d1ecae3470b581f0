package lords

import "boulevard/engine"

// Propose puts a deal on the table (Trading; Rulings 14).
type Propose struct {
	_     struct{} `cbor:",toarray"`
	Steps Steps    `json:"steps"`
}

// Accept agrees to a deal. The last acceptance makes it.
type Accept struct {
	_      struct{} `cbor:",toarray"`
	prompt engine.PromptID
}

// Withdraw takes a deal off the table.
type Withdraw struct {
	_      struct{} `cbor:",toarray"`
	prompt engine.PromptID
}

// Counter proposes another deal in place of one that the seat was asked about.
type Counter struct {
	_      struct{} `cbor:",toarray"`
	Steps  Steps    `json:"steps"`
	prompt engine.PromptID
}

var _ = [...]engine.Answer{new(Accept), new(Withdraw), new(Counter)}

// DealProposed is the event of a proposal.
type DealProposed struct {
	// Deal names the deal in all that follows.
	Deal    uint32        `json:"deal"`
	Seat    engine.Seat   `json:"seat"`
	Parties []engine.Seat `json:"parties"`
	Steps   Steps         `json:"steps"`
	// Counters is the deal whose place it takes.
	Counters uint32 `json:"counters,omitempty"`
}

// DealAccepted is the event of one party's acceptance.
type DealAccepted struct {
	Deal uint32      `json:"deal"`
	Seat engine.Seat `json:"seat"`
}

// DealDone is the event of the last acceptance. What the deal does follows it.
type DealDone struct {
	Deal    uint32        `json:"deal"`
	Parties []engine.Seat `json:"parties"`
}

// DealWithdrawn is the event of a deal taken off the table by one of its parties.
type DealWithdrawn struct {
	Deal uint32      `json:"deal"`
	Seat engine.Seat `json:"seat"`
	// Countered tells that the party has proposed another one instead.
	Countered bool `json:"countered,omitempty"`
}

// Kind is "propose".
func (*Propose) Kind() string { return kindPropose }

func (a *Propose) check(s *State, seat engine.Seat) refusal {
	if r := s.canPropose(seat, nil); !r.ok() {
		return r
	}
	return s.canDeal(seat, a.Steps)
}

func (a *Propose) apply(s *State, seat engine.Seat, dice *engine.Dice, log *engine.Log) {
	s.put(seat, a.Steps, 0, dice, log)
}

// Kind is "accept".
func (*Accept) Kind() string { return kindAccept }

// Answering returns the acceptance of the prompt's deal.
func (*Accept) Answering(prompt engine.PromptID) engine.Action { return &Accept{prompt: prompt} }

// check tries the deal again at the last acceptance, as anything may have happened since it was proposed.
func (a *Accept) check(s *State, seat engine.Seat) refusal {
	deal := s.dealOf(a.prompt)
	switch {
	case deal.Accepted.has(seat):
		return refuse(alreadyAccepted, ruleTrading)
	case !deal.last(seat, s.Turn):
		return refusal{}
	}
	return s.canClose(deal)
}

// canClose refuses a deal that cannot be done now: no deal comes between a prompt and its answer, which may be about the
// very things that would change hands.
func (s *State) canClose(deal *Deal) refusal {
	if r := s.waiting(); !r.ok() {
		return r
	}
	r := s.trial(deal.Steps)
	r.stale = true
	return r
}

func (a *Accept) apply(s *State, seat engine.Seat, dice *engine.Dice, log *engine.Log) {
	deal := s.dealOf(a.prompt)
	log.Add("deal_accepted", ruleTrading, &DealAccepted{deal.Version, seat})
	if !deal.last(seat, s.Turn) {
		deal.Accepted |= seatBit(seat)
		return
	}
	steps := deal.Steps
	log.AddNews(s.dealNews(engine.DealMade, deal), "deal_done", ruleTrading, &DealDone{deal.Version, steps.parties(s.Turn).list()})
	s.close(deal.Version)
	s.perform(steps, dice, log)
}

// dealNews concerns the parties of a deal.
func (s *State) dealNews(kind engine.NewsKind, deal *Deal) engine.News {
	return engine.News{Kind: kind, To: engine.Only(deal.Steps.parties(s.Turn).list()...)}
}

// Kind is "withdraw".
func (*Withdraw) Kind() string { return kindWithdraw }

// Answering returns the withdrawal of the prompt's deal.
func (*Withdraw) Answering(prompt engine.PromptID) engine.Action { return &Withdraw{prompt: prompt} }

func (*Withdraw) check(*State, engine.Seat) refusal { return refusal{} }

func (a *Withdraw) apply(s *State, seat engine.Seat, _ *engine.Dice, log *engine.Log) {
	deal := s.dealOf(a.prompt)
	log.AddNews(s.dealNews(engine.DealOff, deal), "deal_withdrawn", ruleTrading, &DealWithdrawn{Deal: deal.Version, Seat: seat})
	s.close(deal.Version)
}

// Kind is "counter".
func (*Counter) Kind() string { return kindCounter }

// Answering returns the counter-proposal to the prompt's deal.
func (a *Counter) Answering(prompt engine.PromptID) engine.Action {
	return &Counter{Steps: a.Steps, prompt: prompt}
}

func (a *Counter) check(s *State, seat engine.Seat) refusal {
	if r := s.canPropose(seat, s.dealOf(a.prompt)); !r.ok() {
		return r
	}
	return s.canDeal(seat, a.Steps)
}

func (a *Counter) apply(s *State, seat engine.Seat, dice *engine.Dice, log *engine.Log) {
	deal := s.dealOf(a.prompt)
	countered := deal.Version
	log.AddNews(s.dealNews(engine.DealOff, deal), "deal_withdrawn", ruleTrading, &DealWithdrawn{countered, seat, true})
	s.close(countered)
	s.put(seat, a.Steps, countered, dice, log)
}

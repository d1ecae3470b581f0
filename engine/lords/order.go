package lords

import "boulevard/engine"

// Order is a standing order of Lords of Vegas.
type Order interface {
	engine.Order
	// obey is the answer to a prompt of the kind that the order is about, nil where it does not speak of it.
	obey(s *State, prompt engine.Prompt) engine.Action
}

// badOrder is the code of a standing order that means nothing.
const badOrder = "bad_order"

// orders is the table of standing orders. They are kept by their places: new ones go to the end.
var orders = []engine.OrderType{
	{Kind: "lay-off", Answers: kindLayOff, New: func() engine.Order { return new(LayOffOrder) }},
	{Kind: "place", Answers: promptPlace, New: func() engine.Order { return new(PlaceOrder) }},
	{Kind: "deals", Answers: promptDeal, New: func() engine.Order { return new(DealsOrder) }},
	{Kind: "end", Answers: engine.TurnPrompt, New: func() engine.Order { return new(EndOrder) }},
}

// The values of orders.
const (
	always   = "always"
	never    = "never"
	safe     = "safe"
	keep     = "keep"
	all      = "all"
	property = "property"
	loss     = "loss"
)

// LayOffOrder decides about bets at one's casinos.
type LayOffOrder struct {
	_ struct{} `cbor:",toarray"`
	// Accept is "always" or "never".
	Accept string `json:"accept"`
	// From is the least bet that is laid off.
	From int `json:"from,omitempty"`
}

// PlaceOrder places one's reorganized dice.
type PlaceOrder struct {
	_ struct{} `cbor:",toarray"`
	// How is "safe", as the default does it, or "keep", as they lie.
	How string `json:"how"`
}

// DealsOrder withdraws from proposed deals.
type DealsOrder struct {
	_ struct{} `cbor:",toarray"`
	// Decline is "all", "property" for those in which one would give a lot or die, or "loss" for those in which one would
	// give more money than one is given.
	Decline string `json:"decline"`
}

// EndOrder ends one's turn when nothing else is possible in it.
type EndOrder struct {
	_ struct{} `cbor:",toarray"`
}

func invalid(argument string) *engine.Refusal {
	return engine.Refuse(badOrder, "", engine.Args{argArgument: argument})
}

// Kind is "lay-off".
func (*LayOffOrder) Kind() string { return "lay-off" }

// Valid wants a bound only where bets are laid off.
func (o *LayOffOrder) Valid() *engine.Refusal {
	switch {
	case o.Accept != always && o.Accept != never:
		return invalid("accept")
	case o.From < 0 || o.Accept == never && o.From != 0:
		return invalid("from")
	}
	return nil
}

func (o *LayOffOrder) obey(s *State, _ engine.Prompt) engine.Action {
	return &LayOff{Accept: o.Accept == always && s.Bet >= o.From}
}

// Kind is "place".
func (*PlaceOrder) Kind() string { return "place" }

// Valid knows two ways.
func (o *PlaceOrder) Valid() *engine.Refusal {
	if o.How != safe && o.How != keep {
		return invalid("how")
	}
	return nil
}

func (o *PlaceOrder) obey(s *State, prompt engine.Prompt) engine.Action {
	if o.How == safe {
		return s.safePlacement(prompt.Seat)
	}
	return &Place{Values: s.faces(s.casinoOf(int(s.Casino)), prompt.Seat)}
}

// Kind is "deals".
func (*DealsOrder) Kind() string { return "deals" }

// Valid knows three sorts of deals.
func (o *DealsOrder) Valid() *engine.Refusal {
	if o.Decline != all && o.Decline != property && o.Decline != loss {
		return invalid("decline")
	}
	return nil
}

// obey leaves alone what the seat has proposed or accepted itself.
func (o *DealsOrder) obey(s *State, prompt engine.Prompt) engine.Action {
	deal := s.dealOf(prompt.ID)
	if deal.Accepted.has(prompt.Seat) || !o.declines(deal, prompt.Seat) {
		return nil
	}
	return new(Withdraw)
}

func (o *DealsOrder) declines(deal *Deal, seat engine.Seat) bool {
	gives, gain := false, 0
	for i := range deal.Steps {
		switch step := &deal.Steps[i]; {
		case step.acts():
		case step.Kind != GiveMoney:
			gives = gives || step.From == seat
		case step.From == seat:
			gain -= step.Money
		case step.To == seat:
			gain += step.Money
		}
	}
	return o.Decline == all || o.Decline == property && gives || o.Decline == loss && gain < 0
}

// Kind is "end".
func (*EndOrder) Kind() string { return "end" }

// Valid has nothing to refuse.
func (*EndOrder) Valid() *engine.Refusal { return nil }

// obey waits for the seat's open deals, which would lapse with the turn.
func (*EndOrder) obey(s *State, prompt engine.Prompt) engine.Action {
	if s.Phase != Playing {
		return nil
	}
	for i := range s.Deals {
		if s.Deals[i].Steps.parties(s.Turn).has(prompt.Seat) {
			return nil
		}
	}
	if len(s.choices(prompt.Seat)) > 1 {
		return nil
	}
	return new(End)
}

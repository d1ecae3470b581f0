package lords

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"boulevard/engine"
)

// StepKind tells what a step of a deal does. Snapshots and the journal know the kinds by their numbers: new ones go to the
// end.
type StepKind uint8

// What may be traded (Trading; Rulings 14): things that are given, and actions of the player whose turn it is. Points,
// tiles and promises have no step.
const (
	GiveMoney StepKind = iota + 1
	GiveLot
	GiveDie
	DoBuild
	DoSprawl
	DoRemodel
	DoRaise
	DoReorganize
	DoGamble
)

// Step is one step of a deal. Which fields mean something follows from its kind; the others are zero.
type Step struct {
	_    struct{} `cbor:",toarray"`
	Kind StepKind
	// From gives and To receives.
	From, To engine.Seat
	// Money is what is given, or bet.
	Money int
	// Lot is the one given, that of the die given, or the one to build on or sprawl to.
	Lot LotID
	// Casino, Color and Source are arguments of actions; the last one is where a die comes from.
	Casino LotID
	Color  Color
	Source LotID
}

// Steps are those of a deal, in order.
type Steps []Step

// stepData is a step as clients see it: a transfer of one thing, or an action.
type stepData struct {
	From   *engine.Seat    `json:"from,omitempty"`
	To     *engine.Seat    `json:"to,omitempty"`
	Money  *int            `json:"money,omitempty"`
	Lot    *LotID          `json:"lot,omitempty"`
	Die    *LotID          `json:"die,omitempty"`
	Action string          `json:"action,omitempty"`
	Args   json.RawMessage `json:"args,omitempty"`
}

// Pay is the step in which a seat gives money.
func Pay(from, to engine.Seat, money int) Step {
	return Step{Kind: GiveMoney, From: from, To: to, Money: money}
}

// HandLot is the step in which a seat gives a lot with its marker.
func HandLot(from, to engine.Seat, lot LotID) Step {
	return Step{Kind: GiveLot, From: from, To: to, Lot: lot}
}

// HandDie is the step in which a seat gives the die on a lot's tile.
func HandDie(from, to engine.Seat, lot LotID) Step {
	return Step{Kind: GiveDie, From: from, To: to, Lot: lot}
}

// Do is the step in which the player whose turn it is takes an action. What cannot be traded makes a step of no kind.
func Do(action engine.Action) Step {
	switch a := action.(type) {
	case *Build:
		return Step{Kind: DoBuild, Lot: a.Lot, Color: a.Color, Source: a.From}
	case *Sprawl:
		return Step{Kind: DoSprawl, Casino: a.Casino, Lot: a.Lot, Source: a.From}
	case *Remodel:
		return Step{Kind: DoRemodel, Casino: a.Casino, Color: a.Color}
	case *Raise:
		return Step{Kind: DoRaise, Casino: a.Casino}
	case *Reorganize:
		return Step{Kind: DoReorganize, Casino: a.Casino}
	case *Gamble:
		return Step{Kind: DoGamble, Casino: a.Casino, Money: a.Bet}
	}
	return Step{}
}

// action is the one that the step takes, nil for a transfer.
func (s *Step) action() Action {
	switch s.Kind {
	case DoBuild:
		return &Build{Lot: s.Lot, Color: s.Color, From: s.Source}
	case DoSprawl:
		return &Sprawl{Casino: s.Casino, Lot: s.Lot, From: s.Source}
	case DoRemodel:
		return &Remodel{Casino: s.Casino, Color: s.Color}
	case DoRaise:
		return &Raise{Casino: s.Casino}
	case DoReorganize:
		return &Reorganize{Casino: s.Casino}
	case DoGamble:
		return &Gamble{Casino: s.Casino, Bet: s.Money}
	default:
		return nil
	}
}

// plain is the step with nothing in it but what its kind means.
func (s *Step) plain() Step {
	switch s.Kind {
	case GiveMoney:
		return Pay(s.From, s.To, s.Money)
	case GiveLot:
		return HandLot(s.From, s.To, s.Lot)
	case GiveDie:
		return HandDie(s.From, s.To, s.Lot)
	default:
		return Do(s.action())
	}
}

// wellFormed reports whether the step is one that a client could have sent.
func (s *Step) wellFormed() bool { return s.Kind >= GiveMoney && s.Kind <= DoGamble && *s == s.plain() }

// lastOnly reports whether the step may open prompts, so that nothing can follow it in a deal.
func (s *Step) lastOnly() bool { return s.Kind == DoReorganize || s.Kind == DoGamble }

// acts reports whether the step is an action.
func (s *Step) acts() bool { return s.Kind >= DoBuild }

// MarshalJSON writes the step for clients.
func (s *Step) MarshalJSON() ([]byte, error) {
	data := stepData{From: &s.From, To: &s.To}
	switch s.Kind {
	case GiveMoney:
		data.Money = &s.Money
	case GiveLot:
		data.Lot = &s.Lot
	case GiveDie:
		data.Die = &s.Lot
	default:
		action := s.action()
		if action == nil {
			return []byte("{}"), nil
		}
		args, err := json.Marshal(action)
		if err != nil {
			return nil, err
		}
		data = stepData{Action: action.Kind(), Args: args}
	}
	return json.Marshal(data)
}

// UnmarshalJSON reads steps, and says which one cannot be read.
func (s *Steps) UnmarshalJSON(data []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return engine.Refuse(engine.BadArgument, "", engine.Args{argArgument: "steps"})
	}
	if len(list) > maxSteps {
		refused := refusal{why: tooManySteps, rule: ruleTrading, numbers: [2]int{maxSteps}}
		return refused.data()
	}
	steps := make(Steps, len(list))
	for i, item := range list {
		if refusal := steps[i].read(item); refusal != nil {
			refusal.Args["step"] = i
			return refusal
		}
	}
	*s = steps
	return nil
}

// read takes exactly one thing that is given from one seat to another, or one action.
func (s *Step) read(item []byte) *engine.Refusal {
	var data stepData
	if refusal := strict(item, &data); refusal != nil {
		return refusal
	}
	switch {
	case data.action():
		return s.readAction(data.Action, data.Args)
	case !data.transfer():
		return engine.Refuse(reasons[badStep].code, ruleTrading, engine.Args{})
	case data.Money != nil:
		*s = Pay(*data.From, *data.To, *data.Money)
	case data.Lot != nil:
		*s = HandLot(*data.From, *data.To, *data.Lot)
	default:
		*s = HandDie(*data.From, *data.To, *data.Die)
	}
	return nil
}

// things counts what the step gives.
func (d *stepData) things() int {
	things := 0
	for _, given := range []bool{d.Money != nil, d.Lot != nil, d.Die != nil} {
		if given {
			things++
		}
	}
	return things
}

func (d *stepData) action() bool {
	return d.Action != "" && d.things() == 0 && d.From == nil && d.To == nil
}

func (d *stepData) transfer() bool {
	return d.Action == "" && d.Args == nil && d.things() == 1 && d.From != nil && d.To != nil
}

func (s *Step) readAction(kind string, args []byte) *engine.Refusal {
	row := slices.IndexFunc(actions, func(t engine.ActionType) bool { return t.Kind == kind })
	if row < 0 {
		return engine.Refuse(engine.UnknownAction, "", engine.Args{"kind": kind})
	}
	action := actions[row].New()
	if Do(action).Kind == 0 {
		return engine.Refuse(reasons[notInDeals].code, ruleTrading, engine.Args{})
	}
	if len(args) > 0 {
		if refusal := strict(args, action); refusal != nil {
			return refusal
		}
	}
	*s = Do(action)
	return nil
}

// strict decodes JSON that may have no field which is not known. Its refusals have room for particulars.
func strict(data []byte, into any) *engine.Refusal {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		return nil
	}
	refusal := engine.Refuse(engine.BadArgument, "", engine.Args{})
	if inner, is := errors.AsType[*engine.Refusal](err); is {
		refusal.Code, refusal.Rule = inner.Code, inner.Rule
	}
	if wrongType, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		refusal.Args[argArgument] = wrongType.Field
	}
	return refusal
}

package engine_test

import (
	"errors"

	"boulevard/engine"
)

// pile is a game for tests: two to four seats take 1 to 3 stones in turn from a pile of ten; who takes the last wins. A
// seat may ask the next to give up, which that seat answers.
type pile struct{}

type pileState struct {
	Left   int             `cbor:"1,keyasint"`
	Seats  int             `cbor:"2,keyasint"`
	Turn   engine.Seat     `cbor:"3,keyasint"`
	Asked  bool            `cbor:"4,keyasint,omitempty"`
	Prompt engine.PromptID `cbor:"5,keyasint,omitempty"`
	Winner engine.Seat     `cbor:"6,keyasint"`
}

type pileAction interface {
	engine.Action
	pile()
}

type take struct {
	_      struct{} `cbor:",toarray"`
	Stones int8     `json:"stones"`
}

type ask struct {
	_ struct{} `cbor:",toarray"`
}

type answer struct {
	_   struct{} `cbor:",toarray"`
	Yes bool     `json:"yes"`
}

// stranger is an action of another game.
type stranger struct{}

func (*take) Kind() string   { return "take" }
func (*ask) Kind() string    { return "ask" }
func (*answer) Kind() string { return "answer" }
func (stranger) Kind() string {
	return "take"
}
func (*take) pile()   {}
func (*ask) pile()    {}
func (*answer) pile() {}

func (a *take) Fill(_ string, values []int) engine.Action { return &take{Stones: int8(values[0])} }

func (pile) Info() engine.Info {
	return engine.Info{
		ID: "pile", Name: "Pile", Version: 3, MinSeats: 2, MaxSeats: 4,
		Options: []engine.Option{{Name: "stones", Values: []string{"ten", "five"}}},
	}
}

func (pile) Actions() []engine.ActionType {
	return []engine.ActionType{
		{Kind: "take", New: func() engine.Action { return new(take) }},
		{Kind: "ask", New: func() engine.Action { return new(ask) }},
		{Kind: "answer", Answers: "give-up", New: func() engine.Action { return new(answer) }},
	}
}

func (pile) Setup(setup engine.Setup, _ *engine.Dice, log *engine.Log) *pileState {
	log.Add("piled", "Setting Up", nil)
	left := 10
	if setup.Options["stones"] == "five" {
		left = 5
	}
	return &pileState{Left: left, Seats: setup.Seats, Winner: engine.NoSeat}
}

func (pile) Validate(s *pileState) error {
	if s.Seats < 2 || s.Seats > 4 || s.Left < 0 || s.Left > 10 || !s.Turn.In(s.Seats) {
		return errors.New("impossible pile")
	}
	return nil
}

func (pile) Turn(s *pileState) engine.Seat {
	if s.Left == 0 {
		return engine.NoSeat
	}
	return s.Turn
}

func (s *pileState) next() engine.Seat { return (s.Turn + 1) % engine.Seat(s.Seats) }

func (pile) Prompts(s *pileState) []engine.Prompt {
	if !s.Asked {
		return nil
	}
	return []engine.Prompt{{ID: s.Prompt, Seat: s.next(), Kind: "give-up", Default: &answer{}}}
}

func (pile) Choices(s *pileState, _ engine.Seat) []engine.Choice {
	if s.Asked {
		return []engine.Choice{{Action: &answer{}, Prompt: s.Prompt}, {Action: &answer{Yes: true}, Prompt: s.Prompt}}
	}
	stones := engine.Param{Name: "stones", Kind: engine.Range, Min: 1, Max: min(3, s.Left)}
	return []engine.Choice{{Action: new(take), Fill: []engine.Param{stones}}, {Action: new(ask)}}
}

func (pile) Check(s *pileState, _ engine.Seat, a pileAction) *engine.Refusal {
	if t, ok := a.(*take); ok && (t.Stones < 1 || int(t.Stones) > min(3, s.Left)) {
		return engine.Refuse("wrong_stones", "Taking", engine.Args{"left": s.Left})
	}
	return nil
}

func (pile) Apply(s *pileState, seat engine.Seat, a pileAction, _ *engine.Dice, log *engine.Log) {
	switch a := a.(type) {
	case *take:
		s.Left -= int(a.Stones)
		s.Winner = seat
		s.Turn = s.next()
		log.Add("taken", "Taking", a)
	case *ask:
		s.Asked = true
		s.Prompt++
		log.AddTo(engine.Only(seat, s.next()), "asked", "Asking", nil)
	case *answer:
		s.Asked = false
		if a.Yes {
			s.Left, s.Winner = 0, s.Turn
		}
	}
}

func (pile) View(s *pileState, _ engine.Seat) any { return map[string]int{"left": s.Left} }

func (pile) Outcome(s *pileState) *engine.Outcome {
	if s.Left > 0 {
		return nil
	}
	return &engine.Outcome{Reason: "taken", Ranking: []engine.Standing{{Seat: s.Winner, Rank: 1}}}
}

func (pile) Offers(*pileState, engine.Seat) []engine.Choice { return nil }

func (pile) Orders() []engine.OrderType { return nil }

func (pile) Obey(*pileState, engine.Prompt, engine.Order) engine.Action { return nil }

package engine_test

import (
	"errors"
	"slices"

	"boulevard/engine"
)

// pile is a game for tests: two to four seats take 1 to 3 stones in turn from a pile of ten; who takes the last wins. A
// seat may ask the next to give up, which that seat answers. It may also roll for how many stones it takes, or look under
// the pile. Anybody may wave to the next seat at any time, which may wave back.
type pile struct{}

type pileState struct {
	Left   int             `cbor:"1,keyasint"`
	Seats  int             `cbor:"2,keyasint"`
	Turn   engine.Seat     `cbor:"3,keyasint"`
	Asked  bool            `cbor:"4,keyasint,omitempty"`
	Prompt engine.PromptID `cbor:"5,keyasint,omitempty"`
	Winner engine.Seat     `cbor:"6,keyasint"`
	// Waves are the prompts of seats that were waved to.
	Waves []engine.PromptID `cbor:"16,keyasint,omitempty"`
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

type roll struct {
	_ struct{} `cbor:",toarray"`
}

type peek struct {
	_ struct{} `cbor:",toarray"`
}

type wave struct {
	_ struct{} `cbor:",toarray"`
}

type waveBack struct {
	_      struct{} `cbor:",toarray"`
	prompt engine.PromptID
}

// meek and hasty are standing orders: to give up, and to take the last stones.
type meek struct {
	_    struct{} `cbor:",toarray"`
	Unto int      `json:"unto"`
}

type hasty struct {
	_ struct{} `cbor:",toarray"`
}

// stranger is an action of another game.
type stranger struct{}

func (*take) Kind() string   { return "take" }
func (*ask) Kind() string    { return "ask" }
func (*answer) Kind() string { return "answer" }
func (stranger) Kind() string {
	return "take"
}
func (*roll) Kind() string     { return "roll" }
func (*peek) Kind() string     { return "peek" }
func (*wave) Kind() string     { return "wave" }
func (*waveBack) Kind() string { return "wave-back" }
func (*meek) Kind() string     { return "meek" }
func (*hasty) Kind() string    { return "hasty" }

func (*roll) pile()     {}
func (*peek) pile()     {}
func (*wave) pile()     {}
func (*waveBack) pile() {}

func (*waveBack) Answering(prompt engine.PromptID) engine.Action { return &waveBack{prompt: prompt} }

func (o *meek) Valid() *engine.Refusal {
	if o.Unto < 0 {
		return engine.Refuse("bad_order", "", nil)
	}
	return nil
}

func (*hasty) Valid() *engine.Refusal { return nil }

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
		{Kind: "roll", New: func() engine.Action { return new(roll) }},
		{Kind: "peek", Reveals: true, New: func() engine.Action { return new(peek) }},
		{Kind: "wave", Anytime: true, New: func() engine.Action { return new(wave) }},
		{Kind: "wave-back", Answers: "waved", New: func() engine.Action { return new(waveBack) }},
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
	var prompts []engine.Prompt
	if s.Asked {
		prompts = append(prompts, engine.Prompt{ID: s.Prompt, Seat: s.next(), Kind: "give-up", Default: &answer{}})
	}
	for _, id := range s.Waves {
		prompts = append(prompts, engine.Prompt{ID: id, Seat: id.Seat(), Kind: "waved", Optional: true})
	}
	return prompts
}

func (pile) Choices(s *pileState, _ engine.Seat) []engine.Choice {
	if s.Asked {
		return []engine.Choice{{Action: &answer{}, Prompt: s.Prompt}, {Action: &answer{Yes: true}, Prompt: s.Prompt}}
	}
	stones := engine.Param{Name: "stones", Kind: engine.Range, Min: 1, Max: min(3, s.Left)}
	return []engine.Choice{
		{Action: new(take), Fill: []engine.Param{stones}}, {Action: new(ask)}, {Action: new(roll)}, {Action: new(peek)},
	}
}

func (pile) Check(s *pileState, _ engine.Seat, a pileAction) *engine.Refusal {
	if t, ok := a.(*take); ok && (t.Stones < 1 || int(t.Stones) > min(3, s.Left)) {
		return engine.Refuse("wrong_stones", "Taking", engine.Args{"left": s.Left})
	}
	return nil
}

func (pile) Apply(s *pileState, seat engine.Seat, a pileAction, dice *engine.Dice, log *engine.Log) {
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
	case *roll:
		log.Add("rolling", "Taking", nil)
		s.Left = max(0, s.Left-dice.Die())
		log.Add("rolled", "Taking", s.Left)
		s.Winner, s.Turn = seat, s.next()
	case *peek:
		log.Add("peeked", "Looking", s.Left)
	case *wave:
		s.Waves = append(s.Waves, engine.NewPromptID(dice.Version(), (seat+1)%engine.Seat(s.Seats)))
		log.Add("waved", "Waving", seat)
	case *waveBack:
		s.Waves = slices.DeleteFunc(s.Waves, func(id engine.PromptID) bool { return id == a.prompt })
		log.Add("waved_back", "Waving", a.prompt)
	}
}

func (pile) View(s *pileState, _ engine.Seat) any { return map[string]int{"left": s.Left} }

func (pile) Outcome(s *pileState) *engine.Outcome {
	if s.Left > 0 {
		return nil
	}
	return &engine.Outcome{Reason: "taken", Ranking: []engine.Standing{{Seat: s.Winner, Rank: 1}}}
}

func (pile) Offers(s *pileState, seat engine.Seat) []engine.Choice {
	offers := []engine.Choice{{Action: new(wave)}}
	for _, id := range s.Waves {
		if id.Seat() == seat {
			offers = append(offers, engine.Choice{Action: new(waveBack), Prompt: id})
		}
	}
	return offers
}

func (pile) Orders() []engine.OrderType {
	return []engine.OrderType{
		{Kind: "meek", Answers: "give-up", New: func() engine.Order { return new(meek) }},
		{Kind: "hasty", Answers: engine.TurnPrompt, New: func() engine.Order { return new(hasty) }},
	}
}

// Obey gives up from so many stones left on downwards, or takes the last three.
func (pile) Obey(s *pileState, _ engine.Prompt, order engine.Order) engine.Action {
	switch o := order.(type) {
	case *meek:
		return &answer{Yes: s.Left <= o.Unto}
	case *hasty:
		if s.Left <= 3 {
			return &take{Stones: int8(s.Left)}
		}
	}
	return nil
}

package engine

import (
	"slices"

	"boulevard/engine/codec"
)

// Match is one game being played, whatever its rules. It is not safe for concurrent use.
type Match interface {
	// Info describes the game that is played.
	Info() Info
	// Turn is the seat whose turn it is, or NoSeat when the game is over.
	Turn() Seat
	// Asked are the seats that the game waits for: those with an open prompt, or else the one whose turn it is.
	Asked() []Seat
	// Prompts are the open prompts, the oldest first.
	Prompts() []Prompt
	// Choices lists all that the seat may do: nothing for a seat that is not asked.
	Choices(seat Seat) []Choice
	// Offers lists what the seat may do without being asked.
	Offers(seat Seat) []Choice
	// Check says why a move would be refused, or nil.
	Check(move Move) *Refusal
	// Act makes a move, or refuses it and changes nothing.
	Act(move Move, dice *Dice) ([]Event, *Refusal)
	// Preview says what a move would do, and changes nothing.
	Preview(move Move) (Preview, *Refusal)
	// Obey is the first move that a seat's standing orders make of what it is asked now.
	Obey(seat Seat, orders []Order) (Move, bool)
	// View is what a seat, or NoSeat for a spectator, may know of the table.
	View(seat Seat) any
	// Outcome is the result of a finished game, nil before.
	Outcome() *Outcome
	// Snapshot encodes the state for Game.Restore. Equal states have equal snapshots.
	Snapshot() ([]byte, error)
}

type match[S any, A Action] struct {
	rules Rules[S, A]
	state *S
	// foreign is what a newer build put into the state.
	foreign codec.Foreign
}

func (m *match[S, A]) Info() Info        { return m.rules.Info() }
func (m *match[S, A]) Turn() Seat        { return m.rules.Turn(m.state) }
func (m *match[S, A]) Prompts() []Prompt { return m.rules.Prompts(m.state) }
func (m *match[S, A]) Outcome() *Outcome { return m.rules.Outcome(m.state) }

func (m *match[S, A]) View(seat Seat) any        { return m.rules.View(m.state, seat) }
func (m *match[S, A]) Snapshot() ([]byte, error) { return codec.EncodeKeeping(m.state, m.foreign) }

func (m *match[S, A]) Asked() []Seat {
	var asked []Seat
	for _, p := range m.Prompts() {
		if !p.Optional && !slices.Contains(asked, p.Seat) {
			asked = append(asked, p.Seat)
		}
	}
	if turn := m.Turn(); len(asked) == 0 && turn != NoSeat {
		asked = []Seat{turn}
	}
	return asked
}

func (m *match[S, A]) Offers(seat Seat) []Choice {
	if seat == NoSeat || m.Turn() == NoSeat {
		return nil
	}
	return m.rules.Offers(m.state, seat)
}

func (m *match[S, A]) Choices(seat Seat) []Choice {
	if seat == NoSeat || !slices.Contains(m.Asked(), seat) {
		return nil
	}
	return m.rules.Choices(m.state, seat)
}

func (m *match[S, A]) Check(move Move) *Refusal {
	if _, ok := move.Action.(A); !ok {
		return Refuse(UnknownAction, "", nil)
	}
	if refusal := m.checkAsked(move); refusal != nil {
		return refusal
	}
	return m.rules.Check(m.state, move.Seat, bound[A](move))
}

// bound is the move's action, which knows its prompt where it has to.
func bound[A Action](move Move) A {
	if answer, ok := move.Action.(Answer); ok {
		return answer.Answering(move.Prompt).(A)
	}
	return move.Action.(A)
}

// checkAsked refuses a move that is not to be made now, whatever its arguments.
func (m *match[S, A]) checkAsked(move Move) *Refusal {
	row := slices.IndexFunc(m.rules.Actions(), func(t ActionType) bool { return t.Kind == move.Action.Kind() })
	switch {
	case row < 0:
		return Refuse(UnknownAction, "", Args{argKind: move.Action.Kind()})
	case m.Turn() == NoSeat:
		return Refuse(GameOver, "", nil)
	case m.rules.Actions()[row].Answers != "" || move.Prompt != 0:
		return m.checkPrompt(move, m.rules.Actions()[row].Answers)
	case m.rules.Actions()[row].Anytime:
		return nil
	}
	return m.checkTurn(move)
}

func (m *match[S, A]) checkPrompt(move Move, kind string) *Refusal {
	open := slices.ContainsFunc(m.Prompts(), func(p Prompt) bool {
		return p.ID == move.Prompt && p.Seat == move.Seat && p.Kind == kind
	})
	if !open {
		return Refuse(PromptClosed, "", Args{"prompt": move.Prompt})
	}
	return nil
}

func (m *match[S, A]) checkTurn(move Move) *Refusal {
	if turn := m.Turn(); turn != move.Seat {
		return Refuse(NotAsked, "", Args{"turn": turn})
	}
	for _, p := range m.Prompts() {
		if !p.Optional {
			return Refuse(PromptOpen, "", Args{"prompt": p.ID, "seat": p.Seat})
		}
	}
	return nil
}

func (m *match[S, A]) Act(move Move, dice *Dice) ([]Event, *Refusal) {
	if refusal := m.Check(move); refusal != nil {
		return nil, refusal
	}
	var log Log
	m.rules.Apply(m.state, move.Seat, bound[A](move), dice, &log)
	return log.events, nil
}

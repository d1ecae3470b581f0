// Package lords is Lords of Vegas, by James Ernest and Mike Selinker: developers build casinos along The Strip, are paid
// by the companies that prosper, and fight by dice over who is boss.
//
// turn.go tells how a turn goes; every action of the rule book has a file of its own. Where the rule book is silent,
// comments name the ruling ("Rulings 9") that Boulevard follows.
package lords

import (
	"sync"

	"boulevard/engine"
)

const optionRisers = "risers"

// rules are those of the printed base board.
type rules struct{ base func() base }

// base is what follows from the board's data.
type base struct {
	info  engine.Info
	board *board
}

var _ engine.Rules[State, Action] = rules{}

// Game is Lords of Vegas for the catalogue.
func Game() engine.Game { return engine.Bind[State, Action](baseRules()) }

// baseRules are those of the base game. Its board is read when it is first needed, which a program that starts does not wait
// for.
func baseRules() rules {
	return rules{base: sync.OnceValue(func() base {
		board := loadBoard("lords-of-vegas")
		return base{board: board, info: engine.Info{
			ID: board.id, Name: "Lords of Vegas", Version: 1, MinSeats: 2, MaxSeats: maxSeats, Board: board.provenance,
			Options: []engine.Option{{Name: optionRisers, Values: []string{"off", "on"}}},
		}}
	})}
}

func (r rules) Info() engine.Info            { return r.base().info }
func (r rules) Actions() []engine.ActionType { return actions }

func (r rules) Setup(setup engine.Setup, dice *engine.Dice, log *engine.Log) *State {
	return newState(r.base().board, setup, dice, log)
}

func (r rules) Validate(s *State) error { return s.validate(r.base().board) }

func (r rules) Turn(s *State) engine.Seat {
	if s.Phase == Over {
		return engine.NoSeat
	}
	return s.Turn
}

func (r rules) Prompts(s *State) []engine.Prompt { return s.prompts() }

func (r rules) Choices(s *State, seat engine.Seat) []engine.Choice { return s.choices(seat) }

func (r rules) Check(s *State, seat engine.Seat, a Action) *engine.Refusal {
	refused := s.check(seat, a)
	return refused.data()
}

func (r rules) Apply(s *State, seat engine.Seat, a Action, dice *engine.Dice, log *engine.Log) {
	before := s.remember()
	a.apply(s, seat, dice, log)
	s.lapse(&before, log)
	s.logCasinos(&before, log)
}

func (r rules) Offers(s *State, seat engine.Seat) []engine.Choice { return s.dealOffers(seat) }

func (r rules) Orders() []engine.OrderType { return orders }

func (r rules) Obey(s *State, prompt engine.Prompt, order engine.Order) engine.Action {
	return order.(Order).obey(s, prompt)
}

func (r rules) View(s *State, seat engine.Seat) any { return s.view(seat) }

func (r rules) Outcome(s *State) *engine.Outcome { return s.outcome() }

package lords

import (
	"fmt"

	"boulevard/engine"
)

// Sections of the rule book that refusals and events cite.
const (
	ruleSetup      = "Setting Up"
	ruleOwns       = "Who Owns What"
	ruleTurns      = "Taking Turns"
	ruleDraw       = "Step 1: Draw"
	ruleTakeOver   = "Take Over Your Lot"
	ruleLotsPay    = "Owned Lots Pay"
	ruleCasinosPay = "Casinos Pay"
	rulePlay       = "Step 2: Play"
	ruleTiles      = "Available Tiles"
	ruleDice       = "Available Dice"
	ruleBuild      = "Action - Build"
	ruleSprawl     = "Action - Sprawl"
	ruleRemodel    = "Action - Remodel"
	ruleReorganize = "Action - Reorganize"
	ruleGamble     = "Action - Gamble"
	ruleRaise      = "Action - Raise"
	ruleTies       = "Reroll if Tied"
	ruleWinning    = "Winning"
)

// refusal says why something is not possible; the zero refusal says that it is. It is a value, made without allocation,
// because whoever lists the choices asks about many things that are not possible.
type refusal struct {
	code, rule string
	args       [3]arg
}

type arg struct {
	name  string
	value any
}

func refuse(code, rule string) refusal { return refusal{code: code, rule: rule} }

// with adds a particular: a number or a name.
func (r refusal) with(name string, value any) refusal {
	for i := range r.args {
		if r.args[i].name == "" {
			r.args[i] = arg{name: name, value: value}
			break
		}
	}
	return r
}

// ok reports whether nothing is refused.
func (r *refusal) ok() bool { return r.code == "" }

// data is the refusal for clients, nil where nothing is refused.
func (r *refusal) data() *engine.Refusal {
	if r.ok() {
		return nil
	}
	var args engine.Args
	for _, a := range r.args {
		if a.name == "" {
			break
		}
		if args == nil {
			args = engine.Args{}
		}
		if name, ok := a.value.(fmt.Stringer); ok {
			a.value = name.String()
		}
		args[a.name] = a.value
	}
	return engine.Refuse(r.code, r.rule, args)
}

// unknownLot refuses a lot that the board does not have. What was sent is not repeated: it may be anything.
func unknownLot(argument string) refusal {
	return refuse("unknown_lot", ruleOwns).with("argument", argument)
}

func unknownColor() refusal { return refuse("unknown_color", ruleTiles) }

// pay refuses what the seat cannot pay for.
func (s *State) pay(seat engine.Seat, cost int, rule string) refusal {
	if have := s.Players[seat].Money; have < cost {
		return refuse("not_enough_money", rule).with("needed", cost).with("have", have)
	}
	return refusal{}
}

// tiles refuses a colour that has too few tiles left (Available Tiles).
func (s *State) tiles(color Color, needed int) refusal {
	if !color.company() {
		return unknownColor()
	}
	if left := s.tilesLeft(color); left < needed {
		return refuse("no_tiles", ruleTiles).with("color", color).with("needed", needed).with("left", left)
	}
	return refusal{}
}

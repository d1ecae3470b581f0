package lords

import (
	"slices"

	"boulevard/engine"
)

// MoneyGiven is the event of money that changes hands in a deal.
type MoneyGiven struct {
	From  engine.Seat `json:"from"`
	To    engine.Seat `json:"to"`
	Money int         `json:"money"`
}

// LotGiven is the event of a lot that changes hands in a deal.
type LotGiven struct {
	From engine.Seat `json:"from"`
	To   engine.Seat `json:"to"`
	Lot  LotID       `json:"lot"`
}

// DieGiven is the event of a die that changes hands in a deal.
type DieGiven struct {
	From engine.Seat `json:"from"`
	To   engine.Seat `json:"to"`
	Lot  LotID       `json:"lot"`
	// Die is the face that shows on the new die as on the old one.
	Die int `json:"die"`
}

// trial makes the steps on a copy, and refuses the first one that is not possible. It has no dice: what would be up to a
// reroll of ties is refused, so that a deal which passes can be done whatever the dice show.
func (s *State) trial(steps Steps) refusal {
	copied := s.copied()
	var log engine.Log
	for i := range steps {
		step := &steps[i]
		copied.settleBefore(step, nil, &log)
		if r := copied.canDo(step); !r.ok() {
			r.step = uint8(i + 1)
			return r
		}
		if !step.lastOnly() {
			copied.do(step, nil, &log)
		}
	}
	return refusal{}
}

// copied is a state of its own to try things out on.
func (s *State) copied() *State {
	c := *s
	c.Players, c.Lots = slices.Clone(s.Players), slices.Clone(s.Lots)
	c.casinos, c.scratch = slices.Clone(s.casinos), offers{}
	return &c
}

// perform makes the steps, each of which a trial has found possible (Trading; Rulings 14).
func (s *State) perform(steps Steps, dice *engine.Dice, log *engine.Log) {
	for i := range steps {
		s.settleBefore(&steps[i], dice, log)
		s.do(&steps[i], dice, log)
	}
	if last := &steps[len(steps)-1]; !last.acts() {
		s.settle(dice, log)
	}
}

// settleBefore rerolls ties that transfers have made before the next action needs to know who is boss (Rulings 6). An action
// settles its own.
func (s *State) settleBefore(step *Step, dice *engine.Dice, log *engine.Log) {
	if step.acts() {
		s.settle(dice, log)
	}
}

// canDo refuses a step that is not possible now.
func (s *State) canDo(step *Step) refusal {
	lot := noLot
	if step.Kind == GiveLot || step.Kind == GiveDie {
		lot, _ = s.lot(step.Lot)
	}
	switch step.Kind {
	case GiveMoney:
		return s.pay(step.From, step.Money, ruleTrading)
	case GiveLot:
		return s.canHandLot(step, lot)
	case GiveDie:
		return s.canHandDie(step, lot)
	default:
		return s.canAct(step.action())
	}
}

// canHandLot wants a marker of the receiver's, which replaces the giver's (Trading).
func (s *State) canHandLot(step *Step, lot int) refusal {
	switch {
	case !s.Lots[lot].hasMarker(step.From):
		return refusal{why: notGiversLot, rule: ruleTrading, numbers: [2]int{int(step.From)}, name: string(step.Lot)}
	case s.markersLeft(step.To) == 0:
		return refusal{why: noMarkerLeft, rule: ruleTrading, numbers: [2]int{int(step.To)}}
	}
	return refusal{}
}

// canHandDie wants a die of the receiver's, which replaces the giver's (Trading).
func (s *State) canHandDie(step *Step, lot int) refusal {
	switch {
	case !s.Lots[lot].hasDie(step.From):
		return refusal{why: notGiversDie, rule: ruleTrading, numbers: [2]int{int(step.From)}, name: string(step.Lot)}
	case s.diceLeft(step.To) == 0:
		return refusal{why: noDieLeft, rule: ruleTrading, numbers: [2]int{int(step.To)}}
	}
	return refusal{}
}

// canAct wants the moment at which the turn's actions are taken (Rulings 4).
func (s *State) canAct(action Action) refusal {
	switch {
	case s.Phase == Drawing:
		return refuse(mustDrawFirst, ruleTurns)
	case s.Phase != Playing:
		return s.waiting()
	}
	return action.check(s, s.Turn)
}

// waiting refuses what must wait for the answer to an open prompt.
func (s *State) waiting() refusal {
	if len(s.Asks) == 0 {
		return refusal{}
	}
	return refusal{why: promptOpen, rule: ruleTrading, numbers: [2]int{int(s.Asks[0].ID), int(s.Asks[0].Seat)}}
}

// do makes a step that canDo allows.
func (s *State) do(step *Step, dice *engine.Dice, log *engine.Log) {
	switch step.Kind {
	case GiveMoney:
		s.Players[step.From].Money -= step.Money
		s.Players[step.To].Money += step.Money
		log.Add("money_given", ruleTrading, &MoneyGiven{step.From, step.To, step.Money})
	case GiveLot:
		lot, _ := s.lot(step.Lot)
		s.setMarker(lot, step.To)
		s.regroup()
		log.Add("lot_given", ruleTrading, &LotGiven{step.From, step.To, step.Lot})
	case GiveDie:
		// The face stays, and so does the mark of a die that was reorganized: by trades back and forth it could be rerolled
		// twice in a turn.
		lot, _ := s.lot(step.Lot)
		s.Lots[lot].Owner = step.To
		s.regroup()
		log.Add("die_given", ruleTrading, &DieGiven{step.From, step.To, step.Lot, int(s.Lots[lot].Die)})
	default:
		step.action().apply(s, s.Turn, dice, log)
	}
}

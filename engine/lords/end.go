package lords

import "boulevard/engine"

// End ends the turn (Taking Turns).
type End struct {
	_ struct{} `cbor:",toarray"`
}

// TurnEnded is the event of the end of a turn.
type TurnEnded struct {
	Seat engine.Seat `json:"seat"`
	Next engine.Seat `json:"next"`
}

// Kind is "end".
func (*End) Kind() string { return kindEnd }

// check has nothing to refuse: after the draw no action is compulsory, and the engine lets nobody end a turn while a prompt
// is open.
func (*End) check(*State, engine.Seat) refusal { return refusal{} }

// apply lifts what holds for one turn: a single gamble, and no die rerolled twice.
func (*End) apply(s *State, seat engine.Seat, _ *engine.Dice, log *engine.Log) {
	s.Turn = (seat + 1) % engine.Seat(len(s.Players))
	s.Phase, s.Gambled, s.Rerolled = Drawing, false, 0
	log.Add("turn_ended", ruleTurns, &TurnEnded{seat, s.Turn})
}

func (s *State) offerEnd(_ engine.Seat, out *offers) { out.add(new(End), nil) }

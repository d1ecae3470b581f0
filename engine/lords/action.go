package lords

import "boulevard/engine"

// Action is an action of Lords of Vegas.
type Action interface {
	engine.Action
	// check says why the seat may not do this now. The phase is already right.
	check(s *State, seat engine.Seat) refusal
	// apply does what check allows.
	apply(s *State, seat engine.Seat, dice *engine.Dice, log *engine.Log)
}

// The kinds of actions and prompts.
const (
	kindDraw       = "draw"
	kindBuild      = "build"
	kindSprawl     = "sprawl"
	kindRemodel    = "remodel"
	kindReorganize = "reorganize"
	kindGamble     = "gamble"
	kindRaise      = "raise"
	kindEnd        = "end"
	kindLayOff     = "lay-off"
	kindPlace      = "place"
	kindMoveDie    = "move-die"
	kindGiveUp     = "give-up"
	kindPropose    = "propose"
	kindAccept     = "accept"
	kindWithdraw   = "withdraw"
	kindCounter    = "counter"

	promptPlace = "place-dice"
	promptDeal  = "deal"
)

// actions is the table of actions. The journal knows them by their places: new ones go to the end.
var actions = []engine.ActionType{
	{Kind: kindDraw, Reveals: true, New: func() engine.Action { return new(Draw) }},
	{Kind: kindBuild, New: func() engine.Action { return new(Build) }},
	{Kind: kindSprawl, New: func() engine.Action { return new(Sprawl) }},
	{Kind: kindRemodel, New: func() engine.Action { return new(Remodel) }},
	{Kind: kindReorganize, New: func() engine.Action { return new(Reorganize) }},
	{Kind: kindGamble, New: func() engine.Action { return new(Gamble) }},
	{Kind: kindEnd, Final: true, New: func() engine.Action { return new(End) }},
	{Kind: kindLayOff, Answers: kindLayOff, New: func() engine.Action { return new(LayOff) }},
	{Kind: kindPlace, Answers: promptPlace, New: func() engine.Action { return new(Place) }},
	{Kind: kindMoveDie, Answers: kindMoveDie, New: func() engine.Action { return new(MoveDie) }},
	{Kind: kindGiveUp, Answers: kindGiveUp, New: func() engine.Action { return new(GiveUp) }},
	{Kind: kindRaise, New: func() engine.Action { return new(Raise) }},
	{Kind: kindPropose, Anytime: true, New: func() engine.Action { return new(Propose) }},
	{Kind: kindAccept, Answers: promptDeal, Final: true, New: func() engine.Action { return new(Accept) }},
	{Kind: kindWithdraw, Answers: promptDeal, Final: true, New: func() engine.Action { return new(Withdraw) }},
	{Kind: kindCounter, Answers: promptDeal, New: func() engine.Action { return new(Counter) }},
}

// promptOf is the kind of the prompts that are open in each phase, "" for none.
var promptOf = [...]string{MovingDie: kindMoveDie, GivingUp: kindGiveUp, LayingOff: kindLayOff, Placing: promptPlace, Over: ""}

// Prospect explains a choice that changes a casino: what it costs and what the casino would be.
type Prospect struct {
	Cost int32 `json:"cost"`
	// Size is in tiles and risers.
	Size int16 `json:"size"`
	// Die is the face that the new die would show.
	Die uint8 `json:"die,omitempty"`
	// Boss would be the boss, or -1 where dice must decide or there is no die.
	Boss engine.Seat `json:"boss"`
}

// prospect tells what a casino of those lots would be if seat's new die went to the lot to, coming from the lot from.
func (s *State) prospect(lots lotSet, height uint8, seat engine.Seat, to, from, cost int) Prospect {
	boss, top := s.leader(lots, from)
	p := Prospect{Cost: int32(cost), Size: int16(lots.count() * int(height))}
	if to != noLot {
		p.Die = uint8(s.board.lots[to].Die)
		switch {
		case p.Die > top:
			boss = seat
		// The new die ties with another owner's, and a reroll decides (Reroll if Tied; Rulings 7).
		case p.Die == top && boss != seat:
			boss = engine.NoSeat
		}
	}
	p.Boss = boss
	return p
}

// source resolves the argument that names the lot whose die moves to a new tile. It is needed when the supply is empty, and
// refused otherwise: a die on the board is never free to move (Step 2: Play, Available Dice; Rulings 5).
func (s *State) source(seat engine.Seat, id LotID) (int, refusal) {
	left := s.diceLeft(seat) > 0
	switch {
	case id == "" && left:
		return noLot, refusal{}
	case id == "":
		return noLot, refuse(dieNeeded, ruleDice)
	case left:
		return noLot, refuse(dieInSupply, ruleDice)
	}
	lot, ok := s.lot(id)
	if !ok {
		return noLot, noSuchLot("from")
	}
	if !s.Lots[lot].hasDie(seat) {
		return noLot, refuse(notYourDie, ruleDice)
	}
	return lot, refusal{}
}

// sources are the lots that a new tile's die may come from: none but noLot while there are dice in the supply.
func (s *State) sources(seat engine.Seat, room []int) []int {
	if s.diceLeft(seat) > 0 {
		return append(room, noLot)
	}
	for lot := range s.Lots {
		if s.Lots[lot].hasDie(seat) {
			room = append(room, lot)
		}
	}
	return room
}

// offers collects choices.
type offers struct{ list []engine.Choice }

// add offers an action.
func (o *offers) add(action engine.Action, facts any) {
	o.list = append(o.list, engine.Choice{Action: action, Facts: facts})
}

package lords

import (
	"cmp"
	"slices"

	"boulevard/engine"
)

// A turn is: draw a card, take over its lot (which may need an answer from the player), be paid, then take actions until
// one ends the turn. A gamble waits for its boss and a reorganize for its owners before the turn goes on.
//
// Trades come at any time, whoever's turn it is: deal.go.
//
//	Drawing -> [MovingDie | GivingUp] -> Playing -> ([LayingOff | Placing] -> Playing)* -> Drawing of the next seat

// offered lists what may be done in each phase. In Playing the turn's actions are listed in the order of the rule book.
var offered = [...][]func(s *State, seat engine.Seat, out *offers){
	Drawing:   {(*State).offerDraw},
	MovingDie: {(*State).offerMoveDice},
	GivingUp:  {(*State).offerGiveUps},
	Playing: {
		(*State).offerBuilds, (*State).offerSprawls, (*State).offerRemodels, (*State).offerReorganizes,
		(*State).offerGambles, (*State).offerRaises, (*State).offerEnd,
	},
	LayingOff: {(*State).offerLayOffs},
	Placing:   {(*State).offerPlacements},
	Over:      {},
}

// choices collects what the phase offers. The list is handed out as a copy of its exact length: it is the largest thing
// that a turn allocates.
func (s *State) choices(seat engine.Seat) []engine.Choice {
	out := &s.scratch
	out.list = out.list[:0]
	for _, offer := range offered[s.Phase] {
		offer(s, seat, out)
	}
	if id := s.asked(seat); id != 0 {
		for i := range out.list {
			out.list[i].Prompt = id
		}
	}
	return slices.Clone(out.list)
}

// check says why an action is not possible. Answers come only while their prompt is open; of the others, only the draw and
// trades are possible before the draw (Rulings 4).
func (s *State) check(seat engine.Seat, a Action) refusal {
	if s.Phase == Drawing {
		switch a.(type) {
		case *Draw, *Propose, *Accept, *Withdraw, *Counter:
		default:
			return refuse(mustDrawFirst, ruleTurns)
		}
	}
	return a.check(s, seat)
}

// playOn pays the card that was drawn, after which the turn's actions can be taken.
func (s *State) playOn(log *engine.Log) {
	s.Phase = Playing
	s.payCard(log)
}

// ask opens a prompt for a seat, in the move that the dice are those of.
func (s *State) ask(seat engine.Seat, dice *engine.Dice) {
	s.Asks = append(s.Asks, Ask{ID: engine.NewPromptID(dice.Version(), seat), Seat: seat})
}

// answered closes the seat's prompt.
func (s *State) answered(seat engine.Seat) {
	s.Asks = slices.DeleteFunc(s.Asks, func(a Ask) bool { return a.Seat == seat })
}

// asked is the seat's open prompt, or 0.
func (s *State) asked(seat engine.Seat) engine.PromptID {
	for _, a := range s.Asks {
		if a.Seat == seat {
			return a.ID
		}
	}
	return 0
}

// prompts are those of the phase, with what happens if nobody answers.
func (s *State) prompts() []engine.Prompt {
	if len(s.Asks) == 0 && len(s.Deals) == 0 {
		return nil
	}
	prompts := make([]engine.Prompt, 0, len(s.Asks))
	for _, a := range s.Asks {
		prompts = append(prompts, engine.Prompt{
			ID: a.ID, Seat: a.Seat, Kind: promptOf[s.Phase], Default: s.defaultAnswer(a.Seat),
		})
	}
	for i := range s.Deals {
		prompts = s.Deals[i].prompts(s.Turn, prompts)
	}
	slices.SortFunc(prompts, func(a, b engine.Prompt) int { return cmp.Compare(a.ID, b.ID) })
	return prompts
}

// defaultAnswer is what is done for a seat that does not answer.
func (s *State) defaultAnswer(seat engine.Seat) engine.Action {
	switch s.Phase {
	case MovingDie:
		return s.defaultMoveDie(seat)
	case GivingUp:
		return s.defaultGiveUp(seat)
	case LayingOff:
		// A boss who says nothing takes the whole bet, which favours him a little (Action - Gamble, Strategy).
		return new(LayOff)
	default:
		return s.safePlacement(seat)
	}
}

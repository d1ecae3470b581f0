package host

import (
	"slices"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// play makes a move of the game's rules, and notes whether it can be taken back.
func play(g *Game, entry store.Entry, dice *engine.Dice) ([]engine.Event, error) {
	if g.match == nil {
		return nil, notPlaying()
	}
	action, err := g.rules.DecodeAction(entry.Action)
	if err != nil {
		return nil, err
	}
	move := engine.Move{Seat: engine.Seat(entry.Seat), Action: action, Prompt: engine.PromptID(entry.Prompt)}
	events, refusal := g.match.Act(move, dice)
	if refusal != nil {
		return nil, fromRefusal(refusal)
	}
	g.noteUndo(move, dice)
	return events, nil
}

// fromRefusal tells a seat that is not asked from an action that the rules forbid.
func fromRefusal(r *engine.Refusal) *Error {
	e := refused(r)
	switch r.Code {
	case engine.NotAsked:
		e.Code, e.Message = NotAsked, "the game does not wait for you"
	case engine.GameOver:
		e.Code, e.Message = GameNotPlaying, "the game is over"
	}
	return e
}

// maxUndo bounds how many steps can be taken back: more than anybody does in a turn.
const maxUndo = 64

// noteUndo keeps what the seat that has just acted could take back. A play that is bound ends what came before it, too.
func (g *Game) noteUndo(move engine.Move, dice *engine.Dice) {
	undo := &store.Undoable{Seat: int8(move.Seat), Bound: g.bound(move, dice)}
	if undo.Bound == store.Free {
		if g.Undo != nil && g.Undo.Seat == undo.Seat {
			undo.Back = slices.Clone(g.Undo.Back[max(0, len(g.Undo.Back)+1-maxUndo):])
		}
		undo.Back = append(undo.Back, g.Version)
	}
	g.Undo = undo
}

// bound is why a play that was made cannot be taken back.
func (g *Game) bound(move engine.Move, dice *engine.Dice) store.Bound {
	actions := g.rules.Actions()
	kind := slices.IndexFunc(actions, func(t engine.ActionType) bool { return t.Kind == move.Action.Kind() })
	switch {
	case actions[kind].Final || g.match.Outcome() != nil:
		return store.FinalPlay
	case dice.Used():
		return store.DiceUsed
	case actions[kind].Reveals:
		return store.HiddenSeen
	case g.asksOthers(move.Seat, dice.Version()):
		return store.OthersAsked
	}
	return store.Free
}

// asksOthers reports whether the game now waits for other seats, or has just asked one of them what it may leave
// unanswered.
func (g *Game) asksOthers(seat engine.Seat, version uint64) bool {
	return slices.ContainsFunc(g.match.Asked(), func(asked engine.Seat) bool { return asked != seat }) ||
		slices.ContainsFunc(g.match.Prompts(), func(p engine.Prompt) bool {
			return p.Seat != seat && p.ID.Version() == version
		})
}

// undoReasons are why a seat's last play cannot be taken back.
var undoReasons = map[store.Bound]string{
	store.DiceUsed: "dice_used", store.HiddenSeen: "hidden_seen", store.OthersAsked: "others_asked", store.FinalPlay: "final",
}

// UndoReason says why a seat cannot take back its last play, or "" when it can.
func (g *Game) UndoReason(seat engine.Seat) string {
	switch {
	case seat == engine.NoSeat:
		return "not_seated"
	case g.Status != store.Playing:
		return "not_playing"
	case g.Undo == nil:
		return "nothing_to_undo"
	case g.Undo.Seat != int8(seat):
		return "other_player"
	case g.Undo.Bound != store.Free:
		return undoReasons[g.Undo.Bound]
	case len(g.Undo.Back) == 0:
		return "nothing_to_undo"
	}
	return ""
}

func (g *Game) checkUndo(seat engine.Seat) error {
	if reason := g.UndoReason(seat); reason != "" {
		return &Error{Code: UndoRefused, Message: "it cannot be taken back", Refusal: engine.Refuse(reason, "", nil)}
	}
	return nil
}

// undo brings back the state before the seat's last play, in a version of its own.
func undo(g *Game, entry store.Entry, _ *engine.Dice) ([]engine.Event, error) {
	if err := g.checkUndo(engine.Seat(entry.Seat)); err != nil {
		return nil, err
	}
	state, err := g.memory.state(entry.Back)
	if err != nil {
		return nil, err
	}
	match, err := g.rules.Restore(state)
	if err != nil {
		return nil, err
	}
	last := len(g.Undo.Back) - 1
	g.match, g.Undo = match, &store.Undoable{Seat: g.Undo.Seat, Back: g.Undo.Back[:last:last]}
	return nil, nil
}

package host

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// Command is a change of a game that somebody asks for.
type Command struct {
	Game   string
	Player store.Player
	// Key is the idempotency key: the same player's same key is carried out once.
	Key string
	// Deed says what to do; what a store.Play plays is in Play.
	Deed store.Deed
	Play Play
	// Orders are what a store.Order leaves.
	Orders []StandingOrder
	// Invited is whom a store.Invite asks.
	Invited string
	// Back, Rules and Reason are what an operator's store.Rewind and store.Repin say.
	Back   uint64
	Rules  int
	Reason string
	// Version is the version of the game that the player decided on, or 0.
	Version uint64
	// Prompt is the prompt that the player answers, or 0.
	Prompt engine.PromptID
}

// Play is an action of the game's rules.
type Play struct {
	// Kind and Args (JSON) name the action.
	Kind string
	Args []byte
}

// keyHash is what the journal keeps of an idempotency key. It is the player's own: nobody can use up another's keys.
func keyHash(player, key string) store.KeyHash {
	sum := sha256.Sum256([]byte(player + "\x00" + key))
	return store.KeyHash(sum[:len(store.KeyHash{})])
}

// entry is what the journal will say of the command, carried out at now (unix milliseconds) on g. It refuses what can
// be told from the command and the seats alone.
func (c Command) entry(g *Game, now int64) (store.Entry, error) {
	entry := store.Entry{Deed: c.Deed, Key: keyHash(c.Player.ID, c.Key), After: max(0, now-g.Created)}
	if !seatedDeeds[c.Deed] {
		entry.Player, entry.Invited = &c.Player, c.Invited
		entry.Back, entry.Rules, entry.Reason = c.Back, c.Rules, c.Reason
		return entry, nil
	}
	seat := g.SeatOf(c.Player.ID)
	if seat == engine.NoSeat {
		return entry, notSeated()
	}
	entry.Seat, entry.Prompt = int8(seat), uint32(c.Prompt)
	var err error
	switch c.Deed {
	case store.Play:
		entry.Action, err = g.encodePlay(c.Play)
	case store.Order:
		entry.Orders, err = g.encodeOrders(c.Orders)
	default:
		entry.Back = g.nextBack()
	}
	return entry, err
}

// seatedDeeds are what only a seat can do. The others are done by players, with or without one.
var seatedDeeds = map[store.Deed]bool{store.Play: true, store.Undo: true, store.Order: true}

func (g *Game) encodePlay(p Play) ([]byte, error) {
	action, refusal := g.rules.ParseAction(p.Kind, p.Args)
	if refusal != nil {
		return nil, refused(refusal)
	}
	return g.rules.EncodeAction(action)
}

// nextBack is the version whose state an undo would bring back, or 0.
func (g *Game) nextBack() uint64 {
	if g.Undo == nil || len(g.Undo.Back) == 0 {
		return 0
	}
	return g.Undo.Back[len(g.Undo.Back)-1]
}

func notSeated() *Error { return &Error{Code: NotSeated, Message: "you have no seat in this game"} }

// sameDeed reports whether two entries with one key ask for the same. What an undo brings back follows from when it is
// asked for, and is no part of what is.
func sameDeed(a, b store.Entry) bool {
	samePlayer := a.Player == b.Player || (a.Player != nil && b.Player != nil && a.Player.ID == b.Player.ID)
	sameOperation := a.Rules == b.Rules && a.Reason == b.Reason
	return a.Deed == b.Deed && samePlayer && sameOperation && a.Invited == b.Invited && a.Seat == b.Seat && a.Prompt == b.Prompt &&
		bytes.Equal(a.Action, b.Action) && slices.EqualFunc(a.Orders, b.Orders, bytes.Equal)
}

// checkPresent refuses a command that speaks of a past that is over. What is done to a table before the start speaks of
// no version: it asks for the same whoever else has come or gone.
func (c Command) checkPresent(g *Game, entry store.Entry) error {
	switch {
	case !seatedDeeds[c.Deed]:
		return nil
	case c.Version == 0 && c.Prompt == 0:
		return &Error{Code: VersionMissing, Message: "say what it was decided on: a version in If-Match, or a prompt"}
	case c.Version != 0 && c.Prompt != 0:
		return &Error{Code: VersionAndPrompt, Message: "say either a version or a prompt"}
	case c.Prompt != 0:
		return checkPrompt(g, c.Prompt, engine.Seat(entry.Seat))
	case c.Version != g.Version:
		return &Error{
			Code: VersionConflict, Message: "the game has moved on",
			Conflict: &Conflict{Game: g, StillLegal: g.wouldAccept(entry)},
		}
	case c.Deed == store.Undo:
		return g.checkUndo(engine.Seat(entry.Seat))
	}
	return nil
}

func checkPrompt(g *Game, id engine.PromptID, seat engine.Seat) error {
	prompts := g.Prompts()
	i := slices.IndexFunc(prompts, func(p engine.Prompt) bool { return p.ID == id })
	switch {
	case i < 0:
		return &Error{Code: PromptClosed, Message: "the prompt is not open", Conflict: &Conflict{Game: g}}
	case prompts[i].Seat != seat:
		return &Error{Code: NotAsked, Message: "the prompt is another seat's"}
	}
	return nil
}

func (g *Game) wouldAccept(entry store.Entry) bool {
	switch {
	case g.Status != store.Playing:
		return false
	case entry.Deed == store.Undo:
		return g.UndoReason(engine.Seat(entry.Seat)) == ""
	case entry.Deed == store.Order:
		return true
	}
	action, err := g.rules.DecodeAction(entry.Action)
	return err == nil && g.match.Check(engine.Move{Seat: engine.Seat(entry.Seat), Action: action}) == nil
}

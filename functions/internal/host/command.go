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
}

// Play is an action of the game's rules, and what it was decided on: either a version or a prompt.
type Play struct {
	// Kind and Args (JSON) name the action.
	Kind string
	Args []byte
	// Version is the version of the game that the player saw, or 0.
	Version uint64
	// Prompt is the prompt answered, or 0.
	Prompt engine.PromptID
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
	if c.Deed != store.Play {
		entry.Player = &c.Player
		return entry, nil
	}
	seat := g.SeatOf(c.Player.ID)
	if seat == engine.NoSeat {
		return entry, notSeated()
	}
	action, refusal := g.rules.ParseAction(c.Play.Kind, c.Play.Args)
	if refusal != nil {
		return entry, refused(refusal)
	}
	var err error
	entry.Seat, entry.Prompt = int8(seat), uint32(c.Play.Prompt)
	entry.Action, err = g.rules.EncodeAction(action)
	return entry, err
}

func notSeated() *Error { return &Error{Code: NotSeated, Message: "you have no seat in this game"} }

// sameDeed reports whether two entries with one key ask for the same.
func sameDeed(a, b store.Entry) bool {
	samePlayer := a.Player == b.Player || (a.Player != nil && b.Player != nil && a.Player.ID == b.Player.ID)
	return a.Deed == b.Deed && samePlayer && a.Seat == b.Seat && a.Prompt == b.Prompt && bytes.Equal(a.Action, b.Action)
}

// checkPresent refuses a command that speaks of a past that is over. What is done to a table before the start speaks of
// no version: it asks for the same whoever else has come or gone.
func (c Command) checkPresent(g *Game, entry store.Entry) error {
	play := c.Play
	switch {
	case c.Deed != store.Play:
		return nil
	case play.Version == 0 && play.Prompt == 0:
		return &Error{Code: VersionMissing, Message: "say what it was decided on: a version in If-Match, or a prompt"}
	case play.Version != 0 && play.Prompt != 0:
		return &Error{Code: VersionAndPrompt, Message: "say either a version or a prompt"}
	case play.Prompt != 0:
		return checkPrompt(g, play.Prompt, engine.Seat(entry.Seat))
	case play.Version != g.Version:
		return &Error{
			Code: VersionConflict, Message: "the game has moved on",
			Conflict: &Conflict{Game: g, StillLegal: g.wouldAccept(entry)},
		}
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
	if g.match == nil {
		return false
	}
	action, err := g.rules.DecodeAction(entry.Action)
	return err == nil && g.match.Check(engine.Move{Seat: engine.Seat(entry.Seat), Action: action}) == nil
}

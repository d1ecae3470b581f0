package host

import (
	"fmt"
	"slices"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// apply carries out an entry, and g is then what the entry makes of it. A live command and the replay of a journal both
// come through here, so that what is replayed is what was done.
func (g *Game) apply(entry store.Entry) ([]engine.Event, error) {
	deed, known := deeds[entry.Deed]
	if !known {
		return nil, fmt.Errorf("host: game %s: no such deed: %d", g.ID, entry.Deed)
	}
	events, err := deed(g, entry)
	if err != nil {
		return nil, err
	}
	return events, g.settle()
}

var deeds = map[store.Deed]func(*Game, store.Entry) ([]engine.Event, error){
	store.Create: join,
	store.Join:   join,
	store.Leave:  leave,
	store.Start:  start,
	store.Play:   play,
}

func notOpen() *Error {
	return &Error{Code: GameNotOpen, Message: "the game takes no players any more"}
}

// join seats a player. The last seat taken starts the game: in an asynchronous game nobody should have to wait for the
// host to notice that everybody is there.
func join(g *Game, entry store.Entry) ([]engine.Event, error) {
	switch {
	case g.SeatOf(entry.Player.ID) != engine.NoSeat:
		return nil, &Error{Code: AlreadySeated, Message: "you have a seat"}
	case g.Status != store.Open:
		return nil, notOpen()
	}
	g.Players = append(slices.Clone(g.Players), *entry.Player)
	if len(g.Players) < g.Seats {
		return nil, nil
	}
	return g.setUp()
}

// leave gives up a seat; those behind it move up.
func leave(g *Game, entry store.Entry) ([]engine.Event, error) {
	seat := g.SeatOf(entry.Player.ID)
	switch {
	case seat == engine.NoSeat:
		return nil, notSeated()
	case g.Status != store.Open:
		return nil, notOpen()
	}
	g.Players = slices.Delete(slices.Clone(g.Players), int(seat), int(seat)+1)
	if len(g.Players) == 0 {
		g.Status = store.Cancelled
	}
	return nil, nil
}

// start begins the game with those who are there.
func start(g *Game, entry store.Entry) ([]engine.Event, error) {
	least := g.rules.Info().MinSeats
	switch {
	case g.SeatOf(entry.Player.ID) == engine.NoSeat:
		return nil, notSeated()
	case g.Status != store.Open:
		return nil, notOpen()
	case g.Players[0].ID != entry.Player.ID:
		return nil, &Error{Code: NotHost, Message: "only the game's host starts it"}
	case len(g.Players) < least:
		return nil, &Error{Code: TooFewPlayers, Message: fmt.Sprintf("the game needs %d players", least)}
	}
	return g.setUp()
}

func (g *Game) setUp() ([]engine.Event, error) {
	setup := engine.Setup{Seats: len(g.Players), Options: g.Options}
	match, events, err := g.rules.New(setup, g.dice())
	if err != nil {
		return nil, err
	}
	g.match, g.Status = match, store.Playing
	return events, nil
}

// play makes a move of the game's rules.
func play(g *Game, entry store.Entry) ([]engine.Event, error) {
	if g.match == nil {
		return nil, &Error{Code: GameNotPlaying, Message: "the game has not started"}
	}
	action, err := g.rules.DecodeAction(entry.Action)
	if err != nil {
		return nil, err
	}
	move := engine.Move{Seat: engine.Seat(entry.Seat), Action: action, Prompt: engine.PromptID(entry.Prompt)}
	events, refusal := g.match.Act(move, g.dice())
	if refusal != nil {
		return nil, fromRefusal(refusal)
	}
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

// dice are those of the version that is being made.
func (g *Game) dice() *engine.Dice { return engine.NewDice(g.seed(), g.Version+1) }

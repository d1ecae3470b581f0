package host

import (
	"fmt"
	"slices"

	"boulevard/engine"
	"boulevard/engine/record"
	"boulevard/functions/internal/store"
)

// step is what carrying out one entry did.
type step struct {
	events []engine.Event
	rolls  []engine.Roll
}

// carry carries out an entry, and g is then at the version that it makes. A live command and the replay of a journal both
// come through here, so that what is replayed is what was done.
func (g *Game) carry(entry store.Entry) (step, error) {
	deed, known := deeds[entry.Deed]
	if !known {
		return step{}, fmt.Errorf("host: game %s: no such deed: %d", g.ID, entry.Deed)
	}
	dice := g.dice(entry)
	events, err := deed(g, entry, dice)
	if err != nil {
		return step{}, err
	}
	g.Version++
	g.Tail = []store.Entry{entry}
	if err := g.settle(); err != nil {
		return step{}, err
	}
	g.memory.keep(g.Version, g.State)
	return step{events: events, rolls: dice.Rolls()}, nil
}

var deeds = map[store.Deed]func(*Game, store.Entry, *engine.Dice) ([]engine.Event, error){
	store.Create: join,
	store.Join:   join,
	store.Leave:  leave,
	store.Start:  start,
	store.Play:   play,
	store.Undo:   undo,
	store.Order:  order,
	store.Invite: invite,
	store.Rewind: rewind,
	store.Repin:  repin,
}

func notOpen() *Error {
	return &Error{Code: GameNotOpen, Message: "the game takes no players any more"}
}

func notPlaying() *Error {
	return &Error{Code: GameNotPlaying, Message: "the game has not started, or is over"}
}

// join seats a player. The last seat taken starts the game: in an asynchronous game nobody should have to wait for the
// host to notice that everybody is there.
func join(g *Game, entry store.Entry, dice *engine.Dice) ([]engine.Event, error) {
	switch {
	case g.SeatOf(entry.Player.ID) != engine.NoSeat:
		return nil, &Error{Code: AlreadySeated, Message: "you have a seat"}
	case g.Status != store.Open:
		return nil, notOpen()
	}
	g.Players = append(slices.Clone(g.Players), *entry.Player)
	g.Invited = slices.DeleteFunc(slices.Clone(g.Invited), func(id string) bool { return id == entry.Player.ID })
	if len(g.Players) < g.Seats {
		return nil, nil
	}
	return g.setUp(dice)
}

// leave gives up a seat; those behind it move up.
func leave(g *Game, entry store.Entry, _ *engine.Dice) ([]engine.Event, error) {
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
func start(g *Game, entry store.Entry, dice *engine.Dice) ([]engine.Event, error) {
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
	return g.setUp(dice)
}

// setUp makes the match. Its dice depend on what the players added to the seed, the last of them in this very entry.
func (g *Game) setUp(dice *engine.Dice) ([]engine.Event, error) {
	setup := engine.Setup{Seats: len(g.Players), Options: g.Options}
	match, events, err := g.rules.New(setup, dice)
	if err != nil {
		return nil, err
	}
	g.match, g.Status, g.Invited = match, store.Playing, nil
	return events, nil
}

// dice are those of the version that an entry makes. Whoever sits down in it has added to their seed already.
func (g *Game) dice(entry store.Entry) *engine.Dice {
	players := g.Players
	if entry.Deed == store.Create || entry.Deed == store.Join {
		players = append(slices.Clone(players), *entry.Player)
	}
	entropy := make([][]byte, len(players))
	for i, p := range players {
		entropy[i] = p.Entropy
	}
	return engine.NewDice(record.Seed(g.secret[:], g.ID, entropy), g.Version+1)
}

package store

import (
	"fmt"

	"boulevard/engine/codec"
)

// Status is where a game stands in its life.
type Status uint8

// A game is open until it starts, and ends finished, or cancelled when everybody left before it started.
const (
	Open Status = iota + 1
	Playing
	Finished
	Cancelled
)

var statusNames = map[Status]string{Open: "open", Playing: "playing", Finished: "finished", Cancelled: "cancelled"}

// String is the status as the API names it.
func (s Status) String() string { return statusNames[s] }

// Player is someone at a table, as the others know him.
type Player struct {
	_    struct{} `cbor:",toarray"`
	ID   string
	Name string
	// Entropy is what the player added to the seed of the dice when he sat down; it may be empty.
	Entropy []byte
}

// Undoable is what the seat that acted last could take back.
type Undoable struct {
	_    struct{} `cbor:",toarray"`
	Seat int8
	// Bound is why nothing can be taken back, or Free.
	Bound Bound
	// Back are the versions whose states would come back, the nearest last.
	Back []uint64
}

// Bound is why a play cannot be taken back.
type Bound uint8

// A play is Free to be taken back unless dice were rolled, something hidden was shown, somebody else was asked, or it was
// final by itself.
const (
	Free Bound = iota
	DiceUsed
	HiddenSeen
	OthersAsked
	FinalPlay
)

// SeatOrders are the standing orders of a seat, as the engine encodes them.
type SeatOrders struct {
	_      struct{} `cbor:",toarray"`
	Seat   int8
	Orders [][]byte
}

// Head is a game as it stands: the one item that every command reads and writes.
type Head struct {
	ID string `cbor:"-"`
	// Version counts the commands that changed the game. It is the item's rev.
	Version uint64 `cbor:"-"`
	// Game and Rules are the catalogue's id and the version of the rules, fixed at creation unless an operator pins it anew.
	Game  string `cbor:"1,keyasint"`
	Rules int    `cbor:"2,keyasint"`
	// Options are the game's options, each with its value.
	Options map[string]string `cbor:"3,keyasint,omitempty"`
	Status  Status            `cbor:"4,keyasint"`
	// Seats is the number of seats offered; Players are those taken, in seat order. The first player hosts.
	Seats   int      `cbor:"5,keyasint"`
	Players []Player `cbor:"6,keyasint"`
	// Created is in unix milliseconds.
	Created int64 `cbor:"7,keyasint"`
	// Asked are the seats that the game waits for.
	Asked []int8 `cbor:"8,keyasint,omitempty"`
	// State is the match's snapshot, from the start on.
	State []byte `cbor:"9,keyasint,omitempty"`
	// Tail is the newest part of the journal: the entries that no page holds. It ends with the entry of this version.
	Tail []Entry `cbor:"10,keyasint"`
	// SecretKey names the key that the secret of the dice is derived with.
	SecretKey string `cbor:"11,keyasint"`
	// Orders are the standing orders of the seats that have any, in seat order.
	Orders []SeatOrders `cbor:"12,keyasint,omitempty"`
	// Undo is nil until somebody has played.
	Undo *Undoable `cbor:"13,keyasint,omitempty"`
	// Invited are the ids of players whom somebody at an open table wants there.
	Invited []string `cbor:"14,keyasint,omitempty"`
	// Pins are the rules of before, the oldest first, of a game that was pinned anew.
	Pins []Pin `cbor:"15,keyasint,omitempty"`

	// foreign is what a newer build put into the head.
	foreign codec.Foreign
}

// Deed is what an entry did.
type Deed uint8

// Play is an action of the game's rules; the others are what is done to its table.
const (
	Play Deed = iota
	Create
	Join
	Leave
	Start
	// Undo takes back the last play.
	Undo
	// Order replaces a seat's standing orders.
	Order
	// Invite asks a player to an open table.
	Invite
	// Rewind brings back an earlier state, and Repin goes on by another version of the rules: an operator does them.
	Rewind
	Repin
)

var deedNames = map[Deed]string{
	Play: "play", Create: "create", Join: "join", Leave: "leave", Start: "start", Undo: "undo", Order: "order",
	Invite: "invite", Rewind: "rewind", Repin: "repin",
}

// String is the deed as the API names it.
func (d Deed) String() string { return deedNames[d] }

// KeyHash identifies a player's idempotency key within a game.
type KeyHash [8]byte

// Entry is a committed command in the journal, enough to repeat it.
type Entry struct {
	Deed Deed `cbor:"1,keyasint,omitempty"`
	// Seat acted, once there are seats.
	Seat int8 `cbor:"2,keyasint,omitempty"`
	// Action is the engine's encoding of a Play.
	Action []byte `cbor:"3,keyasint,omitempty"`
	// Prompt is the prompt answered, or 0.
	Prompt uint32 `cbor:"4,keyasint,omitempty"`
	// Key is the command's idempotency key. An Auto entry has none.
	Key KeyHash `cbor:"5,keyasint,omitzero"`
	// After is the time since the game was created, in milliseconds.
	After int64 `cbor:"6,keyasint,omitempty"`
	// Player did it, before there are seats.
	Player *Player `cbor:"7,keyasint,omitempty"`
	// Auto tells that a standing order made this play, in the command of the entry before it.
	Auto bool `cbor:"8,keyasint,omitempty"`
	// Back is the version whose state an Undo or a Rewind brought back.
	Back uint64 `cbor:"9,keyasint,omitempty"`
	// Orders are what an Order leaves, as the engine encodes them.
	Orders [][]byte `cbor:"10,keyasint,omitempty"`
	// Invited is the id of the player whom an Invite asks.
	Invited string `cbor:"11,keyasint,omitempty"`
	// Reason is why an operator did it.
	Reason string `cbor:"12,keyasint,omitempty"`
	// Rules is the version of the rules that a Repin goes on by.
	Rules int `cbor:"13,keyasint,omitempty"`
}

// Pin is the version of the rules that a game was played by before it was pinned to another.
type Pin struct {
	_ struct{} `cbor:",toarray"`
	// Until is the last version of the game that was made by these rules.
	Until uint64
	Rules int
}

// JournalPage is an immutable piece of the journal.
type JournalPage struct {
	// Last is the version that the page's last entry made: the entries made the versions up to it, one each.
	Last    uint64  `cbor:"-"`
	Entries []Entry `cbor:"1,keyasint"`
	// State, Orders and Undo are those of the head at Last.
	State  []byte       `cbor:"2,keyasint,omitempty"`
	Orders []SeatOrders `cbor:"3,keyasint,omitempty"`
	Undo   *Undoable    `cbor:"4,keyasint,omitempty"`
}

// First is the version that the page's first entry made.
func (p JournalPage) First() uint64 { return p.Last + 1 - uint64(len(p.Entries)) }

// First is the version that the first entry of the tail made.
func (h Head) First() uint64 { return h.Version + 1 - uint64(len(h.Tail)) }

// OpenGame is a row of the list of games that have a free seat.
type OpenGame struct {
	ID      string            `cbor:"1,keyasint"`
	Game    string            `cbor:"2,keyasint"`
	Options map[string]string `cbor:"3,keyasint,omitempty"`
	Seats   int               `cbor:"4,keyasint"`
	Players []Player          `cbor:"5,keyasint"`
	Created int64             `cbor:"6,keyasint"`
}

func decode(item Item, value any) error {
	if err := codec.Decode(item.Body, value); err != nil {
		return fmt.Errorf("store: item %s %s: %w", item.PK, item.SK, err)
	}
	return nil
}

// Package record is the document that a game is exported as: all that was decided in it, so that it can be played again
// and its dice be checked anywhere, without the server that hosted it.
package record

import "encoding/json"

// Format is the version of the document's form.
const Format = 1

// Game is an exported game.
type Game struct {
	Format int    `json:"format"`
	ID     string `json:"id"`
	// Game and Rules are the catalogue's id and the version of the rules that it was created with.
	Game    string            `json:"game"`
	Rules   int               `json:"rules"`
	Options map[string]string `json:"options"`
	Status  string            `json:"status"`
	// Version is the game's, and that of the last entry.
	Version uint64 `json:"version"`
	// Players are in the order of the seats.
	Players []Player `json:"players"`
	// Created is in unix milliseconds.
	Created int64 `json:"created"`
	// Commitment is the SHA-256 of Secret, in hexadecimal digits.
	Commitment string `json:"commitment"`
	// Secret is what the dice come from, in hexadecimal digits. It is absent until the game has ended.
	Secret  string  `json:"secret,omitempty"`
	Entries []Entry `json:"entries"`
	// State is the last snapshot, in base64. It is absent until the game has ended.
	State []byte `json:"state,omitempty"`
	// View is the table as the one who exports sees it, in a game that has not ended.
	View json.RawMessage `json:"view,omitempty"`
}

// Player is who sat on a seat.
type Player struct {
	Name string `json:"name"`
	// Entropy is what the player added to the seed when he sat down, in hexadecimal digits.
	Entropy string `json:"entropy,omitempty"`
}

// Entry is a line of the journal.
type Entry struct {
	// Version is the one that the entry made.
	Version uint64 `json:"version"`
	// At is in unix milliseconds.
	At int64 `json:"at"`
	// Kind is "create", "join", "invite", "leave", "start", "undo", "order", what an operator did ("rewind", "repin"), or the
	// kind of an action. The last create or join of a
	// full table, or a start, sets up the match with the dice of its version.
	Kind string `json:"kind"`
	// Starts tells that the entry set up the match.
	Starts bool `json:"starts,omitempty"`
	// Seat acted, from the start on.
	Seat *int `json:"seat,omitempty"`
	// Prompt is the prompt that an action answered.
	Prompt uint32          `json:"prompt,omitempty"`
	Args   json.RawMessage `json:"args,omitempty"`
	// Auto tells that a standing order acted.
	Auto bool `json:"auto,omitempty"`
	// Back is, for an undo or a rewind, the version whose state it brought back.
	Back uint64 `json:"back,omitempty"`
	// Rules is, for a repin, the version of the rules that the game goes on by.
	Rules int `json:"rules,omitempty"`
	// Rolls are the chances that the entry took, in order, each as its number of outcomes and its value: a die that shows
	// 4 is [6,3]. They are absent until the game has ended.
	Rolls [][2]int `json:"rolls,omitempty"`
}

// Package store is Boulevard's table: which items there are, what they are called, and how a game's journal is laid out in
// them. It is written once, over a [Driver] for each database.
//
// Every truth is one item, so that no write needs a transaction:
//
//	pk          sk                what
//	GAME#<id>   HEAD              the game as it stands, with the newest part of its journal; rev is its version
//	GAME#<id>   PAGE#<version>    an older part of the journal and the state it led to; never changed
//	OPEN        <created>#<id>    derived: a game with a free seat
//	PLAYER#<id> GAME#<id>         derived: a game in which the player has a seat, until it ends
//
// Derived items follow from HEADs and can be rebuilt from them.
package store

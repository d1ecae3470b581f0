// Package engine is the contract between Boulevard and the games it hosts.
//
// A game is written as [Rules] over its own typed state. [Bind] turns those rules into a [Game], whose [Match]es the rest
// of the program handles without knowing any rule: it asks who must act, what each seat may do, applies one move and keeps
// the snapshot.
//
// Everything here is pure: no network, no clock, no goroutine, no logging. The same state, move and dice give the same
// result on every machine, so a journal of moves replays to the byte.
package engine

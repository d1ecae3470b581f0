// Package host is the domain of hosting games: who sits where, what was done, in which version a game is.
//
// Every change of a game is one [Command] through one door, [Host.Act]: one strongly consistent read of the game's head,
// one conditional write of it. Nothing is told to anybody before that write, and everything else follows from it.
package host

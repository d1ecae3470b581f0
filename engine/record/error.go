package record

import (
	"encoding/hex"
	"errors"
	"fmt"
)

// ErrSecret tells that a document cannot be checked yet: the secret is revealed when the game has ended.
var ErrSecret = errors.New("record: the document has no secret: it is revealed when the game has ended")

// CommitmentError tells that the secret is not the one that the host was bound to when the game was created.
type CommitmentError struct {
	// Committed is the document's commitment, and Secret the hash of the document's secret.
	Committed, Secret []byte
}

// Error says which hash was promised and which was found.
func (e *CommitmentError) Error() string {
	return fmt.Sprintf("record: the commitment is %s, but the hash of the secret is %s",
		hex.EncodeToString(e.Committed), hex.EncodeToString(e.Secret))
}

// RollError names a roll that is not the one it has to be.
type RollError struct {
	// Version is that of the entry, and Index the place in its rolls, counted from 0.
	Version uint64
	Index   int
	// Got is the document's roll, and Want the one that it has to be, each as its number of outcomes and its value. One
	// without outcomes stands for none.
	Got, Want [2]int
}

// Error says where the roll is, what it is and what it has to be.
func (e *RollError) Error() string {
	got, want := fmt.Sprintf("[%d,%d]", e.Got[0], e.Got[1]), fmt.Sprintf("[%d,%d]", e.Want[0], e.Want[1])
	switch {
	case e.Want[0] == 0:
		want = "none"
	case e.Got[0] == 0:
		got = "none"
	}
	return fmt.Sprintf("record: version %d, roll %d: the document has %s, but it has to be %s", e.Version, e.Index, got, want)
}

// ReplayError tells that a document whose dice are right does not play again as it says. Either somebody altered it, or this
// build plays by other rules under the same version of them, which has to be raised then.
type ReplayError struct {
	// ID is the game's, Game and Rules are the rules that it pins.
	ID, Game string
	Rules    int
	// Version is the one that the replay came to.
	Version uint64
	Cause   error
}

// Error says which rules are at stake: whoever broke a recorded game reads here what to do about it.
func (e *ReplayError) Error() string {
	return fmt.Sprintf("record: game %s (%s, rules version %d) replays differently at version %d: %v; "+
		"if the document is as it was exported, this build has changed %s without raising the version of the rules",
		e.ID, e.Game, e.Rules, e.Version, e.Cause, e.Game)
}

// Unwrap is what differs.
func (e *ReplayError) Unwrap() error { return e.Cause }

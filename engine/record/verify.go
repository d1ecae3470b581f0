package record

import (
	"bytes"
	"slices"

	"boulevard/engine"
)

// The kinds of entries that are no actions of the game's rules.
const (
	kindCreate = "create"
	kindJoin   = "join"
	kindLeave  = "leave"
	kindStart  = "start"
	kindUndo   = "undo"
	kindOrder  = "order"
	kindInvite = "invite"
	kindRewind = "rewind"
	kindRepin  = "repin"
)

// hosting are the kinds of entries that the host makes. No action of a game may be named so.
var hosting = []string{kindCreate, kindJoin, kindLeave, kindStart, kindUndo, kindOrder, kindInvite, kindRewind, kindRepin}

// isPlay reports whether an entry is an action of the game's rules.
func (e Entry) isPlay() bool { return !slices.Contains(hosting, e.Kind) }

// Verify checks the dice of a finished game without its rules: that the secret is the one committed to, and that every
// chance is the one that follows from it. The first that does not is told by a *RollError.
//
// Whether the rules asked for those chances, and for no more at the end of an entry, only Replay can tell.
func Verify(g Game) error {
	seed, err := g.seed()
	if err != nil {
		return err
	}
	for _, entry := range g.Entries {
		if err := verifyEntry(seed, entry); err != nil {
			return err
		}
	}
	return nil
}

// seed is what the dice come from, if the secret is the one committed to.
func (g Game) seed() (engine.Seed, error) {
	if err := g.check(); err != nil {
		return engine.Seed{}, err
	}
	if g.Secret == "" {
		return engine.Seed{}, ErrSecret
	}
	committed, err := digits("commitment", g.Commitment)
	if err != nil {
		return engine.Seed{}, err
	}
	secret, err := digits("secret", g.Secret)
	if err != nil {
		return engine.Seed{}, err
	}
	if hash := Commitment(secret); !bytes.Equal(hash[:], committed) {
		return engine.Seed{}, &CommitmentError{Committed: committed, Secret: hash[:]}
	}
	entropy, err := g.entropy()
	return Seed(secret, g.ID, entropy), err
}

// maxOutcomes is the most that one chance can have: they are taken from bytes.
const maxOutcomes = 256

func verifyEntry(seed engine.Seed, entry Entry) error {
	dice := engine.NewDice(seed, entry.Version)
	for i, got := range entry.Rolls {
		var want [2]int
		if (entry.isPlay() || entry.Starts) && got[0] >= 1 && got[0] <= maxOutcomes {
			want = [2]int{got[0], dice.Intn(got[0])}
		}
		if got != want || got[0] == 0 {
			return &RollError{Version: entry.Version, Index: i, Got: got, Want: want}
		}
	}
	return nil
}

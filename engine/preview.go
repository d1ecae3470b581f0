package engine

import "errors"

// Preview is what a move would do.
type Preview struct {
	// Events are what would happen for certain.
	Events []Event
	// Stopped says what the rest depends on: "" for nothing, else [StoppedByDice] or [StoppedByHidden].
	Stopped string
	// After is the match after the move, nil where it depends on more than is known. Prompts that the move would open are
	// named by the version after that of the last open one.
	After Match
}

// What a preview can be stopped by: dice that would be rolled, or something hidden that the move would show.
const (
	StoppedByDice   = "dice"
	StoppedByHidden = "hidden"
)

// errChance unwinds a preview that has come to a chance.
var errChance = errors.New("engine: a preview takes no chances")

func (m *match[S, A]) Preview(move Move) (Preview, *Refusal) {
	if refusal := m.Check(move); refusal != nil {
		return Preview{}, refusal
	}
	if m.reveals(move.Action.Kind()) {
		return Preview{Stopped: StoppedByHidden}, nil
	}
	return m.tried(move), nil
}

func (m *match[S, A]) reveals(kind string) bool {
	for _, t := range m.rules.Actions() {
		if t.Kind == kind {
			return t.Reveals
		}
	}
	return false
}

// tried makes a move on a copy, up to its first chance.
func (m *match[S, A]) tried(move Move) (preview Preview) {
	var log Log
	defer func() {
		if cause := recover(); cause != nil {
			if cause != errChance { //nolint:errorlint // the very value that was thrown, not an error that wraps it
				panic(cause)
			}
			preview = Preview{Events: log.events, Stopped: StoppedByDice}
		}
	}()
	copied, err := m.copied()
	if err != nil {
		panic(err) // a state that was restored can be restored again
	}
	m.rules.Apply(copied.state, move.Seat, bound[A](move), &Dice{version: m.unused(), forbidden: true}, &log)
	return Preview{Events: log.events, After: copied}
}

// unused is a version that no open prompt is named by.
func (m *match[S, A]) unused() uint64 {
	version := uint64(1)
	for _, p := range m.Prompts() {
		version = max(version, p.ID.Version()+1)
	}
	return version
}

func (m *match[S, A]) copied() (*match[S, A], error) {
	snapshot, err := m.Snapshot()
	if err != nil {
		return nil, err
	}
	return restore(m.rules, snapshot)
}

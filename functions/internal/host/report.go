package host

import (
	"context"
	"errors"

	"boulevard/functions/internal/store"
)

// Report tells what became of a command, for those who watch the host.
type Report struct {
	Game string
	// Version is the one that the command made, 0 where it made none.
	Version uint64
	// Deed is what was to be done, as the API names it.
	Deed string
	// Result is one of the results below, and Code the code of the error or of the rules' refusal.
	Result, Code string
}

// The results of commands.
const (
	// Done says that the command was carried out, now or when it was sent before.
	Done = "done"
	// Conflicted says that it spoke of a past that is over.
	Conflicted = "conflict"
	// Declined says that the rules, or the table's, do not accept it.
	Declined = "refused"
	// Broken says that it is not known what became of it, or that it can be sent again.
	Broken = "failed"
)

// report reports a command, if anybody wants to know.
func (h *Host) report(ctx context.Context, game string, deed store.Deed, answer Answer, err error) {
	if h.observe == nil {
		return
	}
	r := Report{Game: game, Deed: deed.String(), Result: Done}
	if err == nil {
		r.Version = answer.Game.Version
	} else {
		r.Result, r.Code = resultOf(err)
	}
	h.observe(ctx, r)
}

func resultOf(err error) (result, code string) {
	known, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		return Broken, "internal"
	case known.Code == Busy || known.Code == Unavailable || known.Code == OutcomeUnknown:
		return Broken, known.Code
	case known.Code == VersionConflict || known.Code == PromptClosed:
		return Conflicted, known.Code
	case known.Refusal != nil:
		return Declined, known.Refusal.Code
	}
	return Declined, known.Code
}

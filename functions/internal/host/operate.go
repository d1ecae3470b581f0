package host

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// operator is who the journal says acted where a host's operator did.
var operator = store.Player{ID: "operator", Name: "operator"}

// Rewind brings a game back to an earlier version, in a version of its own, so that nothing of what happened is lost from
// the journal. A finished game stays as it ended: what its dice come from is known.
func (h *Host) Rewind(ctx context.Context, game string, version uint64, reason string) (Answer, error) {
	return h.operate(ctx, Command{Game: game, Deed: store.Rewind, Back: version, Reason: reason})
}

// Repin makes a game go on by another version of its rules, from the state that it has.
func (h *Host) Repin(ctx context.Context, game string, rules int, reason string) (Answer, error) {
	return h.operate(ctx, Command{Game: game, Deed: store.Repin, Rules: rules, Reason: reason})
}

// operate carries out an operator's command, whose reason stands in the journal.
func (h *Host) operate(ctx context.Context, cmd Command) (Answer, error) {
	if strings.TrimSpace(cmd.Reason) == "" {
		return Answer{}, &Error{Code: ReasonMissing, Message: "say why: it is kept in the journal"}
	}
	cmd.Player, cmd.Key = operator, rand.Text()
	return h.Act(ctx, cmd)
}

// rewind brings back the state of an earlier version.
func rewind(g *Game, entry store.Entry, _ *engine.Dice) ([]engine.Event, error) {
	if g.match == nil || g.Status != store.Playing {
		return nil, notPlaying()
	}
	if entry.Back < 1 || entry.Back >= g.Version {
		return nil, versionNotFound()
	}
	state, err := g.memory.state(entry.Back)
	if err != nil {
		return nil, err
	}
	if state == nil {
		return nil, &Error{Code: VersionNotFound, Message: "the game had not started at this version"}
	}
	match, err := g.rules.Restore(state)
	if err != nil {
		return nil, err
	}
	g.match, g.Undo = match, nil
	return nil, nil
}

// repin changes the rules. A state that they cannot read is refused.
func repin(g *Game, entry store.Entry, _ *engine.Dice) ([]engine.Event, error) {
	rules, found := g.catalogue.Find(g.Game, entry.Rules)
	switch {
	case g.match == nil || g.Status != store.Playing:
		return nil, notPlaying()
	case !found || entry.Rules == g.Rules:
		return nil, &Error{Code: RulesUnknown, Message: "this build has no such version of the rules, or the game has it already"}
	}
	state, err := g.match.Snapshot()
	if err != nil {
		return nil, err
	}
	match, err := rules.Restore(state)
	if err != nil {
		return nil, fmt.Errorf("host: game %s by version %d of its rules: %w", g.ID, entry.Rules, err)
	}
	g.Pins = append(slices.Clip(g.Pins), store.Pin{Until: g.Version, Rules: g.Rules})
	g.rules, g.match, g.Rules, g.Undo = rules, match, entry.Rules, nil
	return nil, nil
}

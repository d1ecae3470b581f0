package record

import (
	"bytes"
	"errors"
	"fmt"

	"boulevard/engine"
)

// Result is what came of a replay that met every roll and the last state.
type Result struct {
	Info engine.Info
	// Plays, Undos and Rolls count what was compared.
	Plays, Undos, Rolls int
	// Dice counts how often each face was rolled, those of actions taken back included.
	Dice [faces]int
	// State is the last snapshot, and Outcome how the game ended, nil if it did not.
	State   []byte
	Outcome *engine.Outcome
}

// Replay plays a finished game again from nothing, and compares all that the document says of it: the rolls of every entry,
// and the last state to the byte. What the document only tells (names, times, who had left a standing order) is not
// compared, and of an action that was taken back only that it was legal and what it rolled.
//
// Dice that do not follow from the secret give the errors of Verify, all that differs otherwise a *ReplayError.
func Replay(catalogue engine.Catalogue, g Game) (Result, error) {
	if err := Verify(g); err != nil {
		return Result{}, err
	}
	rules, err := findRules(catalogue, g)
	if err != nil {
		return Result{}, err
	}
	seed, err := g.seed()
	if err != nil {
		return Result{}, err
	}
	p := &player{Game: g, catalogue: catalogue, rules: rules, seed: seed, snapshots: map[uint64][]byte{}}
	p.result.Info = rules.Info()
	for _, entry := range g.Entries {
		if entry.Kind == kindUndo || entry.Kind == kindRewind {
			p.snapshots[entry.Back] = nil
		}
	}
	if err := p.play(); err != nil {
		return Result{}, &ReplayError{ID: g.ID, Game: g.Game, Rules: g.Rules, Version: p.version, Cause: err}
	}
	return p.result, nil
}

func findRules(catalogue engine.Catalogue, g Game) (engine.Game, error) {
	rules, found := catalogue.Find(g.Game, g.Rules)
	if found {
		return rules, nil
	}
	if latest, found := catalogue.Latest(g.Game); found {
		return nil, fmt.Errorf("record: game %s was played by version %d of the rules of %s; this build has version %d and not that one",
			g.ID, g.Rules, g.Game, latest.Info().Version)
	}
	return nil, fmt.Errorf("record: game %s was played by the rules of %s, which this build does not have", g.ID, g.Game)
}

// player plays a document.
type player struct {
	Game
	catalogue engine.Catalogue
	rules     engine.Game
	seed      engine.Seed
	match     engine.Match
	// version is that of the entry at hand.
	version uint64
	// snapshots are those that a later entry brings back, by version.
	snapshots map[uint64][]byte
	result    Result
}

func (p *player) play() error {
	for i, entry := range p.Entries {
		p.version++
		if entry.Version != uint64(i+1) {
			return fmt.Errorf("the document goes on with version %d", entry.Version)
		}
		if err := p.step(entry); err != nil {
			return err
		}
	}
	return p.checkEnd()
}

func (p *player) step(entry Entry) error {
	dice := engine.NewDice(p.seed, entry.Version)
	if err := p.carryOut(entry, dice); err != nil {
		return err
	}
	if err := p.compare(entry, dice.Rolls()); err != nil {
		return err
	}
	if _, wanted := p.snapshots[entry.Version]; !wanted || p.match == nil {
		return nil
	}
	snapshot, err := p.match.Snapshot()
	p.snapshots[entry.Version] = snapshot
	return err
}

// carryOut does what an entry did to the match, which for most of the host's own is nothing.
func (p *player) carryOut(entry Entry, dice *engine.Dice) error {
	switch {
	case entry.Starts:
		return p.start(entry, dice)
	case entry.isPlay():
		return p.act(entry, dice)
	case entry.Kind == kindUndo:
		return p.undo(entry)
	case entry.Kind == kindRewind:
		return p.bring(entry)
	case entry.Kind == kindRepin:
		return p.repin(entry)
	}
	return nil
}

func (p *player) start(entry Entry, dice *engine.Dice) error {
	if p.match != nil || entry.isPlay() {
		return fmt.Errorf("%q does not start the game", entry.Kind)
	}
	setup, refusal := p.rules.Resolve(len(p.Players), p.Options)
	if refusal != nil {
		return fmt.Errorf("the set-up is refused: %w", refusal)
	}
	match, _, err := p.rules.New(setup, dice)
	p.match = match
	return err
}

func (p *player) act(entry Entry, dice *engine.Dice) error {
	if p.match == nil || entry.Seat == nil {
		return fmt.Errorf("%q has no seat, or comes before the start", entry.Kind)
	}
	action, refusal := p.rules.ParseAction(entry.Kind, entry.Args)
	if refusal != nil {
		return fmt.Errorf("%q is refused: %w", entry.Kind, refusal)
	}
	move := engine.Move{Seat: engine.Seat(*entry.Seat), Action: action, Prompt: engine.PromptID(entry.Prompt)}
	if _, refusal := p.match.Act(move, dice); refusal != nil {
		return fmt.Errorf("%q is refused: %w", entry.Kind, refusal)
	}
	p.result.Plays++
	return nil
}

// undo brings back the state before a play of the same seat, from its snapshot: what follows must be the same to the byte
// (U2).
func (p *player) undo(entry Entry) error {
	if entry.Back >= entry.Version {
		return fmt.Errorf("version %d has no state to bring back", entry.Back)
	}
	if undone := p.Entries[entry.Back]; !undone.isPlay() || entry.Seat == nil || *undone.Seat != *entry.Seat {
		return fmt.Errorf("version %d is no play of the seat that takes it back", undone.Version)
	}
	p.result.Undos++
	return p.bring(entry)
}

// bring brings back the state of an earlier version.
func (p *player) bring(entry Entry) error {
	snapshot := p.snapshots[entry.Back]
	if entry.Back >= entry.Version || snapshot == nil {
		return fmt.Errorf("version %d has no state to bring back", entry.Back)
	}
	match, err := p.rules.Restore(snapshot)
	if err != nil {
		return err
	}
	p.match = match
	return nil
}

// repin goes on by another version of the rules.
func (p *player) repin(entry Entry) error {
	rules, found := p.catalogue.Find(p.Game.Game, entry.Rules)
	if !found || p.match == nil {
		return fmt.Errorf("there are no rules of version %d to go on by", entry.Rules)
	}
	snapshot, err := p.match.Snapshot()
	if err != nil {
		return err
	}
	match, err := rules.Restore(snapshot)
	if err != nil {
		return err
	}
	p.rules, p.match = rules, match
	return nil
}

func (p *player) compare(entry Entry, taken []engine.Roll) error {
	for i := range max(len(taken), len(entry.Rolls)) {
		var got, want [2]int
		if i < len(entry.Rolls) {
			got = entry.Rolls[i]
		}
		if i < len(taken) {
			want = [2]int{taken[i].N, taken[i].Value}
		}
		if got != want {
			return &RollError{Version: entry.Version, Index: i, Got: got, Want: want}
		}
	}
	for _, roll := range taken {
		if roll.Die {
			p.result.Dice[roll.Value]++
		}
	}
	p.result.Rolls += len(taken)
	return nil
}

// finished is the status of a game that was played to its end.
const finished = "finished"

func (p *player) checkEnd() error {
	if p.match == nil {
		return errors.New("the game never started")
	}
	state, err := p.match.Snapshot()
	if err != nil {
		return err
	}
	p.result.State, p.result.Outcome = state, p.match.Outcome()
	switch {
	case p.Version != p.version:
		return fmt.Errorf("the game's version is said to be %d", p.Version)
	case !bytes.Equal(state, p.State):
		return fmt.Errorf("the last state is another one: %x, not the document's %x", state, p.State)
	case (p.Status == finished) != (p.result.Outcome != nil):
		return fmt.Errorf("the game's status is said to be %q", p.Status)
	}
	return nil
}

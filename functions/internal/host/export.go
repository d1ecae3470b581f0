package host

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"boulevard/engine/record"
	"boulevard/functions/internal/store"
)

// Export is a game as one document: a finished one with all that is needed to play it again, an unfinished one as far as
// the player may know it.
func (h *Host) Export(ctx context.Context, id, player string) (record.Game, error) {
	head, err := h.head(ctx, id)
	if err != nil {
		return record.Game{}, err
	}
	game, err := h.open(head)
	if err != nil {
		return record.Game{}, err
	}
	doc, err := h.told(ctx, game)
	if err != nil {
		return record.Game{}, FromStore(err)
	}
	if game.Status == store.Finished {
		doc.State = head.State
		return doc, nil
	}
	doc.View, err = json.Marshal(game.View(game.SeatOf(player)))
	return doc, err
}

// Proof is what the dice of a game can be checked by: its commitment and the players' entropy, and when it is finished the
// secret and every chance that was taken. What was played is no part of it.
func (h *Host) Proof(ctx context.Context, id string) (record.Game, error) {
	game, err := h.Game(ctx, id)
	if err != nil {
		return record.Game{}, err
	}
	doc, err := h.told(ctx, game)
	if err != nil {
		return record.Game{}, FromStore(err)
	}
	if game.Status != store.Finished {
		doc.Entries = []record.Entry{}
	}
	for i := range doc.Entries {
		doc.Entries[i].Args, doc.Entries[i].Prompt = nil, 0
	}
	return doc, nil
}

// Histogram counts how often each face of a die was rolled: its first element counts the ones.
func (h *Host) Histogram(ctx context.Context, id string) ([6]int, error) {
	var faces [6]int
	head, err := h.head(ctx, id)
	if err != nil {
		return faces, err
	}
	err = h.eachStep(ctx, head, func(r replayed) error {
		for _, roll := range r.step.rolls {
			if roll.Die {
				faces[roll.Value]++
			}
		}
		return nil
	})
	return faces, FromStore(err)
}

// told is the document of a game's journal, with the secret and the chances once nothing depends on them any more.
func (h *Host) told(ctx context.Context, game *Game) (record.Game, error) {
	commitment := game.Commitment()
	doc := record.Game{
		Format: record.Format, ID: game.ID, Game: game.Game, Rules: pinned(atCreation(game.Head)).Rules, Options: game.Options,
		Status: game.Status.String(), Version: game.Version, Created: game.Created,
		Commitment: hex.EncodeToString(commitment[:]), Players: []record.Player{}, Entries: []record.Entry{},
	}
	for _, p := range game.Players {
		doc.Players = append(doc.Players, record.Player{Name: p.Name, Entropy: hex.EncodeToString(p.Entropy)})
	}
	over := game.Status == store.Finished
	if over {
		doc.Secret = hex.EncodeToString(game.secret[:])
	}
	started := false
	err := h.eachStep(ctx, game.Head, func(r replayed) error {
		line, err := r.game.line(r.entry)
		if err != nil {
			return err
		}
		line.Starts = !started && r.game.match != nil
		started = r.game.match != nil
		if over {
			line.Rolls = pairs(r.step)
		}
		doc.Entries = append(doc.Entries, line)
		return nil
	})
	return doc, err
}

// replayed is an entry that was carried out again.
type replayed struct {
	// game is the game after it.
	game  *Game
	entry store.Entry
	step  step
	// part is the piece of the journal that the entry stands in.
	part store.JournalPage
}

// eachStep replays a game from its creation, and calls do after each entry.
func (h *Host) eachStep(ctx context.Context, head store.Head, do func(replayed) error) error {
	game, err := h.open(atCreation(head))
	if err != nil {
		return err
	}
	game.memory = h.remember(ctx, head)
	for game.Version < head.Version {
		part, err := h.partWith(ctx, head, game.Version+1)
		if err != nil {
			return err
		}
		for _, entry := range part.Entries {
			done, err := game.again(entry)
			if err != nil {
				return err
			}
			if err := do(replayed{game: game, entry: entry, step: done, part: part}); err != nil {
				return err
			}
		}
	}
	return nil
}

// line is what the document says of an entry. Standing orders are their seat's own: only that there was an entry is told.
func (g *Game) line(entry store.Entry) (record.Entry, error) {
	line := record.Entry{
		Version: g.Version, At: g.Created + entry.After, Kind: entry.Deed.String(), Prompt: entry.Prompt,
		Auto: entry.Auto, Back: entry.Back, Rules: entry.Rules,
	}
	if seatedDeeds[entry.Deed] {
		seat := int(entry.Seat)
		line.Seat = &seat
	}
	if entry.Deed != store.Play {
		return line, nil
	}
	action, err := g.rules.DecodeAction(entry.Action)
	if err != nil {
		return line, err
	}
	line.Kind = action.Kind()
	line.Args, err = json.Marshal(action)
	return line, err
}

func pairs(done step) [][2]int {
	rolls := make([][2]int, len(done.rolls))
	for i, roll := range done.rolls {
		rolls[i] = [2]int{roll.N, roll.Value}
	}
	return rolls
}

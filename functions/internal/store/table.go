package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boulevard/engine/codec"
)

// Table reads and writes games by what they mean.
type Table struct{ driver Driver }

// NewTable is the table that driver keeps.
func NewTable(driver Driver) *Table { return &Table{driver: driver} }

const (
	headSort   = "HEAD"
	pagePrefix = "PAGE#"
	openPart   = "OPEN"
)

func gamePart(id string) string { return "GAME#" + id }

func pageSort(version uint64) string { return fmt.Sprintf("%s%010d", pagePrefix, version) }

// Moved is the failure of a commit on a version that is no longer the game's: another command came first, or this one did
// and its answer was lost.
type Moved struct {
	// Head is the game as it stands.
	Head Head
}

// Error tells where the game is. Whoever lost the race reads the head.
func (m *Moved) Error() string {
	return fmt.Sprintf("store: the game is at version %d", m.Head.Version)
}

// Head reads a game, strongly consistent, or fails with ErrNotFound.
func (t *Table) Head(ctx context.Context, id string) (Head, error) {
	item, err := t.driver.Get(ctx, Key{PK: gamePart(id), SK: headSort})
	if err != nil {
		return Head{}, err
	}
	return HeadOf(item)
}

// IsHead reports whether key is that of a game's head.
func IsHead(key Key) bool { return key.SK == headSort && strings.HasPrefix(key.PK, gamePart("")) }

// HeadOf decodes the item of a game's head. The item need not be trusted.
func HeadOf(item Item) (Head, error) {
	if !IsHead(item.Key) {
		return Head{}, fmt.Errorf("store: item %s %s is no head", item.PK, item.SK)
	}
	head, foreign, err := codec.DecodeKeeping[Head](item.Body)
	if err != nil {
		return Head{}, fmt.Errorf("store: item %s %s: %w", item.PK, item.SK, err)
	}
	head.ID, head.Version, head.foreign = strings.TrimPrefix(item.PK, gamePart("")), item.Rev, foreign
	return *head, head.validate()
}

// validate keeps what a decoded head says of itself within what the rest of the program relies on.
func (h Head) validate() error {
	switch {
	case h.Version == 0 || len(h.Tail) == 0 || uint64(len(h.Tail)) > h.Version:
		return fmt.Errorf("store: head of %s: the tail does not fit version %d", h.ID, h.Version)
	case statusNames[h.Status] == "" || len(h.Players) > h.Seats || !h.seatsFit():
		return fmt.Errorf("store: head of %s: its status or players make no sense", h.ID)
	}
	return nil
}

// seatsFit reports whether every seat that the head speaks of is taken.
func (h Head) seatsFit() bool {
	fits := func(seat int8) bool { return seat >= 0 && int(seat) < len(h.Players) }
	for _, seat := range h.Asked {
		if !fits(seat) {
			return false
		}
	}
	for _, o := range h.Orders {
		if !fits(o.Seat) {
			return false
		}
	}
	return h.Undo == nil || fits(h.Undo.Seat)
}

// Create writes the head of a new game, whose tail holds its first entry, or fails with *Moved when there is such a game.
func (t *Table) Create(ctx context.Context, head Head) error {
	item, err := headItem(head)
	if err != nil {
		return err
	}
	return t.put(ctx, item, IfAbsent())
}

// Commit writes after in place of before, with the entry that led from one to the other, or fails with *Moved. It fills
// in after's version and tail.
//
// When the tail is full, the entries of before and the state they led to are first put into a page of their own. All of
// it is committed already: if the program dies here, or the commit loses its race, the page is true all the same, and
// whoever comes next writes the very same one.
func (t *Table) Commit(ctx context.Context, before Head, after *Head, entries ...Entry) error {
	after.ID, after.Version = before.ID, before.Version+uint64(len(entries))
	after.Tail = slices.Concat(before.Tail, entries)
	item, err := headItem(*after)
	if err != nil {
		return err
	}
	if before.turnsPage(len(item.Body)) {
		if err := t.putPage(ctx, before); err != nil {
			return err
		}
		after.Tail = entries
		if item, err = headItem(*after); err != nil {
			return err
		}
	}
	return t.put(ctx, item, IfRev(before.Version))
}

const (
	// bodyBudget keeps a head within the 1,024 bytes of one write unit: what is left for it beside keys and names.
	bodyBudget = 1024 - 64
	// minTail and maxTail bound the entries of a page, so that a large state does not write a page for every action, nor
	// a small one a page that is long to replay.
	minTail, maxTail = 4, 64
)

// turnsPage reports whether the tail goes into a page before the next commit, whose body with the whole tail would have
// the given size. The first action after the start always does: page 0 keeps the state after set-up.
func (h Head) turnsPage(next int) bool {
	justStarted := h.First() == 1 && h.Status == Playing
	return justStarted || len(h.Tail) >= maxTail || (next > bodyBudget && len(h.Tail) >= minTail)
}

func (t *Table) putPage(ctx context.Context, head Head) error {
	body, err := codec.Encode(JournalPage{Entries: head.Tail, State: head.State, Orders: head.Orders, Undo: head.Undo})
	if err != nil {
		return err
	}
	key := Key{PK: gamePart(head.ID), SK: pageSort(head.Version)}
	return t.driver.Put(ctx, Item{Key: key, Rev: head.Version, Body: body}, Condition{})
}

func (t *Table) put(ctx context.Context, item Item, when Condition) error {
	err := t.driver.Put(ctx, item, when)
	var failed *ConditionFailed
	if !errors.As(err, &failed) {
		return err
	}
	if failed.Current == nil {
		return ErrNotFound
	}
	head, err := HeadOf(*failed.Current)
	if err != nil {
		return err
	}
	return &Moved{Head: head}
}

func headItem(head Head) (Item, error) {
	body, err := codec.EncodeKeeping(&head, head.foreign)
	return Item{Key: Key{PK: gamePart(head.ID), SK: headSort}, Rev: head.Version, Body: body}, err
}

// Size is what the head of a game takes in the table, in bytes, as DynamoDB counts them.
func (h Head) Size() int {
	item, err := headItem(h)
	if err != nil {
		return 0
	}
	const names, rev = len("pk") + len("sk") + len("rev") + len("body"), 21
	return len(item.PK) + len(item.SK) + len(item.Body) + names + min(rev, 2+len(strconv.FormatUint(h.Version, 10))/2)
}

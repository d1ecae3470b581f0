package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Fault is what is wrong with a derived item.
type Fault string

// A derived item is Missing, Stale when it says something else than its game, or Superfluous. A head is Unreadable when
// nothing can be derived from it: the items that are there are then left as they are.
const (
	Missing     Fault = "missing"
	Stale       Fault = "stale"
	Superfluous Fault = "superfluous"
	Unreadable  Fault = "unreadable"
)

// Difference is an item that is not as the games say.
type Difference struct {
	Fault Fault
	// Key is the item's.
	Key Key
	// Game is the id of its game.
	Game string
}

// Differences compares all derived items with the heads that they follow from. It reads the whole table. What it finds
// different it looks at once more, so that it can run beside play; but what the consumer of changes has not got to yet is a
// difference too.
func (t *Table) Differences(ctx context.Context) ([]Difference, error) {
	s := survey{want: map[Key]Item{}, have: map[Key]Item{}}
	if err := t.scan(ctx, s.add); err != nil {
		return nil, err
	}
	found := s.unreadable
	for _, key := range s.suspects() {
		difference, err := t.judge(ctx, key)
		if err != nil {
			return nil, err
		}
		if difference.Fault != "" {
			found = append(found, difference)
		}
	}
	return found, nil
}

// Repair makes a derived item what its game says now. An unreadable head it cannot mend.
func (t *Table) Repair(ctx context.Context, difference Difference) error {
	if difference.Fault == Unreadable {
		return fmt.Errorf("store: item %s %s: nothing can be derived from it", difference.Key.PK, difference.Key.SK)
	}
	const patience = 10 // a game that moves so often meanwhile has a consumer that follows it
	for range patience {
		version, want, err := t.wanted(ctx, difference.Key)
		if err != nil {
			return err
		}
		if want == nil {
			err = t.driver.Delete(ctx, difference.Key, Condition{})
		} else {
			err = t.driver.Put(ctx, *want, Condition{})
		}
		if err != nil {
			return err
		}
		now, _, err := t.wanted(ctx, difference.Key)
		if err != nil || now == version {
			return err
		}
	}
	return fmt.Errorf("%w: game %s moves all the time", ErrThrottled, difference.Game)
}

func (t *Table) scan(ctx context.Context, visit func(Item)) error {
	for after := (Key{}); ; {
		items, next, err := t.driver.Scan(ctx, after, MaxLimit)
		if err != nil {
			return err
		}
		for _, item := range items {
			visit(item)
		}
		if next == (Key{}) {
			return nil
		}
		after = next
	}
}

// survey is what a walk through the table has seen.
type survey struct {
	want, have map[Key]Item
	unreadable []Difference
}

func (s *survey) add(item Item) {
	if isDerived(item.Key) {
		s.have[item.Key] = item
	}
	if !IsHead(item.Key) {
		return
	}
	items, err := headDerives(item)
	if err != nil {
		s.unreadable = append(s.unreadable, Difference{Fault: Unreadable, Key: item.Key, Game: headGame(item.Key)})
	}
	for _, item := range items {
		s.want[item.Key] = item
	}
}

func headDerives(item Item) ([]Item, error) {
	head, err := HeadOf(item)
	if err != nil {
		return nil, err
	}
	return Derived(head)
}

// suspects are the keys where the walk saw a difference, which may have passed meanwhile.
func (s *survey) suspects() []Key {
	var keys []Key
	for key, want := range s.want {
		if have, ok := s.have[key]; !ok || !bytes.Equal(have.Body, want.Body) {
			keys = append(keys, key)
		}
	}
	for key := range s.have {
		if _, ok := s.want[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b Key) int { return cmp.Or(strings.Compare(a.PK, b.PK), strings.Compare(a.SK, b.SK)) })
	return keys
}

// judge compares one derived item with its game's head, both as they are now.
func (t *Table) judge(ctx context.Context, key Key) (Difference, error) {
	_, want, err := t.wanted(ctx, key)
	if errors.Is(err, errUnreadable) {
		return Difference{}, nil // told of already
	}
	if err != nil {
		return Difference{}, err
	}
	have, err := t.driver.Get(ctx, key)
	there := !errors.Is(err, ErrNotFound)
	if there && err != nil {
		return Difference{}, err
	}
	difference := Difference{Key: key, Game: derivedGame(key)}
	switch {
	case want == nil && there:
		difference.Fault = Superfluous
	case want != nil && !there:
		difference.Fault = Missing
	case want != nil && !bytes.Equal(want.Body, have.Body):
		difference.Fault = Stale
	}
	return difference, nil
}

var errUnreadable = errors.New("store: the head cannot be read")

// wanted is what a derived item ought to be, nil for none, at the version that its game has now, 0 for no game.
func (t *Table) wanted(ctx context.Context, key Key) (version uint64, want *Item, err error) {
	item, err := t.driver.Get(ctx, Key{PK: gamePart(derivedGame(key)), SK: headSort})
	if errors.Is(err, ErrNotFound) {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, err
	}
	items, err := headDerives(item)
	if err != nil {
		return 0, nil, errors.Join(errUnreadable, err)
	}
	return item.Rev, find(items, key), nil
}

func isDerived(key Key) bool {
	return key.PK == openPart || strings.HasPrefix(key.PK, playerPart("")) && strings.HasPrefix(key.SK, gamePart(""))
}

// derivedGame is the id of the game that a derived item follows from.
func derivedGame(key Key) string {
	if key.PK == openPart {
		_, id, _ := strings.Cut(key.SK, "#")
		return id
	}
	return strings.TrimPrefix(key.SK, gamePart(""))
}

func headGame(key Key) string { return strings.TrimPrefix(key.PK, gamePart("")) }

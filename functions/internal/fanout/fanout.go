// Package fanout is what follows from a committed change of a game. It sees only what has been written: nothing it does
// can be ahead of the game.
//
// Changes come from the table: in the cloud in the batches of its stream ([Stream]), on one machine from the feed of its
// driver ([Follow]). Where a table has neither, [Inline] tells of what this process writes.
package fanout

import (
	"context"
	"errors"
	"fmt"

	"boulevard/functions/internal/store"
)

// Handler takes in changes, those of one game in their order. The same change twice has the effect of one.
type Handler interface {
	// Changed takes in a change, or fails with a *PoisonError where no repetition would help.
	Changed(ctx context.Context, change store.Change) error
}

// PoisonError is the failure of a change that cannot be taken in, however often it is tried.
type PoisonError struct {
	// Key is the item's that changed, or zero where it cannot be told.
	Key store.Key
	// Err is what is wrong with it.
	Err error
}

// Error tells which item it was and what is wrong.
func (e *PoisonError) Error() string {
	return fmt.Sprintf("fanout: change of %q %q: %v", e.Key.PK, e.Key.SK, e.Err)
}

// Unwrap is what is wrong.
func (e *PoisonError) Unwrap() error { return e.Err }

// Follower is told of every head that was written: at least once, and those of one game in their order.
type Follower interface {
	// Follow takes in what a head was and is: nil where there was none before, or is none any more. It fails with
	// store.ErrInvalid where no repetition would help.
	Follow(ctx context.Context, before, after *store.Head) error
}

// Consumer brings everything that is derived from games up to their heads, and tells its followers of them. It is safe for
// concurrent use by those who follow different games.
type Consumer struct {
	table     *store.Table
	followers []Follower
}

var _ Handler = (*Consumer)(nil)

// NewConsumer is a consumer that keeps its derived items in table, and tells followers of what was written.
func NewConsumer(table *store.Table, followers ...Follower) *Consumer {
	return &Consumer{table: table, followers: followers}
}

// Changed takes in the change of a head. Other items concern nobody here.
func (c *Consumer) Changed(ctx context.Context, change store.Change) error {
	key := change.Key()
	if !store.IsHead(key) {
		return nil
	}
	before, err := headOf(change.Old)
	if err != nil {
		return &PoisonError{Key: key, Err: fmt.Errorf("before: %w", err)}
	}
	after, err := headOf(change.New)
	if err != nil {
		return &PoisonError{Key: key, Err: fmt.Errorf("after: %w", err)}
	}
	if before != nil && after != nil && before.ID != after.ID {
		return &PoisonError{Key: key, Err: fmt.Errorf("before it was game %q", before.ID)}
	}
	err = c.follow(ctx, before, after)
	if errors.Is(err, store.ErrInvalid) {
		return &PoisonError{Key: key, Err: err} // a head that decodes, but speaks of players that no table could name
	}
	return err
}

// follow does all that follows from a change, whichever part of it fails.
func (c *Consumer) follow(ctx context.Context, before, after *store.Head) error {
	failures := make([]error, 0, 1+len(c.followers))
	failures = append(failures, c.table.Derive(ctx, before, after))
	for _, follower := range c.followers {
		failures = append(failures, follower.Follow(ctx, before, after))
	}
	return errors.Join(failures...)
}

func headOf(item *store.Item) (*store.Head, error) {
	if item == nil {
		return nil, nil //nolint:nilnil // no item has no head
	}
	head, err := store.HeadOf(*item)
	return &head, err
}

package store

import "context"

// Change is one committed change of an item.
type Change struct {
	// Seq orders the changes of one feed. It is 0 where the table keeps the order by itself, as a stream does.
	Seq uint64
	// Old is the item before, nil where it was created. New is the item after, nil where it was removed.
	Old, New *Item
}

// Key names the item that changed. A change of nothing has none.
func (c Change) Key() Key {
	switch {
	case c.New != nil:
		return c.New.Key
	case c.Old != nil:
		return c.Old.Key
	}
	return Key{}
}

// Feed is what a table remembers of its changes, for those who follow it. It need not hold the changes of items that
// nobody derives anything from: those of heads are there, in the order of their commits.
type Feed interface {
	// Changes lists at most limit changes behind the one numbered after, the oldest first.
	Changes(ctx context.Context, after uint64, limit int) ([]Change, error)
	// Cursor is the last change that the follower of this name is done with, 0 for none.
	Cursor(ctx context.Context, name string) (uint64, error)
	// MoveCursor notes durably that the follower is done with all changes up to seq. It never moves back. What all
	// followers are done with may be forgotten; so a name that nobody follows by any more holds everything back.
	MoveCursor(ctx context.Context, name string, seq uint64) error
}

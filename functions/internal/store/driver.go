package store

import (
	"context"
	"errors"
)

// Driver keeps items in one table: DynamoDB in the cloud, SQLite on one machine. It knows nothing of what the items mean.
//
// Every method may fail with an error that wraps one of [ErrThrottled], [ErrUnavailable] or [ErrOutcomeUnknown], or with
// the context's error when nothing was sent. A driver has already retried what is safe to retry, within a bound.
type Driver interface {
	// Get reads one item, strongly consistent, or fails with ErrNotFound.
	Get(ctx context.Context, key Key) (Item, error)
	// Put writes one item if the condition holds, durably, or fails with a *ConditionFailed.
	Put(ctx context.Context, item Item, when Condition) error
	// Delete removes one item if the condition holds, or fails with a *ConditionFailed. Removing an absent item is
	// done already.
	Delete(ctx context.Context, key Key, when Condition) error
	// Query lists items of one partition in the order of their sort keys, strongly consistent.
	Query(ctx context.Context, query Query) (Page, error)
}

// Key names an item. Items with the same PK form a partition, ordered by the bytes of SK.
type Key struct{ PK, SK string }

// Item is what a driver keeps.
type Item struct {
	Key
	// Rev is what conditions compare.
	Rev uint64
	// Body is the encoded item.
	Body []byte
	// Expires is when the item may be removed, in unix seconds; 0 is never.
	Expires int64
}

// Condition guards a write by the item that is there now. The zero Condition always holds.
type Condition struct {
	kind conditionKind
	rev  uint64
}

type conditionKind int

const (
	always conditionKind = iota
	absent
	rev
	older
)

// IfAbsent holds when there is no such item.
func IfAbsent() Condition { return Condition{kind: absent} }

// IfRev holds when the item is there with exactly this rev.
func IfRev(r uint64) Condition { return Condition{kind: rev, rev: r} }

// IfOlder holds when there is no such item or its rev is below r. It makes late and repeated writes of derived items
// harmless.
func IfOlder(r uint64) Condition { return Condition{kind: older, rev: r} }

// Holds reports whether the condition holds for the item that is there now, nil for none.
func (c Condition) Holds(current *Item) bool {
	switch c.kind {
	case absent:
		return current == nil
	case rev:
		return current != nil && current.Rev == c.rev
	case older:
		return current == nil || current.Rev < c.rev
	default:
		return true
	}
}

// Query selects items of one partition.
type Query struct {
	PK string
	// From and To bound the sort keys, both included. An empty To has no bound.
	From, To string
	// Descending lists the greatest sort key first.
	Descending bool
	// Limit is the greatest number of items of one page, 1 to 100.
	Limit int
	// After continues behind a page: its Next.
	After string
}

// Page is one page of a query.
type Page struct {
	Items []Item
	// Next is where the next page starts, or "" when there is none.
	Next string
}

// ConditionFailed is the failure of a conditional write: nothing was written.
type ConditionFailed struct {
	// Current is the item that was there, nil for none.
	Current *Item
}

func (*ConditionFailed) Error() string { return "store: the condition does not hold" }

var (
	// ErrNotFound says that there is no such item.
	ErrNotFound = errors.New("store: no such item")
	// ErrThrottled says that the table refused the load, after retries. Nothing was written.
	ErrThrottled = errors.New("store: throttled")
	// ErrUnavailable says that the table could not be asked. Nothing was written.
	ErrUnavailable = errors.New("store: unavailable")
	// ErrOutcomeUnknown says that a write was sent and its answer lost: it may or may not have happened.
	ErrOutcomeUnknown = errors.New("store: outcome unknown")
)

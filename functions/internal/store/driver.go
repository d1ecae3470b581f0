package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
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
	// done already, whatever the condition: so a removal whose answer was lost can be asked for again.
	Delete(ctx context.Context, key Key, when Condition) error
	// Query lists items of one partition in the order of their sort keys, strongly consistent.
	Query(ctx context.Context, query Query) (Page, error)
	// Scan lists the items of the whole table, page by page, in an order of the table's own: a page of at most limit
	// items, and the key that the next one continues behind, zero at the end. An item that is there all the while is
	// listed exactly once. It reads everything, so it is for looking after a table, and for nothing else.
	Scan(ctx context.Context, after Key, limit int) ([]Item, Key, error)
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
	kind ConditionKind
	rev  uint64
}

// ConditionKind tells a driver how to put a condition to its table.
type ConditionKind int

// The kinds of conditions.
const (
	KindAlways ConditionKind = iota
	KindAbsent
	KindRev
	KindOlder
)

// Kind says what the condition asks of the item that is there now.
func (c Condition) Kind() ConditionKind { return c.kind }

// Rev is what KindRev and KindOlder compare with.
func (c Condition) Rev() uint64 { return c.rev }

// IfAbsent holds when there is no such item.
func IfAbsent() Condition { return Condition{kind: KindAbsent} }

// IfRev holds when the item is there with exactly this rev.
func IfRev(r uint64) Condition { return Condition{kind: KindRev, rev: r} }

// IfOlder holds when there is no such item or its rev is below r. It makes late and repeated writes of derived items
// harmless.
func IfOlder(r uint64) Condition { return Condition{kind: KindOlder, rev: r} }

// Holds reports whether the condition holds for the item that is there now, nil for none.
func (c Condition) Holds(current *Item) bool {
	switch c.kind {
	case KindAbsent:
		return current == nil
	case KindRev:
		return current != nil && current.Rev == c.rev
	case KindOlder:
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
	// Items are at most Limit. Fewer, even none, do not say that the list ends: a table also bounds a page by its bytes.
	Items []Item
	// Next is where the next page starts, or "" when there is none.
	Next string
}

// ConditionFailed is the failure of a conditional write: nothing was written.
type ConditionFailed struct {
	// Current is the item that was there, nil for none.
	Current *Item
}

// Error leaves out what was in the way: a state holds what no log may show.
func (*ConditionFailed) Error() string { return "store: the condition does not hold" }

var (
	// ErrInvalid says that a key, an item or a query is one no table could take. Nothing was sent.
	ErrInvalid = errors.New("store: invalid")
	// ErrNotFound says that there is no such item.
	ErrNotFound = errors.New("store: no such item")
	// ErrThrottled says that the table refused the load, after retries. Nothing was written.
	ErrThrottled = errors.New("store: throttled")
	// ErrUnavailable says that the table could not be asked. Nothing was written.
	ErrUnavailable = errors.New("store: unavailable")
	// ErrOutcomeUnknown says that a write was sent and its answer lost: it may or may not have happened.
	ErrOutcomeUnknown = errors.New("store: outcome unknown")
)

// The limits of every driver are those of the narrowest table, DynamoDB: what one machine kept, the cloud can take over.
// Sizes are in bytes.
const (
	MaxPK    = 2048
	MaxSK    = 1024
	MaxBody  = 390 << 10
	MaxRev   = math.MaxInt64
	MaxLimit = 100
)

// Check fails with ErrInvalid unless the key names an item: neither part empty, too long, or other than UTF-8.
func (k Key) Check() error {
	if k.PK == "" || k.SK == "" {
		return fmt.Errorf("%w: key %q has an empty part", ErrInvalid, k)
	}
	if err := checkText(k.PK, MaxPK); err != nil {
		return err
	}
	return checkText(k.SK, MaxSK)
}

// Check fails with ErrInvalid unless every table could keep the item.
func (i Item) Check() error {
	if len(i.Body) > MaxBody || i.Rev > MaxRev || i.Expires < 0 {
		return fmt.Errorf("%w: item %q: %d bytes, rev %d, expires %d", ErrInvalid, i.Key, len(i.Body), i.Rev, i.Expires)
	}
	return i.Key.Check()
}

// Check fails with ErrInvalid unless every table could compare the condition's rev.
func (c Condition) Check() error {
	if c.rev > MaxRev {
		return fmt.Errorf("%w: condition on rev %d", ErrInvalid, c.rev)
	}
	return nil
}

// Check fails with ErrInvalid unless every table could answer the query.
func (q Query) Check() error {
	if q.PK == "" || q.Limit < 1 || q.Limit > MaxLimit {
		return fmt.Errorf("%w: query of partition %q, limit %d", ErrInvalid, q.PK, q.Limit)
	}
	if err := checkText(q.PK, MaxPK); err != nil {
		return err
	}
	return errors.Join(checkText(q.From, MaxSK), checkText(q.To, MaxSK), checkText(q.After, MaxSK))
}

// CheckScan fails with ErrInvalid unless every table could continue a scan there. The zero key is the start.
func CheckScan(after Key, limit int) error {
	if limit < 1 || limit > MaxLimit {
		return fmt.Errorf("%w: scan with limit %d", ErrInvalid, limit)
	}
	if after == (Key{}) {
		return nil
	}
	return after.Check()
}

func checkText(text string, limit int) error {
	if len(text) > limit || !utf8.ValidString(text) {
		return fmt.Errorf("%w: key text of %d bytes", ErrInvalid, len(text))
	}
	return nil
}

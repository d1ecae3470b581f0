package fanout

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

const (
	// beat is how soon the writes of other processes are seen, what failed is tried again, and how much a crash repeats.
	beat = 500 * time.Millisecond
	// followed is how many changes are read at once.
	followed = store.MaxLimit
	// farewell is how long the last changes, and the last move of the cursor, may take.
	farewell = time.Second
)

// Follow hands the changes of a feed to a handler, in their order, from behind the cursor of that name, until the context
// ends. It looks for changes when it is woken, and every half second in any case. A change that fails is tried again, and
// those behind it wait; but a poisoned one is buried, for an operator to look at.
//
// The cursor is moved at each beat rather than for each change: whoever stops in between has the changes since repeated.
func Follow(
	ctx context.Context, feed store.Feed, cursor string, handler Handler, bury Bury, wake <-chan struct{}, log *slog.Logger,
) {
	f := follower{feed: feed, cursor: cursor, handler: handler, bury: bury, log: log}
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		f.catchUp(ctx)
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
			defer cancel()
			f.catchUp(last) // what was written until now
			f.settle(last)
			return
		case <-wake:
		case <-ticker.C:
			f.settle(ctx)
		}
	}
}

// Bury keeps a change that nobody could take in, and why.
type Bury func(ctx context.Context, change store.Change, why error) error

var _ Bury = (*store.Table)(nil).Bury

// follower is where one follower is.
type follower struct {
	feed    store.Feed
	cursor  string
	handler Handler
	bury    Bury
	log     *slog.Logger
	// begun tells that the cursor was read. at is the last change that is done, settled the last that the table knows as
	// such.
	begun       bool
	at, settled uint64
}

// catchUp takes in all changes that there are. What fails is tried again at the next beat.
func (f *follower) catchUp(ctx context.Context) {
	if err := f.takeAll(ctx); err != nil && ctx.Err() == nil {
		f.log.ErrorContext(ctx, "change not followed", "cursor", f.cursor, "behind", f.at, "error", err)
	}
}

func (f *follower) takeAll(ctx context.Context) error {
	if !f.begun {
		at, err := f.feed.Cursor(ctx, f.cursor)
		if err != nil {
			return err
		}
		f.begun, f.at, f.settled = true, at, at
	}
	for {
		changes, err := f.feed.Changes(ctx, f.at, followed)
		if err != nil {
			return err
		}
		for _, change := range changes {
			if err := f.take(ctx, change); err != nil {
				return err
			}
			f.at = change.Seq
		}
		if len(changes) < followed {
			return nil
		}
		f.settle(ctx) // far behind: a crash shall not repeat all of it
	}
}

func (f *follower) take(ctx context.Context, change store.Change) error {
	err := f.handler.Changed(ctx, change)
	if poison, ok := errors.AsType[*PoisonError](err); ok {
		f.log.ErrorContext(ctx, "change passed over", "cursor", f.cursor, "change", change.Seq, "game", poison.Key.PK, "error", poison.Err)
		return f.bury(ctx, change, poison.Err)
	}
	return err
}

// settle moves the cursor to where the follower is. When that fails, the next beat tries again.
func (f *follower) settle(ctx context.Context) {
	if f.at == f.settled {
		return
	}
	if err := f.feed.MoveCursor(ctx, f.cursor, f.at); err != nil {
		f.log.ErrorContext(ctx, "cursor not moved", "cursor", f.cursor, "to", f.at, "error", err)
		return
	}
	f.settled = f.at
}

// Waking is a table that wakes who follows it when this process has written a game. It tells nobody what was written:
// that is the feed's.
type Waking struct {
	*store.Table

	wake chan struct{}
}

var _ host.Store = Waking{}

// NewWaking is a table that wakes one follower.
func NewWaking(table *store.Table) Waking { return Waking{Table: table, wake: make(chan struct{}, 1)} }

// Woken says that there may be changes.
func (w Waking) Woken() <-chan struct{} { return w.wake }

// Create writes a new game.
func (w Waking) Create(ctx context.Context, head store.Head) error {
	defer w.call() // also after a failure: the write may have happened all the same
	return w.Table.Create(ctx, head)
}

// Commit writes after in place of before.
func (w Waking) Commit(ctx context.Context, before store.Head, after *store.Head, entries ...store.Entry) error {
	defer w.call()
	return w.Table.Commit(ctx, before, after, entries...)
}

func (w Waking) call() {
	select {
	case w.wake <- struct{}{}:
	default: // it is awake, and has not looked yet
	}
}

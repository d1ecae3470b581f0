// Package fanout is what follows from a committed change of a game. It sees only what has been written: nothing it does
// can be ahead of the game.
package fanout

import (
	"context"
	"errors"
	"log/slog"

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

// Follower is told of every head that was written: at least once, and not always in order.
type Follower interface {
	// Follow takes in a head that was written.
	Follow(ctx context.Context, head store.Head) error
}

// Followers are followers that are all told, whichever of them fail.
type Followers []Follower

var (
	_ Follower = (*Consumer)(nil)
	_ Follower = Followers(nil)
)

// Follow hands the head on.
func (f Followers) Follow(ctx context.Context, head store.Head) error {
	failures := make([]error, 0, len(f))
	for _, follower := range f {
		failures = append(failures, follower.Follow(ctx, head))
	}
	return errors.Join(failures...)
}

// Consumer brings everything that is derived from games up to their heads. The same change twice has the effect of one.
type Consumer struct{ table *store.Table }

// NewConsumer is a consumer that keeps its derived items in table.
func NewConsumer(table *store.Table) *Consumer { return &Consumer{table: table} }

// Follow takes in a head that was written.
func (c *Consumer) Follow(ctx context.Context, head store.Head) error {
	return c.table.Derive(ctx, head)
}

// Inline is a table whose consumer is told of each head in the process that wrote it. It stands in for the feed of
// changes where there is none. A consumer that fails does not fail the write, which has happened.
type Inline struct {
	*store.Table

	Consumer Follower
	Log      *slog.Logger
}

var _ host.Store = Inline{}

// Create writes a new game, and tells of it.
func (i Inline) Create(ctx context.Context, head store.Head) error {
	if err := i.Table.Create(ctx, head); err != nil {
		return err
	}
	i.follow(ctx, head)
	return nil
}

// Commit writes after in place of before, and tells of it.
func (i Inline) Commit(ctx context.Context, before store.Head, after *store.Head, entries ...store.Entry) error {
	if err := i.Table.Commit(ctx, before, after, entries...); err != nil {
		return err
	}
	i.follow(ctx, *after)
	return nil
}

func (i Inline) follow(ctx context.Context, head store.Head) {
	if err := i.Consumer.Follow(context.WithoutCancel(ctx), head); err != nil {
		i.Log.ErrorContext(ctx, "change not followed", "game", head.ID, "version", head.Version, "error", err)
	}
}

package fanout

import (
	"context"
	"log/slog"

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

// Inline is a table whose consumer is told of each head in the process that wrote it. It stands in for a feed where the
// table has none, as an emulator without streams: what another process writes, or this one in a write whose answer was
// lost, it does not see. A consumer that fails does not fail the write, which has happened.
type Inline struct {
	*store.Table

	Consumer *Consumer
	Log      *slog.Logger
}

var _ host.Store = Inline{}

// Create writes a new game, and tells of it.
func (i Inline) Create(ctx context.Context, head store.Head) error {
	if err := i.Table.Create(ctx, head); err != nil {
		return err
	}
	i.tell(ctx, nil, &head)
	return nil
}

// Commit writes after in place of before, and tells of it.
func (i Inline) Commit(ctx context.Context, before store.Head, after *store.Head, entries ...store.Entry) error {
	if err := i.Table.Commit(ctx, before, after, entries...); err != nil {
		return err
	}
	i.tell(ctx, &before, after)
	return nil
}

func (i Inline) tell(ctx context.Context, before, after *store.Head) {
	if err := i.Consumer.follow(context.WithoutCancel(ctx), before, after); err != nil {
		i.Log.ErrorContext(ctx, "change not followed", "game", after.ID, "version", after.Version, "error", err)
	}
}

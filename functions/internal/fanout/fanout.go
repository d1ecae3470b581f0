// Package fanout is what follows from a committed change of a game. It sees only what has been written: nothing it does
// can be ahead of the game.
package fanout

import (
	"context"
	"log/slog"

	"boulevard/functions/internal/store"
)

// Consumer brings everything that is derived from games up to their heads. The same change twice has the effect of one.
type Consumer struct{ table *store.Table }

// NewConsumer is a consumer that keeps its derived items in table.
func NewConsumer(table *store.Table) *Consumer { return &Consumer{table: table} }

// Changed takes in an item that was written. Items other than heads have no consequences.
func (c *Consumer) Changed(ctx context.Context, item store.Item) error {
	if !store.IsHead(item.Key) {
		return nil
	}
	head, err := store.HeadOf(item)
	if err != nil {
		return err
	}
	return c.table.Derive(ctx, head)
}

// Inline is driver with a consumer that is told of each item in the process that wrote it. It stands in for the feed of
// changes where a table has none. A consumer that fails does not fail the write, which has happened.
func Inline(driver store.Driver, consumer *Consumer, log *slog.Logger) store.Driver {
	return &inline{Driver: driver, consumer: consumer, log: log}
}

type inline struct {
	store.Driver
	consumer *Consumer
	log      *slog.Logger
}

// Put writes the item, and then tells the consumer, whose work a caller that goes away does not break off.
func (d *inline) Put(ctx context.Context, item store.Item, when store.Condition) error {
	if err := d.Driver.Put(ctx, item, when); err != nil {
		return err
	}
	if err := d.consumer.Changed(context.WithoutCancel(ctx), item); err != nil {
		d.log.ErrorContext(ctx, "change not followed", "pk", item.PK, "rev", item.Rev, "error", err)
	}
	return nil
}

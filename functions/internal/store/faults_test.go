package store_test

import (
	"context"

	"boulevard/functions/internal/store"
)

// counting counts the writes, and finds the largest body.
type counting struct {
	store.Driver
	count, largest int
}

func (c *counting) Put(ctx context.Context, item store.Item, when store.Condition) error {
	c.count++
	c.largest = max(c.largest, len(item.Body))
	return c.Driver.Put(ctx, item, when)
}

// cutting fails the write of a head while it is armed, as a process does that dies before it.
type cutting struct {
	store.Driver
	armed bool
}

func (c *cutting) Put(ctx context.Context, item store.Item, when store.Condition) error {
	if c.armed && store.IsHead(item.Key) {
		return store.ErrUnavailable
	}
	return c.Driver.Put(ctx, item, when)
}

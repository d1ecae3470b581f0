package notify

import (
	"context"
	"time"

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

const (
	// testPause is the time between two tests on one channel; maxConfirms bounds how many codes a mailbox is sent in the 30
	// days that the ledger looks back.
	testPause   = 10 * time.Second
	maxConfirms = 5
	// testPatience is how long a test waits for its provider's answer, and testBeat how often it looks.
	testPatience = 8 * time.Second
	testBeat     = 100 * time.Millisecond
)

// Test sends a player a test on one of his channels, and waits a little for the provider's answer. A channel that is not
// confirmed is sent its code again.
func (d *Desk) Test(ctx context.Context, player, id string) (store.Notice, error) {
	c, err := d.Contact(ctx, player)
	if err != nil {
		return store.Notice{}, err
	}
	channel := c.Channel(id)
	if channel == nil {
		return store.Notice{}, refuse(ChannelNotFound, "there is no such channel")
	}
	kind := Test
	if channel.Code != "" {
		kind = Confirm
	}
	n, err := d.ask(ctx, player, *channel, kind)
	if err != nil {
		return n, err
	}
	return d.await(ctx, n)
}

// ask queues a message about a channel itself, unless there was one a moment ago.
func (d *Desk) ask(ctx context.Context, player string, channel store.ContactChannel, kind Kind) (store.Notice, error) {
	now := d.Now()
	notices, _, err := d.Table.Notices(ctx, player, "", store.MaxLimit)
	if err != nil {
		return store.Notice{}, host.FromStore(err)
	}
	confirms := 0
	for _, n := range notices {
		if n.Channel != channel.ID || n.Game != "" {
			continue
		}
		if n.Kinds[0] == string(Confirm) {
			confirms++
		}
		if n.At > now.Add(-testPause).UnixMilli() || kind == Confirm && confirms >= maxConfirms {
			return store.Notice{}, refuse(TooSoon, "something was sent here a moment ago, or too often")
		}
	}
	key := store.NoticeKey{Player: player, At: now.UnixMilli(), Channel: channel.ID}
	n := newNotice(key, []Kind{kind}, ChannelKind(channel.Kind), now)
	d.Queue(&n, now)
	return n, host.FromStore(d.Table.AddNotice(ctx, n))
}

// await looks at a notice until its provider has answered. One that is put off has been answered too: why is its reason.
func (d *Desk) await(ctx context.Context, n store.Notice) (store.Notice, error) {
	patience, cancel := context.WithTimeout(ctx, testPatience)
	defer cancel()
	ticker := time.NewTicker(testBeat)
	defer ticker.Stop()
	for {
		now, err := d.Table.Notice(ctx, n.NoticeKey)
		if err != nil {
			return n, host.FromStore(err)
		}
		waits := now.State == store.Queued && now.Attempts == 0 || now.State == store.Sent
		if !waits {
			return now, nil
		}
		select {
		case <-patience.Done():
			return now, nil
		case <-ticker.C:
		}
	}
}

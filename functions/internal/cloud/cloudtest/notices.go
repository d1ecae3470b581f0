package cloudtest

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/guard"
	"boulevard/functions/internal/store"
)

// AddChannel gives a player a channel by a desk that also takes webhooks on this machine, where no function sends anything.
func (p Place) AddChannel(t *testing.T, player store.Player, kind notify.ChannelKind, to notify.Address) store.ContactChannel {
	t.Helper()
	channel, err := p.desk().AddChannel(t.Context(), player.ID, kind, to, 0)
	require.NoError(t, err)
	return channel
}

// AddMailbox gives a player a mailbox that he has confirmed.
func (p Place) AddMailbox(t *testing.T, player store.Player, address string) {
	t.Helper()
	channel := p.AddChannel(t, player, notify.Email, notify.Address{Target: address})
	_, err := p.desk().Confirm(t.Context(), player.ID, channel.ID, channel.Code)
	require.NoError(t, err)
}

func (p Place) desk() *notify.Desk {
	options := guard.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}
	return &notify.Desk{
		Table: p.Table, Queue: notify.Streamed, Now: time.Now, Checks: map[notify.ChannelKind]func(notify.Address) error{
			notify.Webhook: func(to notify.Address) error { return options.CheckURL(to.Target) },
			notify.Email:   func(notify.Address) error { return nil },
		},
	}
}

// Plan writes what the players are told of a game's change into the ledger.
func (p Place) Plan(t *testing.T, queue notify.Queue, before, after *host.Game) {
	t.Helper()
	planner := notify.Planner{Table: p.Table, Host: p.Host, Presence: live.NewHub(), Queue: queue, Now: time.Now}
	require.NoError(t, planner.Follow(t.Context(), &before.Head, &after.Head))
}

// Ledger is what a player was told, the newest first, as "channel state reason".
func (p Place) Ledger(t *testing.T, player store.Player) []string {
	t.Helper()
	notices, _, err := p.Table.Notices(t.Context(), player.ID, "", store.MaxLimit)
	require.NoError(t, err)
	lines := make([]string, len(notices))
	for i, n := range notices {
		lines[i] = fmt.Sprintf("%s %s %s", n.ChannelKind, n.State, n.Reason)
	}
	return lines
}

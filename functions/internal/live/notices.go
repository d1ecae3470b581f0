package live

import (
	"context"

	"boulevard/functions/internal/notify"
)

// teller reaches the connections of a player: the Hub on one machine, the Gateway in the cloud.
type teller interface {
	notify.Presence
	// Tell says something on all of them, and on how many.
	Tell(ctx context.Context, player string, message []byte) (int, error)
}

var (
	_ teller = (*Hub)(nil)
	_ teller = (*Gateway)(nil)
)

// Notices is the channel of live connections.
type Notices struct{ to teller }

var _ notify.Channel = Notices{}

// NewNotices says notices on connections.
func NewNotices(to teller) Notices { return Notices{to: to} }

// Send says a notice on all connections of the player whom the address names.
func (n Notices) Send(ctx context.Context, to notify.Address, message notify.Message) notify.Outcome {
	told, err := n.to.Tell(ctx, to.Target, encodeNotice(message))
	switch {
	case err != nil:
		return notify.Outcome{Verdict: notify.TryLater, Reason: "unreachable"}
	case told == 0:
		return notify.Outcome{Verdict: notify.Refused, Reason: "no_connection"}
	}
	return notify.Outcome{Verdict: notify.Accepted}
}

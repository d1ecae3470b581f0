package notify

import (
	"context"
	"errors"
	"slices"
	"time"

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

// overtaken is why a notice is not sent whose decision is made.
const overtaken = "decided"

// settle takes back what a player was told, or was to be told, of decisions that do not wait any more: what is not sent yet
// is not sent, and where a device shows it, it is corrected once nothing at all waits in this game. News that a channel is
// told of this very change corrects it too: it takes the place of what is shown.
func (p *Planner) settle(ctx context.Context, c host.Change, player string, closed []Kind, news []string) error {
	notices, _, err := p.Table.Notices(ctx, player, "", store.MaxLimit)
	if err != nil {
		return err
	}
	var told []store.Notice // on each channel the last word about who is waited for
	for _, n := range notices {
		if n.Game != c.After.ID || n.Version >= c.After.Version {
			continue
		}
		if err := p.drop(ctx, n, closed); err != nil {
			return err
		}
		if speaksOfWaiting(n) && !slices.ContainsFunc(told, func(t store.Notice) bool { return t.Channel == n.Channel }) {
			told = append(told, n)
		}
	}
	told = slices.DeleteFunc(told, func(n store.Notice) bool {
		return n.Kinds[0] == string(Settled) || slices.Contains(news, n.Channel)
	})
	if len(c.After.Waits(player)) > 0 || len(told) == 0 {
		return nil
	}
	return p.correct(ctx, keyOf(c, player), told)
}

// drop takes the closed kinds out of a notice that waits, or supersedes it when nothing else is in it.
func (p *Planner) drop(ctx context.Context, n store.Notice, closed []Kind) error {
	if n.State != store.Queued {
		return nil
	}
	left := slices.DeleteFunc(slices.Clone(n.Kinds), func(kind string) bool { return slices.Contains(closed, Kind(kind)) })
	switch {
	case len(left) == len(n.Kinds):
		return nil
	case len(left) > 0:
		n.Kinds = left
	default:
		n.State, n.Reason, n.Due = store.Superseded, overtaken, 0
	}
	n.Changed = p.Now().UnixMilli()
	if err := p.Table.ChangeNotice(ctx, &n); !errors.Is(err, store.ErrOvertaken) {
		return err
	}
	return nil // it is being sent: whoever sends it has looked at the game
}

// speaksOfWaiting reports whether a device was told that a decision waits, or that none does.
func speaksOfWaiting(n store.Notice) bool {
	if n.Kinds[0] == string(Settled) {
		return n.State != store.Superseded && n.State != store.Failed
	}
	told := n.State == store.Accepted || n.State == store.Sent
	return told && slices.ContainsFunc(n.Kinds, func(kind string) bool { return isDecision(Kind(kind)) })
}

// correct queues corrections on the channels that can show them.
func (p *Planner) correct(ctx context.Context, key store.NoticeKey, told []store.Notice) error {
	contact, err := p.Table.Contact(ctx, key.Player)
	if err != nil {
		return err
	}
	for _, n := range told {
		channel := contact.Channel(n.Channel)
		if n.Channel != liveChannel && (channel == nil || !channel.Usable() || !Corrects(ChannelKind(n.ChannelKind), channel.Address)) {
			continue
		}
		if err := p.add(ctx, key, []Kind{Settled}, n.Channel, ChannelKind(n.ChannelKind), time.Time{}, ""); err != nil {
			return err
		}
	}
	return nil
}

// Corrects reports whether what was told at an address can be taken back there by a silent message. A mail or a line of a
// chat room stays.
func Corrects(kind ChannelKind, to Address) bool {
	switch kind {
	case WebPush, Mobile, Live:
		return true
	case Webhook:
		return to.Variant == JSON
	default:
		return false
	}
}

package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"boulevard/functions/internal/store"
)

// waits are the times between the attempts to reach a provider that fails. After them, an hour and a quarter on, the
// player is told elsewhere.
var waits = []time.Duration{
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 20 * time.Minute, 40 * time.Minute,
}

// maxChannelFailures switches a channel off.
const maxChannelFailures = 10

// note writes what became of a notice.
func (s *Sender) note(ctx context.Context, d delivery, n *store.Notice, outcome Outcome) error {
	s.Log.InfoContext(ctx, "notice", "game", n.Game, "version", n.Version, "channel", n.ChannelKind, "verdict", outcome.Verdict.String(),
		"reason", outcome.Reason, "attempt", n.Attempts)
	switch {
	case outcome.Verdict == Accepted:
		n.ProviderID = outcome.ProviderID
		return s.put(ctx, n, store.Accepted, "", time.Time{})
	case outcome.Verdict == TryLater && n.Attempts <= len(waits) && n.Channel != liveChannel:
		return s.put(ctx, n, store.Queued, outcome.Reason, s.Now().Add(max(waits[n.Attempts-1], outcome.After)))
	}
	return s.fail(ctx, d.contact, n, outcome.Reason)
}

// fail ends a notice, and lets the next channel have a try.
func (s *Sender) fail(ctx context.Context, contact store.Contact, n *store.Notice, reason string) error {
	if err := s.put(ctx, n, store.Failed, reason, time.Time{}); err != nil {
		return err
	}
	if n.Channel == liveChannel || isService(Kind(n.Kinds[0])) {
		return nil
	}
	return s.escalate(ctx, contact, *n)
}

// escalate queues a notice on the channels of the next rank, when all of those before have failed.
func (s *Sender) escalate(ctx context.Context, contact store.Contact, failed store.Notice) error {
	tried, err := s.Table.NoticesOf(ctx, failed.NoticeKey)
	if err != nil {
		return err
	}
	for _, n := range tried {
		if n.Channel != liveChannel && n.State != store.Failed {
			return nil
		}
	}
	for _, channel := range firstRank(contact.Channels, tried) {
		next := store.Notice{
			NoticeKey: failed.NoticeKey, Kinds: failed.Kinds, State: store.Queued, Changed: s.Now().UnixMilli(), ChannelKind: channel.Kind,
			Reason: "escalated",
		}
		next.Channel = channel.ID
		s.Queue(&next, s.Now())
		if err := s.Table.AddNotice(ctx, next); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sender) put(ctx context.Context, n *store.Notice, state store.NoticeState, reason string, when time.Time) error {
	n.State, n.Reason, n.Changed, n.Due = state, reason, s.Now().UnixMilli(), 0
	if !when.IsZero() {
		n.Due = when.UnixMilli()
	}
	err := s.Table.ChangeNotice(ctx, n)
	if err == nil && s.Observe != nil {
		s.Observe(ctx, *n)
	}
	return err
}

// judge keeps account of a channel: it forgets one that is gone, and switches one off that fails again and again. Whoever
// has renewed his address meanwhile has a new channel, of which nothing is known yet.
func (s *Sender) judge(ctx context.Context, d delivery, outcome Outcome) error {
	passing := outcome.Verdict == TryLater && d.notices[0].State == store.Queued
	if d.channel.ID == liveChannel || passing || outcome.Verdict == Accepted && d.channel.Failures == 0 {
		return nil
	}
	_, err := s.Table.ChangeContact(ctx, d.contact.Player, func(c *store.Contact) error {
		channel := c.Channel(d.channel.ID)
		if channel == nil || channel.Renewed != d.channel.Renewed {
			return errSettled
		}
		switch outcome.Verdict {
		case Gone:
			c.Channels = slices.DeleteFunc(c.Channels, func(has store.ContactChannel) bool { return has.ID == d.channel.ID })
		case Accepted:
			channel.Failures = 0
		default:
			channel.Failures++
			if channel.Failures >= maxChannelFailures {
				channel.Off = "failures"
			}
		}
		return nil
	})
	if errors.Is(err, errSettled) {
		return nil
	}
	return err
}

// errSettled says that there is nothing to change.
var errSettled = errors.New("notify: nothing to change")

var verdictNames = map[Verdict]string{
	Accepted: "accepted", TryLater: "try_later", Refused: "refused", Gone: "gone", Unknown: "unknown",
}

// String is the verdict as logs and metrics name it.
func (v Verdict) String() string {
	if name, known := verdictNames[v]; known {
		return name
	}
	return fmt.Sprintf("verdict_%d", int(v))
}

package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"boulevard/engine"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

// Presence knows who has live connections.
type Presence interface {
	// Online reports whether a player has any.
	Online(ctx context.Context, player string) (bool, error)
}

// Planner makes records of the ledger of the changes of games.
type Planner struct {
	Table    *store.Table
	Host     *host.Host
	Presence Presence
	// Queue writes what is to be told at once.
	Queue Queue
	// Now is time.Now outside tests.
	Now func() time.Time
}

// Queue is how a record that is to be sent at once comes to the sender. In the cloud the table's stream tells of it, so
// that it costs one write; elsewhere it stands in the list of what is due, where the sender looks.
type Queue func(notice *store.Notice, now time.Time)

// Streamed leaves it to the table's stream.
func Streamed(*store.Notice, time.Time) {}

// Listed has a record listed as due now.
func Listed(notice *store.Notice, now time.Time) { notice.Due = now.UnixMilli() }

// The channels of the ledger that are none of the player's own.
const (
	liveChannel = "live"
	noChannel   = "none"
)

// Follow plans what the players of a game are told of its change. Planning twice plans the same.
func (p *Planner) Follow(ctx context.Context, before, after *store.Head) error {
	if after == nil || before == nil && after.Version > 1 {
		return nil // it is no more, or has come from another table with all that was told of it
	}
	change, err := p.Host.Change(ctx, before, *after)
	if err != nil {
		return poisoned(err)
	}
	failures := make([]error, 0, len(after.Players))
	for _, player := range concerned(change) {
		failures = append(failures, p.plan(ctx, change, player))
	}
	return errors.Join(failures...)
}

// poisoned tells a change that nobody can make sense of from a table that cannot be asked just now.
func poisoned(err error) error {
	if err == nil {
		return nil
	}
	if _, known := errors.AsType[*host.Error](err); known {
		return err
	}
	for _, passing := range []error{
		store.ErrThrottled, store.ErrUnavailable, store.ErrOutcomeUnknown, context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, passing) {
			return err
		}
	}
	return fmt.Errorf("%w: %w", store.ErrInvalid, err)
}

// concerned are those whom a change could mean something to.
func concerned(c host.Change) []string {
	var ids []string
	for _, player := range c.After.Players {
		ids = append(ids, player.ID)
	}
	for _, id := range c.After.Invited {
		if c.Before == nil || !slices.Contains(c.Before.Invited, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (p *Planner) plan(ctx context.Context, c host.Change, player string) error {
	var was []engine.Prompt
	if c.Before != nil {
		was = c.Before.Waits(player)
	}
	is := c.After.Waits(player)
	var told []string
	if player != c.Actor() { // he has seen it happen
		var err error
		if told, err = p.tell(ctx, keyOf(c, player), newsOf(c, player, opened(was, is))); err != nil {
			return err
		}
	}
	closed := kindsLacking(was, is)
	if len(closed) == 0 {
		return nil
	}
	return p.settle(ctx, c, player, closed, told)
}

// keyOf names what a player is told of a change, but for the channel.
func keyOf(c host.Change, player string) store.NoticeKey {
	return store.NoticeKey{Player: player, At: c.After.Updated(), Game: c.After.ID, Version: c.After.Version}
}

// opened are the decisions that were not waited for before.
func opened(was, is []engine.Prompt) []engine.Prompt {
	return slices.DeleteFunc(slices.Clone(is), func(prompt engine.Prompt) bool {
		return slices.ContainsFunc(was, func(w engine.Prompt) bool { return w.ID == prompt.ID && w.Kind == prompt.Kind })
	})
}

// kindsLacking are the kinds of what was waited for and is not any more.
func kindsLacking(was, is []engine.Prompt) []Kind {
	var lacking []Kind
	for _, prompt := range was {
		kind := kindOf(prompt)
		if !slices.ContainsFunc(is, func(i engine.Prompt) bool { return kindOf(i) == kind }) {
			lacking = append(lacking, kind)
		}
	}
	return pressing(lacking)
}

// newsOf is what a change is to a player who did not make it.
func newsOf(c host.Change, player string, opened []engine.Prompt) []Kind {
	var list []Kind
	for _, prompt := range opened {
		list = append(list, kindOf(prompt))
	}
	seat := c.After.SeatOf(player)
	for _, e := range c.Events {
		if e.News.Kind != "" && seat != engine.NoSeat && e.News.To.Includes(seat) && e.To.Includes(seat) {
			list = append(list, Kind(e.News.Kind))
		}
	}
	list = append(list, newsOfStatus(c)...)
	if slices.Contains(c.After.Invited, player) {
		list = append(list, Invited)
	}
	return pressing(list)
}

// newsOfStatus is what is news to all who sit at the table.
func newsOfStatus(c host.Change) []Kind {
	if c.Before == nil || c.Before.Status == c.After.Status {
		return nil
	}
	switch c.After.Status {
	case store.Playing:
		return []Kind{GameStarted}
	case store.Finished:
		return []Kind{GameFinished}
	default:
		return nil
	}
}

// tell writes a record for each channel of the player's first rank, and for his live connections if he has any. Where
// there is no channel at all, a record says so. It returns the ids of the channels.
func (p *Planner) tell(ctx context.Context, key store.NoticeKey, list []Kind) (told []string, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	contact, err := p.Table.Contact(ctx, key.Player)
	if err != nil {
		return nil, err
	}
	online, err := p.Presence.Online(ctx, key.Player)
	if err != nil {
		return nil, err
	}
	if online {
		told = append(told, liveChannel)
		if err := p.add(ctx, key, list, liveChannel, Live, time.Time{}, ""); err != nil {
			return nil, err
		}
	}
	channels := firstRank(contact.Channels, nil)
	if len(channels) == 0 && !online {
		return nil, p.addNone(ctx, key, list)
	}
	when, why := due(&contact, time.UnixMilli(key.At), p.Now())
	for _, channel := range channels {
		told = append(told, channel.ID)
		if err := p.add(ctx, key, list, channel.ID, ChannelKind(channel.Kind), when, why); err != nil {
			return nil, err
		}
	}
	return told, nil
}

// firstRank are the usable channels of the lowest rank, those left out that were tried already.
func firstRank(channels []store.ContactChannel, tried []store.Notice) []store.ContactChannel {
	var first []store.ContactChannel
	for _, channel := range channels {
		if !channel.Usable() || slices.ContainsFunc(tried, func(n store.Notice) bool { return n.Channel == channel.ID }) {
			continue
		}
		if len(first) > 0 && channel.Rank < first[0].Rank {
			first = first[:0]
		}
		if len(first) == 0 || channel.Rank == first[0].Rank {
			first = append(first, channel)
		}
	}
	return first
}

func (p *Planner) add(
	ctx context.Context, key store.NoticeKey, list []Kind, channel string, kind ChannelKind, when time.Time, why string,
) error {
	key.Channel = channel
	n := newNotice(key, list, kind, p.Now())
	n.Reason = why
	if when.IsZero() {
		p.Queue(&n, p.Now())
	} else {
		n.Due = when.UnixMilli()
	}
	return p.Table.AddNotice(ctx, n)
}

func (p *Planner) addNone(ctx context.Context, key store.NoticeKey, list []Kind) error {
	key.Channel = noChannel
	n := newNotice(key, list, "", p.Now())
	n.State, n.Reason = store.Failed, "no_channel"
	return p.Table.AddNotice(ctx, n)
}

func newNotice(key store.NoticeKey, list []Kind, channel ChannelKind, now time.Time) store.Notice {
	n := store.Notice{NoticeKey: key, State: store.Queued, Changed: now.UnixMilli(), ChannelKind: string(channel)}
	for _, kind := range list {
		n.Kinds = append(n.Kinds, string(kind))
	}
	return n
}

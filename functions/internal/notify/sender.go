package notify

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"boulevard/engine"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

// Sender sends what the ledger holds. Any number of them may work on one ledger: a record is sent by whoever first says in
// it that he does.
type Sender struct {
	Table *store.Table
	Host  *host.Host
	// Channels are those that this host has.
	Channels map[ChannelKind]Channel
	// Site is where players find the client and the API: the start of every URL, without a slash at its end.
	Site string
	// Queue is how records of further channels come to a sender.
	Queue Queue
	Log   *slog.Logger
	// Observe is told of every notice that has come into another state. It may be nil.
	Observe func(context.Context, store.Notice)
	// Now is time.Now outside tests.
	Now func() time.Time
}

const (
	// attemptTime bounds one attempt of any channel.
	attemptTime = 10 * time.Second
	// lostAfter is how long nothing is heard of an attempt until its sender is taken to have died. It is far longer than an
	// attempt can take.
	lostAfter = time.Minute
)

// delivery is one notice, or a digest of several, on its way to one address.
type delivery struct {
	contact store.Contact
	channel store.ContactChannel
	notices []store.Notice
	// games are those that the notices are about, by their ids.
	games map[string]*host.Game
}

// deliver sends a notice if it is to be sent now, and says whether it need not be looked at again before it falls due anew.
// It fails only where the table does: whatever a provider answers is written into the ledger.
func (s *Sender) deliver(ctx context.Context, key store.NoticeKey) (done bool, err error) {
	n, err := s.Table.Notice(ctx, key)
	switch {
	case err != nil:
		return false, err
	case n.State == store.Sent:
		return true, s.lost(ctx, n)
	case n.State != store.Queued || n.Due > s.Now().UnixMilli():
		return true, nil
	}
	contact, err := s.Table.Contact(ctx, key.Player)
	if err != nil {
		return false, err
	}
	done, err = s.start(ctx, contact, n)
	if errors.Is(err, store.ErrOvertaken) {
		return false, nil
	}
	return done, err
}

// lost closes a record whose sender has died: whether the provider had the message, nobody knows, so it is not sent again.
func (s *Sender) lost(ctx context.Context, n store.Notice) error {
	if since := s.Now().UnixMilli() - n.Changed; since < lostAfter.Milliseconds() {
		return s.Table.ListDue(ctx, n.NoticeKey, n.Changed+lostAfter.Milliseconds())
	}
	contact, err := s.Table.Contact(ctx, n.Player)
	if err != nil {
		return err
	}
	err = s.fail(ctx, contact, &n, "outcome_unknown")
	if errors.Is(err, store.ErrOvertaken) {
		return nil
	}
	return err
}

func (s *Sender) start(ctx context.Context, contact store.Contact, n store.Notice) (done bool, err error) {
	channel, missing := s.reach(&contact, n)
	if missing != "" {
		return true, s.fail(ctx, contact, &n, missing)
	}
	if !isService(Kind(n.Kinds[0])) && n.Channel != liveChannel {
		if end := afterQuiet(&contact, s.Now()); end.After(s.Now()) {
			return true, s.put(ctx, &n, store.Queued, inQuietHours, end)
		}
	}
	d := delivery{contact: contact, channel: channel, games: map[string]*host.Game{}}
	due, err := s.together(ctx, contact, n)
	if err != nil || due[0].NoticeKey != n.NoticeKey {
		return false, err // whoever has the first of them sends them all
	}
	for _, n := range due {
		if err = s.claim(ctx, &d, n); err != nil {
			break
		}
	}
	if len(d.notices) > 0 { // what is claimed is sent, whatever has become of the rest: nobody else will
		err = errors.Join(err, s.send(ctx, d))
	}
	return err == nil, err
}

// reach is the channel of a notice, or why there is none.
func (s *Sender) reach(contact *store.Contact, n store.Notice) (store.ContactChannel, string) {
	channel := store.ContactChannel{ID: liveChannel, Kind: string(Live), Address: Address{Target: n.Player}}
	if n.Channel != liveChannel {
		known := contact.Channel(n.Channel)
		switch {
		case known == nil:
			return channel, "channel_removed"
		case known.Off != "":
			return channel, "channel_off"
		case known.Code != "" && n.Kinds[0] != string(Confirm):
			return channel, "channel_unconfirmed"
		}
		channel = *known
	}
	if s.Channels[ChannelKind(channel.Kind)] == nil {
		return channel, "channel_not_configured"
	}
	return channel, ""
}

// together are the notices that make one message with n, the oldest first: all of the same channel that are due, where the
// player wants digests, and otherwise n alone.
func (s *Sender) together(ctx context.Context, contact store.Contact, n store.Notice) ([]store.Notice, error) {
	if contact.Digest == 0 || n.Channel == liveChannel || isService(Kind(n.Kinds[0])) {
		return []store.Notice{n}, nil
	}
	notices, _, err := s.Table.Notices(ctx, n.Player, "", store.MaxLimit)
	if err != nil {
		return nil, err
	}
	due := slices.DeleteFunc(notices, func(other store.Notice) bool {
		return other.Channel != n.Channel || other.State != store.Queued || other.Due > s.Now().UnixMilli() ||
			isService(Kind(other.Kinds[0]))
	})
	if len(due) == 0 {
		return []store.Notice{n}, nil // it is older than what was looked at
	}
	slices.Reverse(due)
	return due, nil
}

// claim takes a notice into a delivery, by the record that says so, unless what it says is not true any more. Of a digest,
// others may have the rest.
func (s *Sender) claim(ctx context.Context, d *delivery, n store.Notice) error {
	why, err := s.outdated(ctx, d, &n)
	if err != nil {
		return err
	}
	state := store.Sent
	if why != "" {
		state = store.Superseded
	} else {
		n.Attempts++
	}
	err = s.put(ctx, &n, state, why, time.Time{})
	switch {
	case errors.Is(err, store.ErrOvertaken):
		return nil
	case err == nil && why == "":
		d.notices = append(d.notices, n)
	}
	return err
}

// outdated says why a notice need not be sent any more, or "". It takes out of it what is no longer true.
func (s *Sender) outdated(ctx context.Context, d *delivery, n *store.Notice) (string, error) {
	if n.Game == "" || n.Kinds[0] == string(Settled) {
		return "", nil
	}
	seen, err := s.Table.Seen(ctx, n.Player, n.Game)
	if err != nil {
		return "", err
	}
	if seen >= n.Version {
		return "seen", nil
	}
	game, err := s.Host.Game(ctx, n.Game)
	if gone, is := errors.AsType[*host.Error](err); is && gone.Code == host.GameNotFound {
		return "game_gone", nil
	}
	if err = poisoned(err); errors.Is(err, store.ErrInvalid) {
		return "game_unreadable", nil
	}
	if err != nil {
		return "", err
	}
	d.games[n.Game] = game
	n.Kinds = slices.DeleteFunc(slices.Clone(n.Kinds), func(kind string) bool { return !stillTrue(game, n.Player, Kind(kind)) })
	if len(n.Kinds) == 0 {
		return overtaken, nil
	}
	return "", nil
}

// stillTrue reports whether a decision still waits. What has happened stays true.
func stillTrue(game *host.Game, player string, kind Kind) bool {
	switch {
	case isDecision(kind):
		return slices.ContainsFunc(game.Waits(player), func(prompt engine.Prompt) bool { return kindOf(prompt) == kind })
	case kind == Invited:
		return slices.Contains(game.Invited, player)
	}
	return true
}

// send makes the attempt, and writes down what came of it.
func (s *Sender) send(ctx context.Context, d delivery) error {
	message, err := s.message(ctx, d)
	outcome := Outcome{Verdict: TryLater, Reason: "not_composed"}
	if err == nil {
		attempt, cancel := context.WithTimeout(ctx, attemptTime)
		outcome = s.Channels[ChannelKind(d.channel.Kind)].Send(attempt, d.channel.Address, message)
		cancel()
	} else {
		s.Log.ErrorContext(ctx, "notice not composed", "game", d.notices[0].Game, "version", d.notices[0].Version, "error", err)
	}
	failures := make([]error, 0, len(d.notices)+1)
	for i := range d.notices {
		failures = append(failures, s.note(ctx, d, &d.notices[i], outcome))
	}
	return errors.Join(append(failures, s.judge(ctx, d, outcome))...)
}

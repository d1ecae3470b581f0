package notify

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

// Desk is where players say how they want to be reached, and ask what they were told.
type Desk struct {
	Table *store.Table
	// Checks are the kinds of channels that this host has, each with what refuses an address that it could never send to.
	Checks map[ChannelKind]func(Address) error
	// PushKey is the public key that browsers subscribe with, "" where there is no web push.
	PushKey string
	// Queue is how tests come to a sender.
	Queue Queue
	// Now is time.Now outside tests.
	Now func() time.Time
}

// The codes of the desk's refusals.
const (
	// ZoneUnknown says that there is no such time zone.
	ZoneUnknown = "zone_unknown"
	// ChannelNotFound says that the player has no such channel.
	ChannelNotFound = "channel_not_found"
	// ChannelUnavailable says that this host has no such channels.
	ChannelUnavailable = "channel_unavailable"
	// AddressInvalid says that nothing could ever be sent to the address.
	AddressInvalid = "address_invalid"
	// TooManyChannels says that the player has as many channels as he may.
	TooManyChannels = "too_many_channels"
	// CodeWrong says that the code is not the one that was sent.
	CodeWrong = "code_wrong"
	// TooSoon says that a test was sent here a moment ago.
	TooSoon = "too_soon"
	// TicketInvalid says that a link to unsubscribe names no channel.
	TicketInvalid = "ticket_invalid"
)

const (
	maxChannels = 16
	maxTries    = 5
	// testPause is the time between two tests on one channel; maxConfirms bounds how many codes a mailbox is sent in the 30
	// days that the ledger looks back.
	testPause   = 10 * time.Second
	maxConfirms = 5
	// testPatience is how long a test waits for its provider's answer, and testBeat how often it looks.
	testPatience = 8 * time.Second
	testBeat     = 100 * time.Millisecond
	// secretLength is that of a webhook's secret, in bytes.
	secretLength = 32
)

func refuse(code, message string) error { return &host.Error{Code: code, Message: message} }

// Contact is how a player is reached.
func (d *Desk) Contact(ctx context.Context, player string) (store.Contact, error) {
	c, err := d.Table.Contact(ctx, player)
	return c, host.FromStore(err)
}

// SetContact changes when a player is reached; his channels stay.
func (d *Desk) SetContact(ctx context.Context, wanted store.Contact) (store.Contact, error) {
	if !isZone(wanted.Zone) {
		return store.Contact{}, refuse(ZoneUnknown, "name a zone of the IANA database")
	}
	return d.change(ctx, wanted.Player, func(c *store.Contact) error {
		c.Zone, c.QuietFrom, c.QuietTo, c.Digest = wanted.Zone, wanted.QuietFrom, wanted.QuietTo, wanted.Digest
		return nil
	})
}

func (d *Desk) change(ctx context.Context, player string, change func(*store.Contact) error) (store.Contact, error) {
	c, err := d.Table.ChangeContact(ctx, player, change)
	return c, host.FromStore(err)
}

// AddChannel adds a channel of a kind, or renews the one of that address. A mailbox must be confirmed first: otherwise
// anybody could have mail sent to anybody.
func (d *Desk) AddChannel(ctx context.Context, player string, kind ChannelKind, to Address, rank int) (store.ContactChannel, error) {
	check, known := d.Checks[kind]
	if !known {
		return store.ContactChannel{}, refuse(ChannelUnavailable, "this host has no channels of this kind")
	}
	if err := check(to); err != nil {
		return store.ContactChannel{}, refuse(AddressInvalid, err.Error())
	}
	fresh := d.channel(player, kind, to, rank)
	c, err := d.change(ctx, player, func(c *store.Contact) error {
		known := c.Channel(fresh.ID)
		switch {
		case known == nil && len(c.Channels) >= maxChannels:
			return refuse(TooManyChannels, fmt.Sprintf("a player has at most %d channels", maxChannels))
		case known == nil:
			c.Channels = append(c.Channels, fresh)
		default:
			renew(known, fresh)
		}
		return nil
	})
	if err != nil {
		return store.ContactChannel{}, err
	}
	channel := *c.Channel(fresh.ID)
	if channel.Code == "" {
		return channel, nil
	}
	_, err = d.ask(ctx, player, channel, Confirm)
	if known, is := errors.AsType[*host.Error](err); is && known.Code == TooSoon {
		err = nil // the code is on its way already
	}
	return channel, err
}

// renew makes a channel what it would be if it were new, but for what its owner has: the secret, the links and the code on
// its way, and a mailbox that is known to be his.
func renew(known *store.ContactChannel, fresh store.ContactChannel) {
	fresh.Address.Secret, fresh.Unsubscribe = known.Address.Secret, known.Unsubscribe
	if known.Tries < maxTries {
		fresh.Code, fresh.Tries = known.Code, known.Tries
	}
	*known = fresh
}

// channel is a new channel of an address.
func (d *Desk) channel(player string, kind ChannelKind, to Address, rank int) store.ContactChannel {
	channel := store.ContactChannel{
		ID: channelID(player, kind, to.Target), Kind: string(kind), Address: to, Rank: rank, Renewed: d.Now().UnixMilli(),
		Unsubscribe: rand.Text(),
	}
	if kind == Webhook {
		channel.Address.Secret = make([]byte, secretLength)
		_, _ = rand.Read(channel.Address.Secret) // it never fails
	}
	if kind == Email {
		channel.Code = newCode()
	}
	return channel
}

var idEncoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// channelID follows from the address, and is the player's own: it tells nobody else that two have the same.
func channelID(player string, kind ChannelKind, target string) string {
	sum := sha256.Sum256([]byte(player + "\x00" + string(kind) + "\x00" + target))
	return strings.ToLower(idEncoding.EncodeToString(sum[:10]))
}

// newCode is one of a hundred million, of which a few may be tried.
func newCode() string {
	n, _ := rand.Int(rand.Reader, big.NewInt(100_000_000)) // it never fails
	return fmt.Sprintf("%08d", n)
}

// RemoveChannel removes a channel; one that is not there is removed already.
func (d *Desk) RemoveChannel(ctx context.Context, player, id string) error {
	_, err := d.change(ctx, player, func(c *store.Contact) error {
		c.Channels = slices.DeleteFunc(c.Channels, func(channel store.ContactChannel) bool { return channel.ID == id })
		return nil
	})
	return err
}

// Confirm takes the code that was sent to a channel. After a few wrong ones it takes none until the channel is renewed.
func (d *Desk) Confirm(ctx context.Context, player, id, code string) (store.ContactChannel, error) {
	wrong := false
	c, err := d.change(ctx, player, func(c *store.Contact) error {
		channel := c.Channel(id)
		switch {
		case channel == nil:
			return refuse(ChannelNotFound, "there is no such channel")
		case channel.Code == "":
			return nil
		case channel.Tries >= maxTries:
			return refuse(CodeWrong, "too many wrong codes: add the channel again")
		}
		wrong = subtle.ConstantTimeCompare([]byte(channel.Code), []byte(code)) == 0
		if wrong {
			channel.Tries++
		} else {
			channel.Code, channel.Tries = "", 0
		}
		return nil
	})
	if err != nil {
		return store.ContactChannel{}, err
	}
	if wrong {
		return store.ContactChannel{}, refuse(CodeWrong, "this is not the code that was sent")
	}
	return *c.Channel(id), nil
}

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

// Notices lists what a player was told, the newest first.
func (d *Desk) Notices(ctx context.Context, player, cursor string, limit int) ([]store.Notice, string, error) {
	notices, next, err := d.Table.Notices(ctx, player, cursor, limit)
	return notices, next, host.FromStore(err)
}

// Seen notes that a player has looked at a game at a version.
func (d *Desk) Seen(ctx context.Context, player, game string, version uint64) error {
	head, err := d.Table.Head(ctx, game)
	if err != nil {
		return host.FromStore(err)
	}
	if version > head.Version {
		return &host.Error{Code: host.VersionNotFound, Message: "the game has not come to this version"}
	}
	return host.FromStore(d.Table.SetSeen(ctx, player, game, version, d.Now()))
}

// Unsubscribe switches the channel off that a link names.
func (d *Desk) Unsubscribe(ctx context.Context, link string) error {
	invalid := refuse(TicketInvalid, "the link names no channel")
	parts := strings.Split(link, ".")
	if len(parts) != 3 {
		return invalid
	}
	player, id, secret := parts[0], parts[1], parts[2]
	_, err := d.change(ctx, player, func(c *store.Contact) error {
		channel := c.Channel(id)
		if channel == nil || subtle.ConstantTimeCompare([]byte(channel.Unsubscribe), []byte(secret)) == 0 {
			return invalid
		}
		channel.Off = "unsubscribed"
		return nil
	})
	return err
}

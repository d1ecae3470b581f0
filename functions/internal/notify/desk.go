package notify

import (
	"context"
	"crypto/subtle"
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

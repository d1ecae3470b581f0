package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boulevard/engine/codec"
)

// Address is where a channel reaches a player. It is the player's secret: it reaches no log and no error.
type Address struct {
	_ struct{} `cbor:",toarray"`
	// Target is the endpoint of a push subscription, the token of a device, the address of a mailbox, or the URL of a
	// webhook.
	Target string
	// Variant is where a device's token comes from, or the form of a webhook's body.
	Variant string
	// Key and Auth are the public key and the secret of a push subscription (RFC 8291), as the browser gives them:
	// base64url without padding.
	Key, Auth string
	// Secret signs what a webhook is sent.
	Secret []byte
}

// Contact is how a player wants to be reached.
type Contact struct {
	Player string `cbor:"-"`
	// Zone is the IANA name of the player's time zone; "" is UTC.
	Zone string `cbor:"1,keyasint,omitempty"`
	// QuietFrom and QuietTo bound the hours in which nothing is sent, in minutes of the player's day. The same twice is never.
	QuietFrom int `cbor:"2,keyasint,omitempty"`
	QuietTo   int `cbor:"3,keyasint,omitempty"`
	// Digest is how many minutes of news make one message; 0 sends each at once.
	Digest int `cbor:"4,keyasint,omitempty"`
	// Channels are the player's.
	Channels []ContactChannel `cbor:"5,keyasint,omitempty"`

	rev uint64
}

// ContactChannel is one of a player's channels.
type ContactChannel struct {
	// ID follows from the address: whoever registers an address again renews its channel.
	ID      string  `cbor:"1,keyasint"`
	Kind    string  `cbor:"2,keyasint"`
	Address Address `cbor:"3,keyasint"`
	// Rank orders the channels: those of a rank are tried when all of the ranks before have failed.
	Rank int `cbor:"4,keyasint,omitempty"`
	// Renewed is when the address was registered last, in unix milliseconds.
	Renewed int64 `cbor:"5,keyasint"`
	// Failures counts the notices that failed since one was accepted.
	Failures int `cbor:"6,keyasint,omitempty"`
	// Off is why nothing is sent here any more, "" while it is.
	Off string `cbor:"7,keyasint,omitempty"`
	// Code is what the player must repeat before anything else is sent here, "" once he has. Tries counts wrong ones.
	Code  string `cbor:"8,keyasint,omitempty"`
	Tries int    `cbor:"9,keyasint,omitempty"`
	// Unsubscribe is the secret part of the link that switches the channel off.
	Unsubscribe string `cbor:"10,keyasint,omitempty"`
}

// Usable reports whether notices go to the channel.
func (c ContactChannel) Usable() bool { return c.Off == "" && c.Code == "" }

// Channel is the channel of that id, nil for none.
func (c *Contact) Channel(id string) *ContactChannel {
	for i := range c.Channels {
		if c.Channels[i].ID == id {
			return &c.Channels[i]
		}
	}
	return nil
}

func contactKey(player string) Key { return Key{PK: playerPart(player), SK: "CONTACT"} }

// Contact reads how a player wants to be reached. Whoever has said nothing has no channels.
func (t *Table) Contact(ctx context.Context, player string) (Contact, error) {
	c := Contact{Player: player}
	item, err := t.driver.Get(ctx, contactKey(player))
	if errors.Is(err, ErrNotFound) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	err = decode(item, &c)
	c.Player, c.rev = player, item.Rev
	return c, err
}

// maxContactRaces bounds how often a change of a contact is tried again.
const maxContactRaces = 8

// ChangeContact writes what change makes of a player's contact. An error of change is handed on, and nothing is written;
// change may be called again when somebody else writes meanwhile.
func (t *Table) ChangeContact(ctx context.Context, player string, change func(*Contact) error) (Contact, error) {
	for range maxContactRaces {
		c, err := t.Contact(ctx, player)
		if err != nil {
			return c, err
		}
		if err := change(&c); err != nil {
			return c, err
		}
		err = t.putContact(ctx, &c)
		if _, raced := errors.AsType[*ConditionFailed](err); !raced {
			return c, err
		}
	}
	return Contact{}, ErrContended
}

func (t *Table) putContact(ctx context.Context, c *Contact) error {
	body, err := codec.Encode(c)
	if err != nil {
		return err
	}
	when := IfRev(c.rev)
	if c.rev == 0 {
		when = IfAbsent()
	}
	c.rev++
	return t.driver.Put(ctx, Item{Key: contactKey(c.Player), Rev: c.rev, Body: body}, when)
}

// seenLife is how long it is known what a player has seen of a game: longer than any notice waits.
const seenLife = 30 * 24 * time.Hour

func seenKey(player, game string) Key { return Key{PK: playerPart(player), SK: "SEEN#" + game} }

// SetSeen notes that a player has looked at a game at a version. An older look changes nothing.
func (t *Table) SetSeen(ctx context.Context, player, game string, version uint64, now time.Time) error {
	item := Item{Key: seenKey(player, game), Rev: version, Expires: now.Add(seenLife).Unix()}
	return unlessNewer(t.driver.Put(ctx, item, IfOlder(version)))
}

// Seen is the last version of a game that a player is known to have looked at, 0 for none.
func (t *Table) Seen(ctx context.Context, player, game string) (uint64, error) {
	item, err := t.driver.Get(ctx, seenKey(player, game))
	if errors.Is(err, ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("store: what was seen of %s: %w", game, err)
	}
	return item.Rev, nil
}

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

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

const (
	maxChannels = 16
	// maxTries is how many wrong codes a channel takes.
	maxTries = 5
	// secretLength is that of a webhook's secret, in bytes.
	secretLength = 32
)

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

package notify

import (
	"context"
	"time"

	"boulevard/functions/internal/store"
)

// ChannelKind is a way to reach a player.
type ChannelKind string

// The kinds of channels.
const (
	// WebPush reaches browsers, and UnifiedPush distributors, by RFC 8030.
	WebPush ChannelKind = "webpush"
	// Mobile reaches the apps of phones.
	Mobile ChannelKind = "mobile"
	// Email reaches a mailbox.
	Email ChannelKind = "email"
	// Webhook posts to a URL of the player's.
	Webhook ChannelKind = "webhook"
	// Live says it on the player's live connections.
	Live ChannelKind = "live"
)

// The variants of addresses.
const (
	// APNs and FCM are where a Mobile token comes from.
	APNs = "apns"
	FCM  = "fcm"
	// JSON, Discord and Slack are what a Webhook's body looks like.
	JSON    = "json"
	Discord = "discord"
	Slack   = "slack"
)

// Address is where a channel reaches a player; the target of Live is the player's id.
type Address = store.Address

// Message is what a channel tells a player. It holds nothing that others at the table may not know.
type Message struct {
	// ID is the same for every attempt to deliver this notice, so that receivers can tell a repetition.
	ID string
	// Kind is the kind of news, such as "your_turn".
	Kind Kind
	// Game is the game's id, and Version the version that the message speaks of. A test has neither.
	Game    string
	Version uint64
	// Title and Body are prose for people, in plain text, of one line and of at most a few.
	Title, Body string
	// URL opens the game.
	URL string
	// Unsubscribe switches the channel off when it is posted to (RFC 8058).
	Unsubscribe string
	// Badge is how many games wait for the player.
	Badge int
	// Collapse is the same for all messages of which a device need show only the latest: at most 32 characters of the
	// base64url alphabet. It may be empty.
	Collapse string
	// Silent tells that nothing new is to be shown: what was shown under the same Collapse is no longer true.
	Silent bool
	// Sent is when the message was made, in unix milliseconds.
	Sent int64
}

// Verdict is what became of an attempt to deliver a message.
type Verdict int

const (
	// Accepted says that the provider has taken the message on.
	Accepted Verdict = iota + 1
	// TryLater says that the provider has certainly not taken it on, and may at another time.
	TryLater
	// Refused says that the provider will not take this message on.
	Refused
	// Gone says that nobody is reached at this address any more.
	Gone
	// Unknown says that the message may have been taken on or not: it must not be sent again on this channel.
	Unknown
)

// Outcome is the provider's answer.
type Outcome struct {
	Verdict Verdict
	// Reason is a stable word for machines, such as "timeout" or "status_429"; then, after ": ", what the provider said, if
	// anything: at most 200 characters of one line. It holds no address and no secret.
	Reason string
	// After is how long the provider wants to be left alone, 0 if it did not say.
	After time.Duration
	// ProviderID is the provider's own name for the message, if it gave one.
	ProviderID string
}

// Channel delivers messages to one kind of address.
type Channel interface {
	// Send makes one attempt. It returns before the context ends.
	Send(ctx context.Context, to Address, message Message) Outcome
}

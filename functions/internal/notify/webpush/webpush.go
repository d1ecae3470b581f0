// Package webpush sends to browsers by way of their push services: RFC 8030, with contents encrypted for the browser alone
// (RFC 8291) and a sender that names itself (VAPID, RFC 8292). UnifiedPush, by which phones are reached without Google or
// Apple, is the same protocol: its distributors give endpoints and keys as browsers do.
package webpush

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/SherClockHolmes/webpush-go"

	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/guard"
)

// Config is what a channel needs. Timeout, TTL and Now may be left out.
type Config struct {
	// Client is one of guard.NewClient: the endpoints are those of strangers.
	Client *http.Client
	// Subject is whom a push service can ask about us: a mailto: or an https: URL (RFC 8292, 2.1).
	Subject string
	// PublicKey and PrivateKey are as Keys gives them. Subscriptions are made for one public key and end with it.
	PublicKey, PrivateKey string
	// Timeout bounds one attempt; 0 is five seconds.
	Timeout time.Duration
	// TTL is for how long a push service keeps a message for a device that is away; 0 is a day, and four weeks the most.
	TTL time.Duration
	// Now is time.Now if nil.
	Now func() time.Time
}

const (
	defaultTimeout = 5 * time.Second
	defaultTTL     = 24 * time.Hour
	maxTTL         = 4 * 7 * 24 * time.Hour
	// silentTTL is short: to a device that comes back later, the game itself says how it stands.
	silentTTL = time.Hour
)

// Channel sends to push services.
type Channel struct{ config Config }

var _ notify.Channel = (*Channel)(nil)

// New makes a channel. It fails where no push service would take what it sends.
func New(config Config) (*Channel, error) {
	if err := checkSubject(config.Subject); err != nil {
		return nil, err
	}
	if err := checkPair(config.PublicKey, config.PrivateKey); err != nil {
		return nil, err
	}
	if config.Timeout == 0 {
		config.Timeout = defaultTimeout
	}
	if config.TTL == 0 {
		config.TTL = defaultTTL
	}
	config.TTL = min(config.TTL, maxTTL)
	if config.Now == nil {
		config.Now = time.Now
	}
	return &Channel{config: config}, nil
}

// Send makes one attempt. The ProviderID of what is accepted is where the push service keeps it (RFC 8030, 5).
func (c *Channel) Send(ctx context.Context, to notify.Address, message notify.Message) notify.Outcome {
	endpoint, err := normal(to.Target)
	if err != nil {
		return refused("bad_url")
	}
	if CheckKeys(to.Key, to.Auth) != nil {
		return refused("bad_keys")
	}
	content, ok := payload(message)
	if !ok {
		return refused("too_large")
	}
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	ctx, trace := notify.WithTrace(ctx)
	subscription := &webpush.Subscription{Endpoint: endpoint, Keys: webpush.Keys{Auth: to.Auth, P256dh: to.Key}}
	//nolint:bodyclose // Outcome closes it
	response, err := webpush.SendNotificationWithContext(ctx, content, subscription, c.options(message))
	outcome := guard.Outcome(response, err, trace, to, c.config.Now())
	if outcome.Verdict == notify.Accepted {
		outcome.ProviderID = resource(response, to)
	}
	return outcome
}

// maxResource bounds what is kept of a stranger's header.
const maxResource = 256

// resource is where the push service keeps a message. It is left out where it would give away where the player is reached.
func resource(response *http.Response, to notify.Address) string {
	location := response.Header.Get("Location")
	if len(location) > maxResource || strings.Contains(location, to.Target) {
		return ""
	}
	return location
}

func (c *Channel) options(message notify.Message) *webpush.Options {
	o := &webpush.Options{
		HTTPClient: c.config.Client,
		RecordSize: recordSize,
		// The library puts mailto: before whatever is no https URL.
		Subscriber:      strings.TrimPrefix(c.config.Subject, "mailto:"),
		Topic:           message.Collapse, // a later message replaces one that waits (RFC 8030, 5.4)
		TTL:             int(c.config.TTL / time.Second),
		Urgency:         urgency(message),
		VAPIDPublicKey:  c.config.PublicKey,
		VAPIDPrivateKey: c.config.PrivateKey,
	}
	if message.Silent {
		o.TTL = min(o.TTL, int(silentTTL/time.Second))
	}
	return o
}

// urgency decides whether a device is woken for it (RFC 8030, 5.3).
func urgency(message notify.Message) webpush.Urgency {
	switch {
	case message.Silent:
		return webpush.UrgencyLow
	case message.Kind == notify.YourTurn, message.Kind == notify.DecisionAsked:
		return webpush.UrgencyHigh
	}
	return webpush.UrgencyNormal
}

// normal spells an endpoint so that scheme and host are its origin, which the token is made out to (RFC 8292, 2): an origin
// has no upper case, and does not name the port that goes without saying (RFC 6454, 6.2).
func normal(endpoint string) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "", err
	}
	u.Host = strings.ToLower(u.Host)
	if u.Scheme == "https" {
		u.Host = strings.TrimSuffix(u.Host, ":443")
	}
	return u.String(), nil
}

func refused(reason string) notify.Outcome {
	return notify.Outcome{Verdict: notify.Refused, Reason: reason}
}

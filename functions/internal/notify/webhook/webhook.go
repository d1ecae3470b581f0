// Package webhook posts what happens in a player's games to a URL of his: to a program, as JSON, or to a chat room of
// Discord's or Slack's.
//
// Posts to programs are signed after the Standard Webhooks scheme, so that their receivers know who sent them, and any
// library for that scheme checks them. The receiver
//
//  1. takes webhook-id, webhook-timestamp and webhook-signature from the headers, and the body as it came, unparsed;
//  2. refuses a timestamp (unix seconds) more than five minutes away, since it may be an old post played again;
//  3. computes HMAC-SHA256 with the secret over id + "." + timestamp + "." + body, in base64;
//  4. compares "v1," and that, in constant time, with each of the signatures, which are separated by spaces;
//  5. forgets what comes with an id that it has seen: every attempt to deliver one notice has the same.
//
// Libraries take the secret as "whsec_" and its bytes in base64.
package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"time"

	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/guard"
)

// Config is what a channel needs. Only Client is required.
type Config struct {
	// Client is one of guard.NewClient: the URLs are those of strangers.
	Client *http.Client
	// Timeout bounds one post; 0 is three seconds.
	Timeout time.Duration
	// Now is time.Now if nil.
	Now func() time.Time
}

const defaultTimeout = 3 * time.Second

// Channel posts to webhooks.
type Channel struct{ config Config }

var _ notify.Channel = (*Channel)(nil)

// New makes a channel.
func New(config Config) *Channel {
	if config.Timeout == 0 {
		config.Timeout = defaultTimeout
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	return &Channel{config: config}
}

// Send makes one attempt. It refuses a silent message where there is nothing to correct, and to post to a program unsigned.
func (c *Channel) Send(ctx context.Context, to notify.Address, message notify.Message) notify.Outcome {
	form, known := forms[to.Variant]
	switch {
	case !known:
		return refused("unknown_variant")
	case message.Silent && !notify.Corrects(notify.Webhook, to):
		return refused("nothing_to_correct")
	case to.Variant == notify.JSON && len(to.Secret) == 0:
		return refused("no_secret")
	}
	return c.post(ctx, to, message.ID, form(message))
}

func (c *Channel) post(ctx context.Context, to notify.Address, id string, body []byte) notify.Outcome {
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	ctx, trace := notify.WithTrace(ctx)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to.Target, bytes.NewReader(body))
	if err != nil {
		return refused("bad_url")
	}
	now := c.config.Now()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Boulevard")
	if to.Variant == notify.JSON {
		sign(request.Header, to.Secret, id, now, body)
	}
	response, err := c.config.Client.Do(request) //nolint:bodyclose // Outcome closes it
	return guard.Outcome(response, err, trace, to, now)
}

// sign adds the headers of Standard Webhooks.
func sign(header http.Header, secret []byte, id string, now time.Time, body []byte) {
	timestamp := strconv.FormatInt(now.Unix(), 10)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	header.Set("Webhook-Id", id)
	header.Set("Webhook-Timestamp", timestamp)
	header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

func refused(reason string) notify.Outcome {
	return notify.Outcome{Verdict: notify.Refused, Reason: reason}
}

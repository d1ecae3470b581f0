package notify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
)

// Trace notes whether a request may have reached its provider.
type Trace struct{ wrote atomic.Bool }

// WithTrace is a context whose HTTP request is traced.
func WithTrace(ctx context.Context) (context.Context, *Trace) {
	var t Trace
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteHeaders: func() { t.wrote.Store(true) },
	}), &t
}

// Failure is the outcome of a request that got no answer: one that was never sent can be tried again, and of another
// nobody knows what has become of it.
func (t *Trace) Failure(err error) Outcome {
	reason := "unreachable"
	if errors.Is(err, context.DeadlineExceeded) || isTimeout(err) {
		reason = "timeout"
	}
	if t.wrote.Load() {
		return Outcome{Verdict: Unknown, Reason: reason}
	}
	return Outcome{Verdict: TryLater, Reason: reason}
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	return ok && timeout.Timeout()
}

// OfStatus is the outcome of an answered HTTP request: of its status, and of what the provider said.
func OfStatus(status int, header http.Header, said string, to Address, now time.Time) Outcome {
	o := Outcome{Reason: Reason(fmt.Sprintf("status_%d", status), said, to), After: retryAfter(header, now)}
	switch {
	case status >= http.StatusOK && status < http.StatusMultipleChoices:
		return Outcome{Verdict: Accepted}
	case status == http.StatusNotFound, status == http.StatusGone:
		o.Verdict = Gone
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status >= http.StatusInternalServerError:
		o.Verdict = TryLater
	default:
		o.Verdict = Refused
	}
	return o
}

// maxAfter bounds for how long a provider can put off a notice: after a few times as long, the player is told elsewhere.
const maxAfter = time.Hour

// retryAfter reads Retry-After in both of its forms (RFC 9110, 10.2.3). What makes no sense is as good as nothing.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return min(time.Duration(seconds)*time.Second, maxAfter)
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(0, at.Sub(now)), maxAfter)
	}
	return 0
}

// maxReason bounds what of a provider's words is kept.
const maxReason = 200

// Reason is what a ledger may keep of a provider's words: one line, without the address that they speak of.
func Reason(word, said string, to Address) string {
	for _, secret := range secrets(to) {
		said = strings.ReplaceAll(said, secret, "…")
	}
	said = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(said, "?"), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
	if said == "" {
		return word
	}
	if runes := []rune(said); len(runes) > maxReason {
		said = string(runes[:maxReason])
	}
	return word + ": " + said
}

// minSecret is the length from which a part of a URL may be what keeps it secret.
const minSecret = 8

// secrets are what must not be repeated of an address, the longer before what they contain. Servers like to say which path
// they do not know, and the path of a webhook or a push endpoint is all that it takes to use it.
func secrets(to Address) []string {
	list := []string{to.Target, to.Key, to.Auth, string(to.Secret)}
	if u, err := url.Parse(to.Target); err == nil {
		list = append(list, u.RequestURI(), u.EscapedPath(), u.Path, u.RawQuery)
		for _, part := range strings.FieldsFunc(u.RequestURI()+"/"+u.Path, isDelimiter) {
			if len(part) >= minSecret {
				list = append(list, part)
			}
		}
	}
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	return slices.DeleteFunc(list, func(secret string) bool { return len(secret) <= len("/") })
}

func isDelimiter(r rune) bool { return strings.ContainsRune("/?&=", r) }

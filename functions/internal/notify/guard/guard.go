// Package guard calls URLs that strangers give: those of webhooks and of push subscriptions.
//
// Such a URL must not become a way into the network that this program runs in. Names are no protection, since whoever owns a
// name decides what it resolves to, and may decide anew between a check and the connection. So the address is checked where
// it is final: when the socket connects ([NewClient]). What can be told from the URL alone is told to whoever registers it
// ([Options.CheckURL]), as a courtesy and not as the defence.
package guard

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// Options open doors that are closed to strangers. Those of production are the zero value.
type Options struct {
	// Allow are the addresses that may be reached although they are not public, by plain http too and on any port: those of
	// a developer's own machine, and of tests.
	Allow []netip.Prefix
	// Resolver finds the addresses of names; nil is the system's.
	Resolver *net.Resolver
	// RootCAs vouch for receivers; nil are the system's.
	RootCAs *x509.CertPool
	// Timeout bounds a request from the look-up of its name to the last byte of its answer; 0 is ten seconds.
	Timeout time.Duration
}

const (
	defaultTimeout = 10 * time.Second
	maxHeader      = 32 << 10
	// maxBody bounds what is read of an answer, of which a few words are kept.
	maxBody = 8 << 10
)

// ErrRefused says that a request was not made because of where it would have gone.
var ErrRefused = errors.New("guard: not a public address")

// NewClient makes a client for URLs of strangers. It connects to public addresses only, by https on the ports 443 and 8443,
// through no proxy; it follows no redirect but returns it; and it reads a bounded part of an answer. An error of http.Client
// names the URL: it is for errors.Is, and for no log.
func NewClient(o Options) *http.Client {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	return &http.Client{
		Transport: transport{secure: o.transport(o.permit), plain: o.transport(o.permitLocal)},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
		Timeout: o.Timeout,
	}
}

// transport is Go's, with a dialer that asks before it connects. A dial goes on after its request has been given up, so it
// and the handshake have timeouts of their own.
func (o Options) transport(permit func(netip.AddrPort) error) *http.Transport {
	dialer := &net.Dialer{Timeout: o.Timeout, Resolver: o.Resolver, ControlContext: atConnect(permit)}
	return &http.Transport{
		Proxy:                  nil, // a proxy would resolve and connect for us, unguarded
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    o.Timeout,
		ResponseHeaderTimeout:  o.Timeout,
		MaxResponseHeaderBytes: maxHeader,
		DisableKeepAlives:      true, // on a connection that the other side is closing, nobody could say whether a request arrived
		DisableCompression:     true, // a small answer could unpack to a large one
		ForceAttemptHTTP2:      true,
	}
}

// atConnect runs after the name was resolved and before the socket connects, for each address that is tried.
func atConnect(permit func(netip.AddrPort) error) func(context.Context, string, string, syscall.RawConn) error {
	return func(_ context.Context, _, address string, _ syscall.RawConn) error {
		target, err := netip.ParseAddrPort(address)
		if err != nil {
			return ErrRefused // the address itself would be in err
		}
		return permit(target)
	}
}

// permit is the rule for https.
func (o Options) permit(target netip.AddrPort) error {
	if o.allows(target.Addr()) {
		return nil
	}
	if !public(target.Addr()) {
		return ErrRefused
	}
	if !ports[target.Port()] {
		return fmt.Errorf("%w: the port is neither 443 nor 8443", ErrRefused)
	}
	return nil
}

// permitLocal is the rule for http, which carries messages that anyone on the way can read.
func (o Options) permitLocal(target netip.AddrPort) error {
	if o.allows(target.Addr()) {
		return nil
	}
	return fmt.Errorf("%w: it is not reached by https", ErrRefused)
}

func (o Options) allows(address netip.Addr) bool {
	for _, prefix := range o.Allow {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}

// transport tells http from https, which are permitted differently.
type transport struct{ secure, plain *http.Transport }

// RoundTrip makes one request.
func (t transport) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := t.through(request.URL).RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if isRedirect(response.StatusCode) {
		// http.Client fails on a location that it cannot parse, although it is not to follow it.
		response.Header.Del("Location")
	}
	response.Body = bounded{Reader: io.LimitReader(response.Body, maxBody), Closer: response.Body}
	return response, nil
}

func (t transport) through(u *url.URL) http.RoundTripper {
	switch {
	case u.Host == "":
		return nowhere{}
	case u.Scheme == "https":
		return t.secure
	case u.Scheme == "http":
		return t.plain
	}
	return nowhere{}
}

func isRedirect(status int) bool {
	return status >= http.StatusMultipleChoices && status < http.StatusBadRequest
}

// nowhere is where URLs lead that are none of the web.
type nowhere struct{}

// RoundTrip refuses, and closes the body as it has to.
func (nowhere) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Body != nil {
		_ = request.Body.Close()
	}
	return nil, ErrRefused
}

// bounded is the beginning of a body.
type bounded struct {
	io.Reader
	io.Closer
}

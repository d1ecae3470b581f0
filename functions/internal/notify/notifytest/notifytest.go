// Package notifytest tests channels against providers on this machine that do all that providers do, and all that they
// should not.
package notifytest

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/guard"
)

// Setup is what a channel under test is made with.
type Setup struct {
	// Client reaches this machine, and trusts its providers.
	Client *http.Client
	// Timeout is what the channel is to wait.
	Timeout time.Duration
	// Now stands still.
	Now func() time.Time
}

// Subject is a channel under test.
type Subject struct {
	// Open makes the channel.
	Open func(t *testing.T, setup Setup) notify.Channel
	// Address is one at the provider's URL.
	Address func(url string) notify.Address
	// Message is one that the channel sends.
	Message notify.Message
}

const (
	// long is more than a provider on this machine needs, enough is what it needs to get the message even when the machine
	// is busy, and short is soon over.
	long   = 10 * time.Second
	enough = 1500 * time.Millisecond
	short  = 100 * time.Millisecond
	// secretPath is a URL's secret.
	secretPath = "/endpoint/s3cr3t-t0ken"
)

var now = time.Date(2026, 10, 5, 12, 0, 0, 0, time.UTC)

// provider starts a provider, and returns its URL.
type provider func(t *testing.T) string

type behaviour struct {
	does    provider
	timeout time.Duration
	want    notify.Outcome
}

// Run tests what the channel makes of each behaviour.
func (s Subject) Run(t *testing.T) {
	for name, test := range behaviours() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to := s.Address(test.does(t) + secretPath)
			channel := s.Open(t, Setup{Client: client(), Timeout: test.timeout, Now: func() time.Time { return now }})
			got := channel.Send(t.Context(), to, s.Message)
			reason, said, _ := strings.Cut(got.Reason, ": ")
			require.Equal(t, test.want, notify.Outcome{Verdict: got.Verdict, Reason: reason, After: got.After}, got.Reason)
			require.LessOrEqual(t, len([]rune(said)), 200)
			for _, secret := range []string{to.Target, secretPath, "s3cr3t", to.Key, to.Auth, string(to.Secret)} {
				if secret != "" {
					require.NotContains(t, got.Reason, secret)
				}
			}
		})
	}
}

// behaviours are those of answers, and those of connections.
func behaviours() map[string]behaviour {
	all := connections()
	for name, answer := range map[string]struct {
		handler http.HandlerFunc
		want    notify.Outcome
	}{
		"accepts with 200":    {answer(200, ""), notify.Outcome{Verdict: notify.Accepted}},
		"accepts with 201":    {answer(201, ""), notify.Outcome{Verdict: notify.Accepted}},
		"accepts with 202":    {answer(202, ""), notify.Outcome{Verdict: notify.Accepted}},
		"accepts with 204":    {answer(204, ""), notify.Outcome{Verdict: notify.Accepted}},
		"accepts endlessly":   {endless(200), notify.Outcome{Verdict: notify.Accepted}},
		"redirects":           {answer(307, ""), notify.Outcome{Verdict: notify.Refused, Reason: "status_307"}},
		"has moved":           {answer(301, ""), notify.Outcome{Verdict: notify.Refused, Reason: "status_301"}},
		"finds it malformed":  {answer(400, ""), notify.Outcome{Verdict: notify.Refused, Reason: "status_400"}},
		"forbids it":          {answer(403, ""), notify.Outcome{Verdict: notify.Refused, Reason: "status_403"}},
		"finds it too large":  {answer(413, ""), notify.Outcome{Verdict: notify.Refused, Reason: "status_413"}},
		"N3 knows it not":     {answer(404, ""), notify.Outcome{Verdict: notify.Gone, Reason: "status_404"}},
		"N3 knows it no more": {answer(410, ""), notify.Outcome{Verdict: notify.Gone, Reason: "status_410"}},
		"N2 fails":            {answer(500, ""), notify.Outcome{Verdict: notify.TryLater, Reason: "status_500"}},
		"N2 fails endlessly":  {endless(500), notify.Outcome{Verdict: notify.TryLater, Reason: "status_500"}},
		"N2 is down":          {answer(503, "60"), notify.Outcome{Verdict: notify.TryLater, Reason: "status_503", After: time.Minute}},
		"has enough": {
			answer(429, ""), notify.Outcome{Verdict: notify.TryLater, Reason: "status_429"},
		},
		"has enough for seconds": {
			answer(429, "90"), notify.Outcome{Verdict: notify.TryLater, Reason: "status_429", After: 90 * time.Second},
		},
		"has enough until a date": {
			answer(429, now.Add(40*time.Minute).Format(http.TimeFormat)),
			notify.Outcome{Verdict: notify.TryLater, Reason: "status_429", After: 40 * time.Minute},
		},
		"has enough for who knows how long": {
			answer(429, "-1 fortnights"), notify.Outcome{Verdict: notify.TryLater, Reason: "status_429"},
		},
	} {
		all[name] = behaviour{does: serves(answer.handler), timeout: long, want: answer.want}
	}
	return all
}

// connections are behaviours that end in no answer.
func connections() map[string]behaviour {
	unsent := func(reason string) notify.Outcome { return notify.Outcome{Verdict: notify.TryLater, Reason: reason} }
	unclear := func(reason string) notify.Outcome { return notify.Outcome{Verdict: notify.Unknown, Reason: reason} }
	return map[string]behaviour{
		"N1 hangs before it answers":  {serves(hang), enough, unclear("timeout")},
		"N1 hangs by HTTP/2":          {serves2(hang), enough, unclear("timeout")},
		"accepts by HTTP/2":           {serves2(answer(200, "")), long, notify.Outcome{Verdict: notify.Accepted}},
		"redirects by HTTP/2":         {serves2(answer(302, "")), long, notify.Outcome{Verdict: notify.Refused, Reason: "status_302"}},
		"N1 hangs up before it does":  {serves(abort), long, unclear("unreachable")},
		"N1 answers garbage":          {talks(secured, garbage), long, unclear("unreachable")},
		"N1 answers half":             {talks(secured, half), long, unclear("unreachable")},
		"hangs before it shakes":      {talks(plain, wait), short, unsent("timeout")},
		"hangs up before it shakes":   {talks(plain, leave), long, unsent("unreachable")},
		"has garbage for a handshake": {talks(plain, garbage), long, unsent("unreachable")},
		"listens no more":             {absent, long, unsent("unreachable")},
		"N8 is in a private network": {
			func(*testing.T) string { return "https://10.0.0.1" }, long,
			notify.Outcome{Verdict: notify.Refused, Reason: "forbidden_address"},
		},
		"N8 is where metadata are": {
			func(*testing.T) string { return "https://169.254.169.254" }, long,
			notify.Outcome{Verdict: notify.Refused, Reason: "forbidden_address"},
		},
		"has no URL": {
			func(*testing.T) string { return "https://exa mple" }, long, notify.Outcome{Verdict: notify.Refused, Reason: "bad_url"},
		},
	}
}

// answer says the status, tells to come back later if told so, and repeats what it was asked for.
func answer(status int, retryAfter string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		w.Header().Set("Location", "http://169.254.169.254/")
		w.WriteHeader(status)
		if status != http.StatusNoContent {
			//nolint:gosec // no browser reads it
			_, _ = io.WriteString(w, "Sorry\n\tabout https://"+r.Host+r.RequestURI+", or "+r.RequestURI+"\x00"+strings.Repeat(".", 999))
		}
	}
}

func endless(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		for {
			if _, err := io.WriteString(w, strings.Repeat("x", 4096)); err != nil {
				return
			}
		}
	}
}

// hang reads what comes and waits until the caller has given up.
func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

func abort(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	panic(http.ErrAbortHandler)
}

// serves is a provider that speaks HTTP/1.1.
func serves(handler http.HandlerFunc) provider {
	return func(t *testing.T) string {
		t.Helper()
		return start(t, httptest.NewUnstartedServer(handler))
	}
}

// serves2 is one that speaks HTTP/2, and nothing else.
func serves2(handler http.HandlerFunc) provider {
	return func(t *testing.T) string {
		t.Helper()
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ProtoMajor != 2 {
				panic(http.ErrAbortHandler)
			}
			handler(w, r)
		}))
		server.EnableHTTP2 = true
		return start(t, server)
	}
}

func start(t *testing.T, server *httptest.Server) string {
	t.Helper()
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}

// talks is a provider that does something else with each connection, which it then closes.
func talks(over func(net.Listener) net.Listener, do func(net.Conn)) provider {
	return func(t *testing.T) string {
		t.Helper()
		plain, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		listener := over(plain)
		t.Cleanup(func() { _ = listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				go func() {
					defer func() { _ = conn.Close() }()
					do(conn)
				}()
			}
		}()
		return "https://" + plain.Addr().String()
	}
}

func plain(l net.Listener) net.Listener { return l }

func secured(l net.Listener) net.Listener {
	return tls.NewListener(l, &tls.Config{Certificates: certificate().TLS.Certificates, MinVersion: tls.VersionTLS12})
}

// wait says nothing until the caller has gone.
func wait(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

func leave(net.Conn) {}

// garbage reads something, so that closing does not reset what is written, and answers in no protocol.
func garbage(conn net.Conn) {
	_, _ = conn.Read(make([]byte, 16<<10))
	_, _ = io.WriteString(conn, "220 smtp.example.com ESMTP\r\n\r\n")
}

func half(conn net.Conn) {
	_, _ = conn.Read(make([]byte, 16<<10))
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-")
}

// absent is a port that nobody listens on any more.
func absent(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return "https://" + listener.Addr().String()
}

// certificate is that of every httptest server.
func certificate() *httptest.Server {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	server.Close()
	return server
}

func client() *http.Client {
	roots := x509.NewCertPool()
	roots.AddCert(certificate().Certificate())
	return guard.NewClient(guard.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, RootCAs: roots})
}

package guard

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}

// receiver is a server on this machine that counts its connections.
type receiver struct {
	*httptest.Server

	connections atomic.Int64
}

func newReceiver(t *testing.T, handler http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{Server: httptest.NewUnstartedServer(handler)}
	r.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			r.connections.Add(1)
		}
	}
	r.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(r.Certificate())
	return pool
}

// named is the receiver's URL by a name, which its certificate is for, and which is whatever a resolver says.
func (r *receiver) named(t *testing.T) string {
	t.Helper()
	u, err := url.Parse(r.URL)
	require.NoError(t, err)
	return "https://example.com:" + u.Port()
}

func ok(http.ResponseWriter, *http.Request) {}

// answer is what came back.
type answer struct {
	status int
	body   []byte
}

func post(t *testing.T, client *http.Client, target string) (answer, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader("{}"))
	require.NoError(t, err)
	response, err := client.Do(request)
	if err != nil {
		return answer{}, err
	}
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return answer{response.StatusCode, body}, nil
}

// refusedAddresses are every kind of address that is not public.
var refusedAddresses = []string{
	"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "100.100.100.200", "127.0.0.1",
	"127.255.255.254", "168.63.129.16", "169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255",
	"192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255",
	"198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
	"::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:169.254.169.254", "::ffff:10.0.0.1",
	"::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b::10.0.0.1", "64:ff9b:1::1",
	"64:ff9b:1::8.8.8.8", "100::1", "2001::1", "2001:0:7f00:1::", "2001:2::1", "2001:20::1", "2001:db8::1",
	"2002:7f00:1::", "2002:808:808::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fdff::1", "fe80::1", "fe80::1%lo",
	"fec0::1", "ff02::1", "ff0e::1",
}

func TestN8_AddressesThatAreNotPublic_AreRefusedAtConnect(t *testing.T) {
	t.Parallel()
	client := NewClient(Options{})
	for _, address := range refusedAddresses {
		target := url.URL{Scheme: "https", Host: net.JoinHostPort(address, "443")}
		_, err := post(t, client, target.String())
		require.ErrorIs(t, err, ErrRefused, address)
		require.Error(t, CheckURL(target.String()), address)
		require.False(t, public(netip.MustParseAddr(address)), address)
	}
}

func TestGuard_PublicAddresses_ArePermitted(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
		"169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
		"198.20.0.0", "223.255.255.255", "2001:200::1", "2001:4860:4860::8888", "2606:4700::1111", "2a00:1450::1",
		"64:ff9b::8.8.8.8",
	} {
		for _, port := range []uint16{443, 8443} {
			require.NoError(t, Options{}.permit(netip.AddrPortFrom(netip.MustParseAddr(address), port)), address)
		}
	}
}

func TestGuard_OtherPortsOfPublicAddresses_AreRefused(t *testing.T) {
	t.Parallel()
	for _, port := range []uint16{0, 22, 25, 80, 6379, 8080, 9200, 65535} {
		require.ErrorIs(t, Options{}.permit(netip.AddrPortFrom(netip.MustParseAddr("8.8.8.8"), port)), ErrRefused)
	}
	require.ErrorIs(t, Options{}.permitLocal(netip.MustParseAddrPort("8.8.8.8:443")), ErrRefused, "plain http")
}

// TestGuard_NotationsOfLoopback_AreRefused has a name server that takes them for this machine, as the C library does without
// asking one. Go's resolver takes a name without letters for none.
func TestGuard_NotationsOfLoopback_AreRefused(t *testing.T) {
	t.Parallel()
	client := NewClient(Options{Resolver: resolver(t, "127.0.0.1")})
	for _, host := range []string{
		"2130706433", "017700000001", "0x7f000001", "0X7F000001", "127.1", "127.0.1", "0x7f.1", "0177.0.0.1", "0x7f.0x0.0x0.0x1",
		"127.0.0.1.", "0127.0.0.01", "localhost", "localhost.", "LOCALHOST", "a.localhost", "metadata.google.internal",
		"printer.local", "router.home.arpa", "example.com",
	} {
		_, err := post(t, client, "https://"+host+"/")
		if none, is := errors.AsType[*net.DNSError](err); !is || !none.IsNotFound {
			require.ErrorIs(t, err, ErrRefused, host)
		}
		if host != "example.com" { // of which nothing can be seen before it is called
			require.ErrorIs(t, CheckURL("https://"+host+"/"), errHost, host)
		}
	}
}

// TestGuard_RebindingBetweenCheckAndConnect_IsRefused resolves once, as a check before the request would, to a public
// address. The request resolves again, to this machine.
func TestGuard_RebindingBetweenCheckAndConnect_IsRefused(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, ok)
	names := resolver(t, "8.8.8.8", "127.0.0.1")
	found, err := names.LookupNetIP(t.Context(), "ip4", "example.com")
	require.NoError(t, err)
	require.True(t, public(found[0]), "a check that comes before sees nothing wrong")

	_, err = post(t, NewClient(Options{Resolver: names, RootCAs: r.roots()}), r.named(t))
	require.ErrorIs(t, err, ErrRefused)
	require.Zero(t, r.connections.Load())

	got, err := post(t, NewClient(Options{Resolver: names, RootCAs: r.roots(), Allow: loopback}), r.named(t))
	require.NoError(t, err, "the same call arrives where the address is allowed")
	require.Equal(t, http.StatusOK, got.status)
	require.EqualValues(t, 1, r.connections.Load())
}

func TestN8_Redirects_AreReturnedAndNotFollowed(t *testing.T) {
	t.Parallel()
	aim := newReceiver(t, ok)
	for _, location := range []string{aim.URL, "http://169.254.169.254/latest/meta-data", "//10.0.0.1", "http://[::1", ""} {
		for _, status := range []int{300, 301, 302, 303, 304, 307, 308} {
			r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Location"] = []string{location}
				w.WriteHeader(status)
			})
			roots := r.roots()
			roots.AddCert(aim.Certificate())
			got, err := post(t, NewClient(Options{Allow: loopback, RootCAs: roots}), r.URL)
			require.NoError(t, err, location)
			require.Equal(t, status, got.status, location)
		}
	}
	require.Zero(t, aim.connections.Load())
}

func TestGuard_PlainHTTP_OnlyReachesWhatIsAllowed(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(ok))
	t.Cleanup(server.Close)
	_, err := post(t, NewClient(Options{}), server.URL)
	require.ErrorIs(t, err, ErrRefused)
	_, err = post(t, NewClient(Options{Allow: loopback}), "http://8.8.8.8:443/")
	require.ErrorIs(t, err, ErrRefused, "a public address, which https may reach")
	_, err = post(t, NewClient(Options{Allow: loopback}), server.URL)
	require.NoError(t, err)
}

func TestGuard_WhatIsNoURLOfTheWeb_IsRefused(t *testing.T) {
	t.Parallel()
	client := NewClient(Options{Allow: loopback})
	for _, target := range []string{"ftp://127.0.0.1/", "file:///etc/passwd", "https:///", "/", "https:127.0.0.1", "gopher://127.0.0.1"} {
		_, err := post(t, client, target)
		require.ErrorIs(t, err, ErrRefused, target)
	}
}

// TestGuard_AProxyOfTheEnvironment_IsNotAsked is not parallel: the environment is the process's.
func TestGuard_AProxyOfTheEnvironment_IsNotAsked(t *testing.T) {
	proxy, r := newReceiver(t, ok), newReceiver(t, ok)
	t.Setenv("HTTPS_PROXY", proxy.URL)
	t.Setenv("https_proxy", proxy.URL)
	client := NewClient(Options{Allow: loopback, RootCAs: r.roots(), Resolver: resolver(t, "127.0.0.1")})
	_, err := post(t, client, r.named(t))
	require.NoError(t, err)
	require.Zero(t, proxy.connections.Load())
}

func TestGuard_AnEndlessBody_IsReadInPart(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := io.WriteString(w, strings.Repeat("x", 4096)); err != nil {
				return
			}
		}
	})
	got, err := post(t, NewClient(Options{Allow: loopback, RootCAs: r.roots()}), r.URL)
	require.NoError(t, err)
	require.Len(t, got.body, maxBody)
}

func TestGuard_EndlessHeaders_AreAnError(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeader))
	})
	_, err := post(t, NewClient(Options{Allow: loopback, RootCAs: r.roots()}), r.URL)
	require.Error(t, err)
}

func TestGuard_AServerWithoutTLS12OrATrustedCertificate_IsNotTalkedTo(t *testing.T) {
	t.Parallel()
	old := httptest.NewUnstartedServer(http.HandlerFunc(ok))
	old.Config.ErrorLog = log.New(io.Discard, "", 0)
	old.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11} //nolint:gosec // too old on purpose
	old.StartTLS()
	t.Cleanup(old.Close)
	roots := x509.NewCertPool()
	roots.AddCert(old.Certificate())
	_, err := post(t, NewClient(Options{Allow: loopback, RootCAs: roots}), old.URL)
	require.ErrorContains(t, err, "protocol version")

	_, err = post(t, NewClient(Options{Allow: loopback, RootCAs: x509.NewCertPool()}), newReceiver(t, ok).URL)
	require.ErrorContains(t, err, "certificate")
}

func TestGuard_AServerThatHangs_IsGivenUp(t *testing.T) {
	t.Parallel()
	held := make(chan struct{})
	r := newReceiver(t, func(http.ResponseWriter, *http.Request) { <-held })
	t.Cleanup(func() { close(held) })
	client := NewClient(Options{Allow: loopback, RootCAs: r.roots(), Timeout: 50 * time.Millisecond})
	_, err := post(t, client, r.URL)
	timeout, is := errors.AsType[net.Error](err)
	require.True(t, is && timeout.Timeout())
}

package webpush_test

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/node"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/guard"
	"boulevard/functions/internal/notify/webpush"
)

// receiver is the push service and the browser of scripts/pushreceiver.
type receiver struct {
	process *node.Process
	client  *http.Client
	address notify.Address
}

// received is a message that the receiver has checked and decrypted.
type received struct {
	Claims struct {
		Aud string `json:"aud"`
		Sub string `json:"sub"`
		Exp int64  `json:"exp"`
	} `json:"claims"`
	Key     string            `json:"key"`
	Payload string            `json:"payload"`
	Size    int               `json:"size"`
	Headers map[string]string `json:"headers"`
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	cert, key, roots := certify(t)
	process, err := node.Start(t.Context(), "pushreceiver", "serve.js", cert, key)
	require.NoError(t, err)
	t.Cleanup(process.Stop)
	var subscription struct {
		Endpoint string `json:"endpoint"`
		P256dh   string `json:"p256dh"`
		Auth     string `json:"auth"`
	}
	line, err := process.Line()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal([]byte(line), &subscription))
	return &receiver{
		process: process,
		client:  guard.NewClient(guard.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, RootCAs: roots}),
		address: notify.Address{Target: subscription.Endpoint, Key: subscription.P256dh, Auth: subscription.Auth},
	}
}

// next is the next message that the receiver has taken on.
func (r *receiver) next(t *testing.T) received {
	t.Helper()
	line, err := r.process.Line()
	require.NoError(t, err)
	var got received
	require.NoError(t, json.Unmarshal([]byte(line), &got))
	return got
}

// certify makes a certificate for this machine.
func certify(t *testing.T) (cert, key string, roots *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)
	parsed, err := x509.ParseCertificate(signed)
	require.NoError(t, err)
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	roots = x509.NewCertPool()
	roots.AddCert(parsed)
	return write(t, "CERTIFICATE", signed), write(t, "PRIVATE KEY", encoded), roots
}

func write(t *testing.T, kind string, bytes []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pem")
	require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}), 0o600))
	return path
}

// config is one with new keys.
func config(t *testing.T) webpush.Config {
	t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	require.NoError(t, err)
	c := webpush.Config{Subject: "mailto:ops@example.com"}
	c.PublicKey, c.PrivateKey = webpush.Keys(private)
	return c
}

func open(t *testing.T, c webpush.Config) *webpush.Channel {
	t.Helper()
	channel, err := webpush.New(c)
	require.NoError(t, err)
	return channel
}

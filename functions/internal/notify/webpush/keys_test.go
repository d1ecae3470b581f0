package webpush_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/notify/webpush"
)

// The example of RFC 8291, section 5.
const (
	exampleKey  = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
	exampleAuth = "BTBZMqHH6r4Tts7J_aSIgg"
)

func TestCheckKeys_OfTheExampleOfRFC8291_AreFine(t *testing.T) {
	t.Parallel()
	require.NoError(t, webpush.CheckKeys(exampleKey, exampleAuth))
}

func TestCheckKeys_WhatIsNoKey_IsNamedWithoutSayingIt(t *testing.T) {
	t.Parallel()
	encode := base64.RawURLEncoding.EncodeToString
	point, err := base64.RawURLEncoding.DecodeString(exampleKey)
	require.NoError(t, err)
	off := append([]byte(nil), point...)
	off[64]++
	for name, test := range map[string]struct{ key, auth, want string }{
		"nothing":            {"", "", "key"},
		"no auth":            {exampleKey, "", "auth"},
		"a short auth":       {exampleKey, exampleAuth[:20], "auth"},
		"a long auth":        {exampleKey, exampleAuth + "AA", "auth"},
		"a padded auth":      {exampleKey, exampleAuth + "==", "auth"},
		"a broken auth":      {exampleKey, exampleAuth + "\n", "auth"},
		"loose bits":         {exampleKey, strings.TrimSuffix(exampleAuth, "g") + "h", "auth"},
		"not on the curve":   {encode(off), exampleAuth, "key"},
		"at infinity":        {encode([]byte{0}), exampleAuth, "key"},
		"zeros":              {encode(make([]byte, 65)), exampleAuth, "key"},
		"a compressed point": {encode(append([]byte{2}, point[1:33]...)), exampleAuth, "key"},
		"a hybrid point":     {encode(append([]byte{6}, point[1:]...)), exampleAuth, "key"},
		"too long":           {encode(append(point, 0)), exampleAuth, "key"},
		"standard base64":    {strings.ReplaceAll(exampleKey, "_", "/"), exampleAuth, "key"},
		"a broken key":       {exampleKey[:40] + "\n" + exampleKey[40:], exampleAuth, "key"},
	} {
		err := webpush.CheckKeys(test.key, test.auth)
		require.ErrorContains(t, err, "the "+test.want+" of the subscription", name)
		require.NotContains(t, err.Error(), exampleAuth[:8])
	}
}

func TestNew_WhatNoPushServiceWouldTake_IsAnError(t *testing.T) {
	t.Parallel()
	valid, other := config(t), config(t)
	for name, change := range map[string]func(*webpush.Config){
		"no subject":           func(c *webpush.Config) { c.Subject = "" },
		"a bare address":       func(c *webpush.Config) { c.Subject = "ops@example.com" },
		"two addresses in one": func(c *webpush.Config) { c.Subject = "mailto:mailto:ops@example.com" },
		"no address":           func(c *webpush.Config) { c.Subject = "mailto:" },
		"http":                 func(c *webpush.Config) { c.Subject = "http://example.com" },
		"https of nobody":      func(c *webpush.Config) { c.Subject = "https:" },
		"another's public key": func(c *webpush.Config) { c.PublicKey = other.PublicKey },
		"no public key":        func(c *webpush.Config) { c.PublicKey = "" },
		"no private key":       func(c *webpush.Config) { c.PrivateKey = "" },
		"a private key of 0":   func(c *webpush.Config) { c.PrivateKey = strings.Repeat("A", 43) },
	} {
		c := valid
		change(&c)
		_, err := webpush.New(c)
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), valid.PrivateKey)
	}
	_, err := webpush.New(valid)
	require.NoError(t, err)
}

func TestKeys_OfAPrivateKey_AreThoseThatThePageAndTheConfigNeed(t *testing.T) {
	t.Parallel()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	require.NoError(t, err)
	publicKey, privateKey := webpush.Keys(private)
	require.Len(t, publicKey, 87)
	scalar, err := base64.RawURLEncoding.DecodeString(privateKey)
	require.NoError(t, err)
	again, err := ecdh.P256().NewPrivateKey(scalar)
	require.NoError(t, err)
	require.True(t, private.Equal(again))
}

// FuzzCheckKeys looks for keys that pass and that cannot be used.
func FuzzCheckKeys(f *testing.F) {
	f.Add(exampleKey, exampleAuth)
	f.Add("", "")
	f.Add(exampleKey+"\n", exampleAuth+"=")
	f.Add(strings.Repeat("A", 87), exampleAuth)
	f.Fuzz(func(t *testing.T, key, auth string) {
		if webpush.CheckKeys(key, auth) != nil {
			return
		}
		point, err := base64.RawURLEncoding.DecodeString(key)
		require.NoError(t, err)
		_, err = ecdh.P256().NewPublicKey(point)
		require.NoError(t, err)
		require.Equal(t, key, base64.RawURLEncoding.EncodeToString(point))
		require.Regexp(t, `^[A-Za-z0-9_-]{22}$`, auth)
	})
}

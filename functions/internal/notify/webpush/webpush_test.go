package webpush_test

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/notifytest"
	"boulevard/functions/internal/notify/webpush"
)

var message = notify.Message{
	ID: "n-1", Kind: notify.YourTurn, Game: "g-1", Version: 42, Title: "Your turn", Body: "Änn & <Bob> are waiting.",
	URL: "https://boulevard.example.com/g/1", Badge: 3, Collapse: "g-1_turn", Sent: 1790000000000,
}

// subscriber is a subscription's keys.
func subscriber(t *testing.T) (key, auth string) {
	t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	require.NoError(t, err)
	key, _ = webpush.Keys(private)
	return key, base64.RawURLEncoding.EncodeToString([]byte("sixteen bytes ok"))
}

func TestWebPush_OfEveryProvider_SaysWhatBecameOfIt(t *testing.T) {
	t.Parallel()
	key, auth := subscriber(t)
	notifytest.Subject{
		Open: func(t *testing.T, s notifytest.Setup) notify.Channel {
			t.Helper()
			c := config(t)
			c.Client, c.Timeout, c.Now = s.Client, s.Timeout, s.Now
			return open(t, c)
		},
		Address: func(url string) notify.Address { return notify.Address{Target: url, Key: key, Auth: auth} },
		Message: message,
	}.Run(t)
}

func TestWebPush_WhatIsSent_IsReadByAnIndependentBrowser(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	c := config(t)
	c.Client = r.client
	channel := open(t, c)
	origin := strings.TrimSuffix(r.address.Target, "/subscriptions/1")

	got := channel.Send(t.Context(), r.address, message)
	require.Equal(t, notify.Outcome{Verdict: notify.Accepted, ProviderID: origin + "/messages/1"}, got)
	read := r.next(t)
	require.JSONEq(t, `{"id":"n-1","kind":"your_turn","game":"g-1","version":42,"title":"Your turn",
		"body":"Änn & <Bob> are waiting.","url":"https://boulevard.example.com/g/1","badge":3,"silent":false,
		"sent":1790000000000}`, read.Payload)
	require.Equal(t, origin, read.Claims.Aud)
	require.Equal(t, "mailto:ops@example.com", read.Claims.Sub)
	require.Equal(t, c.PublicKey, read.Key)
	require.WithinDuration(t, time.Now().Add(12*time.Hour), time.Unix(read.Claims.Exp, 0), time.Hour)
	require.Equal(t, 3072, read.Size)
	require.Equal(t, "application/octet-stream", read.Headers["content-type"])
}

func TestWebPush_TheHeaders_TellThePushServiceWhatItMayDo(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	for name, test := range map[string]struct {
		kind          notify.Kind
		silent        bool
		ttl           time.Duration
		urgency, kept string
	}{
		"your turn":       {notify.YourTurn, false, 0, "high", "86400"},
		"a decision":      {notify.DecisionAsked, false, 0, "high", "86400"},
		"a deal":          {notify.DealOffered, false, 0, "normal", "86400"},
		"the end":         {notify.GameFinished, false, time.Minute, "normal", "60"},
		"a test, forever": {notify.Test, false, 1000 * 24 * time.Hour, "normal", "2419200"},
		"silence":         {notify.Settled, true, 0, "low", "3600"},
		"brief silence":   {notify.Settled, true, time.Minute, "low", "60"},
	} {
		c := config(t)
		c.Client, c.TTL, c.Subject = r.client, test.ttl, "https://boulevard.example.com/contact"
		m := message
		m.Kind, m.Silent = test.kind, test.silent
		require.Equal(t, notify.Accepted, open(t, c).Send(t.Context(), r.address, m).Verdict, name)
		read := r.next(t)
		require.Equal(t, test.urgency, read.Headers["urgency"], name)
		require.Equal(t, test.kept, read.Headers["ttl"], name)
		require.Equal(t, "g-1_turn", read.Headers["topic"], name)
		require.Equal(t, "https://boulevard.example.com/contact", read.Claims.Sub)
		require.Equal(t, test.silent, strings.Contains(read.Payload, `"silent":true`), name)
	}
}

func TestWebPush_MessagesOfEveryLength_AreOfOneSizeOutside(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	c := config(t)
	c.Client = r.client
	channel := open(t, c)
	for _, body := range []string{"", "x", strings.Repeat("x", 2700), strings.Repeat("\"", 5000), strings.Repeat("𝄞é", 4000)} {
		m := message
		m.Body, m.Collapse = body, ""
		require.Equal(t, notify.Accepted, channel.Send(t.Context(), r.address, m).Verdict)
		read := r.next(t)
		require.Equal(t, 3072, read.Size)
		require.LessOrEqual(t, len(read.Payload), 2969)
		require.Equal(t, len(body) > 2700, strings.Contains(read.Payload, `…"`))
		require.NotContains(t, read.Payload, "\uFFFD", "cut between characters")
		require.NotContains(t, read.Headers, "topic")
	}
}

func TestWebPush_WithATitleThatLeavesNoRoom_IsRefused(t *testing.T) {
	t.Parallel()
	m := message
	m.Title = strings.Repeat("x", 3000)
	to := notify.Address{Target: "https://example.com/"}
	to.Key, to.Auth = subscriber(t)
	require.Equal(t, notify.Outcome{Verdict: notify.Refused, Reason: "too_large"}, open(t, config(t)).Send(t.Context(), to, m))
}

// TestWebPush_TheReceiver_RefusesWhatIsWrong shows that its checks can fail.
func TestWebPush_TheReceiver_RefusesWhatIsWrong(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	c := config(t)
	c.Client = r.client
	other := r.address
	other.Key, _ = subscriber(t)
	got := open(t, c).Send(t.Context(), other, message)
	require.Equal(t, notify.Outcome{Verdict: notify.Refused, Reason: "status_400: not to be decrypted"}, got)

	origin := strings.TrimSuffix(r.address.Target, "/subscriptions/1")
	signed := jwt.MapClaims{"aud": origin, "sub": "mailto:ops@example.com", "exp": time.Now().Add(time.Hour).Unix()}
	for name, test := range map[string]struct {
		key    string
		change jwt.MapClaims
		status int
	}{
		"another's key":    {key: c.PublicKey, status: http.StatusForbidden},
		"another audience": {change: jwt.MapClaims{"aud": "https://example.com"}, status: http.StatusForbidden},
		"an old token":     {change: jwt.MapClaims{"exp": time.Now().Add(-time.Hour).Unix()}, status: http.StatusForbidden},
		"a long token":     {change: jwt.MapClaims{"exp": time.Now().Add(25 * time.Hour).Unix()}, status: http.StatusForbidden},
		"no contact":       {change: jwt.MapClaims{"sub": "mailto:mailto:ops@example.com"}, status: http.StatusForbidden},
		"nothing but that": {status: http.StatusBadRequest},
	} {
		require.Equal(t, test.status, post(t, r, forge(t, signed, test.change, test.key)), name)
	}
}

// forge is an authorization with a token of a key of its own, which says another key if told so.
func forge(t *testing.T, claims, change jwt.MapClaims, key string) string {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	claims = maps.Clone(claims)
	maps.Copy(claims, change)
	token, err := jwt.NewWithClaims(jwt.SigningMethodES256, claims).SignedString(private)
	require.NoError(t, err)
	if key == "" {
		own, err := private.ECDH()
		require.NoError(t, err)
		key, _ = webpush.Keys(own)
	}
	return "vapid t=" + token + ", k=" + key
}

func post(t *testing.T, r *receiver, authorization string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.address.Target, http.NoBody)
	require.NoError(t, err)
	request.Header.Set("Authorization", authorization)
	response, err := r.client.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

func TestWebPush_WithBadKeys_IsRefusedAndNothingIsSent(t *testing.T) {
	t.Parallel()
	key, auth := subscriber(t)
	for _, to := range []notify.Address{{}, {Key: key}, {Auth: auth}, {Key: auth, Auth: key}} {
		to.Target = "https://example.com/"
		got := open(t, config(t)).Send(t.Context(), to, message)
		require.Equal(t, notify.Outcome{Verdict: notify.Refused, Reason: "bad_keys"}, got)
	}
}

// TestWebPush_AResourceThatGivesTheEndpointAway_IsNotKept holds the ledger free of addresses and of novels.
func TestWebPush_AResourceThatGivesTheEndpointAway_IsNotKept(t *testing.T) {
	t.Parallel()
	for _, location := range []string{"", "ENDPOINT/1", "/" + strings.Repeat("x", 256)} {
		var server *httptest.Server
		server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", strings.Replace(location, "ENDPOINT", server.URL+"/s3cr3t", 1))
			w.WriteHeader(http.StatusCreated)
		}))
		t.Cleanup(server.Close)
		c := config(t)
		c.Client = http.DefaultClient
		to := notify.Address{Target: server.URL + "/s3cr3t"}
		to.Key, to.Auth = subscriber(t)
		require.Equal(t, notify.Outcome{Verdict: notify.Accepted}, open(t, c).Send(t.Context(), to, message))
	}
}

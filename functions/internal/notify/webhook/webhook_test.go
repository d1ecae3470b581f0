package webhook_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/guard"
	"boulevard/functions/internal/notify/notifytest"
	"boulevard/functions/internal/notify/webhook"
)

// secret is that of the example of Standard Webhooks: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".
var secret = []byte("\x31\xf2\x90\xf6\xbf\x06\x29\x8a\xab\x4f\x08\xd4\x3c\x3f\x08\x2c\xf6\x48\xa3\x62\xda\x2d\xa4\xb0")

var message = notify.Message{
	ID: "n-1", Kind: notify.YourTurn, Game: "g-1", Version: 42, Title: "Your turn", Body: "Ann has ended her turn.",
	URL: "https://boulevard.example.com/g/1?a=1&b=2", Badge: 3, Sent: 1790000000000,
	Unsubscribe: "https://boulevard.example.com/unsubscribe/xyz",
}

func TestWebhook_OfEveryProvider_SaysWhatBecameOfIt(t *testing.T) {
	t.Parallel()
	notifytest.Subject{
		Open: func(_ *testing.T, s notifytest.Setup) notify.Channel {
			return webhook.New(webhook.Config{Client: s.Client, Timeout: s.Timeout, Now: s.Now})
		},
		Address: func(url string) notify.Address {
			return notify.Address{Target: url, Variant: notify.JSON, Secret: secret}
		},
		Message: message,
	}.Run(t)
}

// received is what a receiver got.
type received struct {
	header http.Header
	body   []byte
}

// send posts to a receiver that accepts, and returns what it received.
func send(t *testing.T, variant string, m notify.Message) received {
	t.Helper()
	posts := make(chan received, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		posts <- received{r.Header, body}
	}))
	t.Cleanup(server.Close)
	channel := webhook.New(webhook.Config{
		Client: guard.NewClient(guard.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}),
		Now:    func() time.Time { return time.Unix(1614265330, 0) },
	})
	to := notify.Address{Target: server.URL, Variant: variant, Secret: secret}
	require.Equal(t, notify.Outcome{Verdict: notify.Accepted}, channel.Send(t.Context(), to, m))
	return <-posts
}

func TestWebhook_AsJSON_IsTheWholeMessageButTheUnsubscription(t *testing.T) {
	t.Parallel()
	got := send(t, notify.JSON, message)
	require.Equal(t, "application/json", got.header.Get("Content-Type"))
	require.JSONEq(t, `{"id":"n-1","kind":"your_turn","game":"g-1","version":42,"title":"Your turn",
		"body":"Ann has ended her turn.","url":"https://boulevard.example.com/g/1?a=1&b=2","badge":3,"silent":false,
		"sent":1790000000000}`, string(got.body))
}

// TestN8_Posts_AreSignedAsStandardWebhooksAre has a signature that openssl made:
//
//	printf 'n-1.1614265330.{...}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:31f2...a4b0 -binary | base64
func TestN8_Posts_AreSignedAsStandardWebhooksAre(t *testing.T) {
	t.Parallel()
	got := send(t, notify.JSON, notify.Message{ID: "n-1", Kind: notify.Test, Title: "A <test>", URL: "https://example.com/"})
	require.JSONEq(t, `{"id":"n-1","kind":"test","title":"A <test>","body":"","url":"https://example.com/",`+
		`"badge":0,"silent":false,"sent":0}`, string(got.body))
	require.Equal(t, "n-1", got.header.Get("Webhook-Id"))
	require.Equal(t, "1614265330", got.header.Get("Webhook-Timestamp"))
	require.Equal(t, "v1,/sSz0BYtQNG9ahLdTGrw07FPJE0kIl4WCrMJ8EVPppk=", got.header.Get("Webhook-Signature"))
}

func TestWebhook_ToAProgram_IsNeverUnsigned(t *testing.T) {
	t.Parallel()
	got := webhook.New(webhook.Config{}).Send(t.Context(), notify.Address{Variant: notify.JSON}, message)
	require.Equal(t, notify.Outcome{Verdict: notify.Refused, Reason: "no_secret"}, got)
}

func TestWebhook_OfAnUnknownForm_IsRefused(t *testing.T) {
	t.Parallel()
	got := webhook.New(webhook.Config{}).Send(t.Context(), notify.Address{Variant: "telex"}, message)
	require.Equal(t, notify.Outcome{Verdict: notify.Refused, Reason: "unknown_variant"}, got)
}

func TestWebhook_SilentMessages_GoOnlyWhereTheyCorrectSomething(t *testing.T) {
	t.Parallel()
	silent := message
	silent.Silent, silent.Kind = true, notify.Settled
	channel := webhook.New(webhook.Config{})
	for _, variant := range []string{notify.Discord, notify.Slack} {
		to := notify.Address{Variant: variant}
		require.Equal(t, notify.Outcome{Verdict: notify.Refused, Reason: "nothing_to_correct"}, channel.Send(t.Context(), to, silent))
	}
	require.Contains(t, string(send(t, notify.JSON, silent).body), `"silent":true`)
}

// hostile is a message with names that want to be more than names.
func hostile() notify.Message {
	m := message
	m.Title = "@everyone <@1> **x** `y`"
	m.Body = "[free](https://evil.example) <!channel> & <https://evil.example|x>\n# big\n> said"
	return m
}

func TestWebhook_NamesInDiscord_PingNobodyAndMarkUpNothing(t *testing.T) {
	t.Parallel()
	got := send(t, notify.Discord, hostile())
	var content struct {
		Content  string              `json:"content"`
		Mentions map[string][]string `json:"allowed_mentions"`
		Flags    int                 `json:"flags"`
	}
	require.NoError(t, json.Unmarshal(got.body, &content))
	require.Equal(t, map[string][]string{"parse": {}}, content.Mentions)
	require.Contains(t, string(got.body), `"allowed_mentions":{"parse":[]}`)
	require.Equal(t, 4, content.Flags)
	require.Equal(t, "**\\@everyone \\<\\@1\\> \\*\\*x\\*\\* \\`y\\`**\n"+
		"\\[free\\]\\(https\\://evil.example\\) \\<!channel\\> & \\<https\\://evil.example\\|x\\>\n\\# big\n\\> said\n"+
		"https://boulevard.example.com/g/1?a=1&b=2", content.Content)
	require.Empty(t, got.header.Get("Webhook-Signature"), "it knows us by the URL")
}

func TestWebhook_LongMessagesToDiscord_StayWithinItsLimit(t *testing.T) {
	t.Parallel()
	for _, letter := range []string{"*", "𝄞", "é"} {
		m := message
		m.Title, m.Body = strings.Repeat(letter, 5000), strings.Repeat(letter, 5000)
		var content struct {
			Content string `json:"content"`
		}
		require.NoError(t, json.Unmarshal(send(t, notify.Discord, m).body, &content))
		require.LessOrEqual(t, len(utf16.Encode([]rune(content.Content))), 2000)
		require.Contains(t, content.Content, "…")
		require.True(t, strings.HasSuffix(content.Content, m.URL))
	}
}

func TestWebhook_NamesInSlack_PingNobodyAndMarkUpNothing(t *testing.T) {
	t.Parallel()
	require.JSONEq(t, `{"text":"@everyone \u0026lt;@1\u0026gt; **x** `+"`y`"+
		`\n[free](https://evil.example) \u0026lt;!channel\u0026gt; \u0026amp; \u0026lt;https://evil.example|x\u0026gt;`+
		`\n# big\n\u0026gt; said\nhttps://boulevard.example.com/g/1?a=1\u0026amp;b=2","mrkdwn":false,"unfurl_links":false}`,
		string(send(t, notify.Slack, hostile()).body))
}

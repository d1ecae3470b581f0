package mobile_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/awstest"
	"boulevard/functions/internal/notify/mobile"
)

const googles = "cKx1_d-T9Q4:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ-hQMRKRrZuJAEcl7B338qju59zJMjw2DELjzEvxwYv7hH5"

var (
	apples = strings.Repeat("0123456789abcdef", 4)
	iPhone = notify.Address{Target: apples, Variant: notify.APNs}
	pixel  = notify.Address{Target: googles, Variant: notify.FCM}
	now    = time.Date(2026, 10, 5, 12, 0, 0, 0, time.UTC)
)

const (
	// long is more than a server on this machine needs, and short is soon over, though not before a request is
	// written, even if the machine is busy.
	long  = 10 * time.Second
	short = 1500 * time.Millisecond
)

func news() notify.Message {
	return notify.Message{
		ID: "game-1.7.1759665600000.ch-1", Kind: notify.YourTurn, Game: "game-1", Version: 7,
		Title: "Your turn: Sunset", Body: "Sunset with Ann, Zoë.", URL: "https://play.example.com/games/game-1",
		Badge: 2, Collapse: "game-1", Sent: now.UnixMilli(),
	}
}

func open(t *testing.T, timeout time.Duration) (*awstest.Server, *mobile.Channel) {
	t.Helper()
	server := awstest.NewServer()
	t.Cleanup(server.Close)
	return server, channel(server.URL, timeout)
}

func channel(endpoint string, timeout time.Duration) *mobile.Channel {
	return mobile.New(mobile.Config{
		Applications: map[string]string{
			notify.APNs: "arn:aws:sns:eu-central-1:123456789012:app/APNS/boulevard",
			notify.FCM:  "arn:aws:sns:eu-central-1:123456789012:app/GCM/boulevard",
			"linux":     "arn:aws:sns:eu-central-1:123456789012:app/ADM/boulevard",
		},
		Region: "eu-central-1", Endpoint: endpoint, Timeout: timeout, Now: func() time.Time { return now },
		Credentials: credentials.NewStaticCredentialsProvider("AKID", "SECRET", ""),
	})
}

// send sends a message to a server that takes it, and returns what it got.
func send(t *testing.T, to notify.Address, message notify.Message) awstest.Push {
	t.Helper()
	server, c := open(t, 0)
	outcome := c.Send(t.Context(), to, message)
	require.Equal(t, notify.Accepted, outcome.Verdict, outcome.Reason)
	require.Len(t, server.Pushes(), 1)
	require.Equal(t, server.Pushes()[0].ID, outcome.ProviderID)
	require.Equal(t, to.Target, server.Pushes()[0].Token)
	return server.Pushes()[0]
}

func TestSend_ShowsOnAnIPhone(t *testing.T) {
	t.Parallel()
	got := send(t, iPhone, news())
	require.Len(t, got.Message, 2)
	require.JSONEq(t, `"Your turn: Sunset"`, string(got.Message["default"]))
	require.JSONEq(t, `{
		"aps": {"alert": {"title": "Your turn: Sunset", "body": "Sunset with Ann, Zoë."}, "badge": 2, "thread-id": "game-1"},
		"id": "game-1.7.1759665600000.ch-1", "kind": "your_turn", "game": "game-1", "version": 7,
		"url": "https://play.example.com/games/game-1", "collapse": "game-1"
	}`, string(got.Message["APNS"]))
	require.Equal(t, map[string]string{
		"AWS.SNS.MOBILE.APNS.PRIORITY": "10", "AWS.SNS.MOBILE.APNS.PUSH_TYPE": "alert",
		"AWS.SNS.MOBILE.APNS.COLLAPSE_ID": "game-1",
	}, got.Attributes)
}

func TestSend_ShowsOnAnAndroid(t *testing.T) {
	t.Parallel()
	got := send(t, pixel, news())
	require.Len(t, got.Message, 2)
	require.JSONEq(t, `{"fcmV1Message": {"message": {
		"notification": {"title": "Your turn: Sunset", "body": "Sunset with Ann, Zoë."},
		"data": {"id": "game-1.7.1759665600000.ch-1", "kind": "your_turn", "game": "game-1", "version": "7",
			"url": "https://play.example.com/games/game-1", "collapse": "game-1", "badge": "2"},
		"android": {"priority": "HIGH", "collapse_key": "game-1", "notification": {"tag": "game-1"}}
	}}}`, string(got.Message["GCM"]))
	require.Empty(t, got.Attributes)
}

func TestSend_SilentlyCorrectsAnIPhone(t *testing.T) {
	t.Parallel()
	message := news()
	message.Silent, message.Kind, message.Badge = true, notify.Settled, 0
	got := send(t, iPhone, message)
	require.JSONEq(t, `{
		"aps": {"badge": 0, "content-available": 1, "thread-id": "game-1"},
		"id": "game-1.7.1759665600000.ch-1", "kind": "settled", "game": "game-1", "version": 7,
		"url": "https://play.example.com/games/game-1", "collapse": "game-1"
	}`, string(got.Message["APNS"]))
	require.Equal(t, map[string]string{
		"AWS.SNS.MOBILE.APNS.PRIORITY": "5", "AWS.SNS.MOBILE.APNS.PUSH_TYPE": "alert",
		"AWS.SNS.MOBILE.APNS.COLLAPSE_ID": "game-1",
	}, got.Attributes)
}

func TestSend_SilentlyCorrectsAnAndroid(t *testing.T) {
	t.Parallel()
	message := news()
	message.Silent, message.Kind, message.Badge = true, notify.Settled, 0
	require.JSONEq(t, `{"fcmV1Message": {"message": {
		"data": {"id": "game-1.7.1759665600000.ch-1", "kind": "settled", "game": "game-1", "version": "7",
			"url": "https://play.example.com/games/game-1", "collapse": "game-1", "badge": "0"},
		"android": {"priority": "NORMAL", "collapse_key": "game-1"}
	}}}`, string(send(t, pixel, message).Message["GCM"]))
}

func TestSend_TestsLeaveTheBadgeAlone(t *testing.T) {
	t.Parallel()
	for _, kind := range []notify.Kind{notify.Test, notify.Confirm} {
		message := notify.Message{ID: "1", Kind: kind, Title: "This is a test (Boulevard)", URL: "https://play.example.com/"}
		got := send(t, iPhone, message)
		require.NotContains(t, string(got.Message["APNS"]), "badge")
		require.NotContains(t, got.Attributes, "AWS.SNS.MOBILE.APNS.COLLAPSE_ID")
		require.NotContains(t, string(send(t, pixel, message).Message["GCM"]), "badge")
	}
}

func TestSend_ShortensWhatNoDeviceWouldGet(t *testing.T) {
	t.Parallel()
	for _, to := range []notify.Address{iPhone, pixel} {
		for _, body := range []string{"x", "Zoë ", "🎲", `<"\`, "\x00\xff"} {
			message := news()
			message.Body = strings.Repeat(body, 5000)
			for platform, payload := range send(t, to, message).Message {
				require.LessOrEqual(t, len(payload), 4096)
				require.True(t, utf8.Valid(payload))
				if platform != "default" {
					require.Greater(t, len(payload), 4000, "as much as fits")
					require.Contains(t, string(payload), "…")
				}
			}
		}
		server, c := open(t, 0)
		message := news()
		message.Title = strings.Repeat("x", 5000)
		require.Equal(t, notify.Outcome{Verdict: notify.Refused, Reason: "too_large"}, c.Send(t.Context(), to, message))
		require.Empty(t, server.Calls())
	}
}

func TestSend_HostileNamesStayNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{`<script>alert("x")</script>`, "Ann\r\nBob", `","aps":{"badge":99},"x":"`, "\x00\u2028"} {
		message := news()
		message.Title, message.Body = name, name
		var payload struct {
			APS struct {
				Alert map[string]string `json:"alert"`
				Badge int               `json:"badge"`
			} `json:"aps"`
		}
		require.NoError(t, json.Unmarshal(send(t, iPhone, message).Message["APNS"], &payload))
		require.Equal(t, map[string]string{"title": name, "body": name}, payload.APS.Alert)
		require.Equal(t, 2, payload.APS.Badge)
	}
}

func TestSend_MakesAnEndpointOnce(t *testing.T) {
	t.Parallel()
	server, c := open(t, long)
	for range 2 {
		require.Equal(t, notify.Accepted, c.Send(t.Context(), iPhone, news()).Verdict)
	}
	require.Equal(t, []string{"CreatePlatformEndpoint", "Publish", "Publish"}, server.Calls())

	another := channel(server.URL, long)
	require.Equal(t, notify.Accepted, another.Send(t.Context(), iPhone, news()).Verdict)
	require.Equal(t, server.Pushes()[0].Target, server.Pushes()[2].Target, "another process finds the same endpoint")
}

func TestSend_ForgetsEndpointsBeyondABound(t *testing.T) {
	t.Parallel()
	const more = 1025
	server, c := open(t, long)
	for i := range more {
		to := notify.Address{Target: fmt.Sprintf("token-%d", i), Variant: notify.FCM}
		require.Equal(t, notify.Accepted, c.Send(t.Context(), to, news()).Verdict)
	}
	require.Len(t, server.Calls(), 2*more)
	require.Equal(t, notify.Accepted, c.Send(t.Context(), notify.Address{Target: "token-1", Variant: notify.FCM}, news()).Verdict)
	require.Len(t, server.Calls(), 2*more+1, "the second is remembered")
	require.Equal(t, notify.Accepted, c.Send(t.Context(), notify.Address{Target: "token-0", Variant: notify.FCM}, news()).Verdict)
	require.Len(t, server.Calls(), 2*more+3, "the first is not")
}

func TestN3_EndpointDisabled_IsGone(t *testing.T) {
	t.Parallel()
	server, c := open(t, long)
	require.Equal(t, notify.Accepted, c.Send(t.Context(), iPhone, news()).Verdict)
	server.Disable(apples)
	check(t, notify.Outcome{Verdict: notify.Gone, Reason: "status_400"}, c.Send(t.Context(), iPhone, news()))
	require.Equal(t, "SetEndpointAttributes", server.Calls()[3])
	require.Equal(t, notify.Accepted, c.Send(t.Context(), iPhone, news()).Verdict, "registered anew, it works again")
}

func TestN3_EndpointDisabled_IsGoneToANewProcess(t *testing.T) {
	t.Parallel()
	server, c := open(t, long)
	require.Equal(t, notify.Accepted, c.Send(t.Context(), pixel, news()).Verdict)
	server.Disable(googles)
	another := channel(server.URL, long)
	check(t, notify.Outcome{Verdict: notify.Gone, Reason: "status_400"}, another.Send(t.Context(), pixel, news()))
	require.Equal(t, notify.Accepted, another.Send(t.Context(), pixel, news()).Verdict)
}

func TestN3_EndpointDisabled_IsGoneEvenIfItCannotBeEnabled(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(http.ResponseWriter, *http.Request) bool{
		"fails": awstest.Says(500, "", ""), "hangs": awstest.Hang, "hangs up": awstest.HangUp,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, c := open(t, short)
			require.Equal(t, notify.Accepted, c.Send(t.Context(), iPhone, news()).Verdict)
			server.Disable(apples)
			server.Answer(only("SetEndpointAttributes", fault))
			check(t, notify.Outcome{Verdict: notify.Gone, Reason: "status_400"}, c.Send(t.Context(), iPhone, news()))
		})
	}
}

func TestN2_DeletedEndpoint_IsMadeAgain(t *testing.T) {
	t.Parallel()
	for code, status := range map[string]int{"NotFound": 404, "InvalidParameter": 400} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			server, c := open(t, long)
			require.Equal(t, notify.Accepted, c.Send(t.Context(), iPhone, news()).Verdict)
			server.Answer(only("Publish", func(w http.ResponseWriter, _ *http.Request) bool {
				awstest.SNSError(w, status, code,
					"Invalid parameter: TargetArn Reason: No endpoint found for the target arn specified")
				return true
			}))
			server.Delete(apples)
			want := notify.Outcome{Verdict: notify.TryLater, Reason: fmt.Sprintf("status_%d", status)}
			check(t, want, c.Send(t.Context(), iPhone, news()))
			server.Answer(nil)
			require.Equal(t, notify.Accepted, c.Send(t.Context(), iPhone, news()).Verdict)
		})
	}
}

func TestSend_RefusesVariantsThatAreNotConfigured(t *testing.T) {
	t.Parallel()
	server, c := open(t, long)
	for _, variant := range []string{"", "windows", "linux"} {
		outcome := c.Send(t.Context(), notify.Address{Target: apples, Variant: variant}, news())
		require.Equal(t, notify.Outcome{Verdict: notify.Refused, Reason: "not_configured"}, outcome)
	}
	require.Empty(t, server.Calls())
}

// only has a fault occur to one call.
func only(action string, fault func(http.ResponseWriter, *http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		return r.Form.Get("Action") == action && fault(w, r)
	}
}

// said is an error of SNS's, which repeats the token in its own way.
func said(status int, code, words string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		awstest.SNSError(w, status, code, words+"\r\nabout "+apples+", "+strings.ToUpper(apples)+strings.Repeat(" x", 300))
		return true
	}
}

// test is what is made of a provider's answer to Publish, and to CreatePlatformEndpoint where that is not the same.
type test struct {
	answer          func(http.ResponseWriter, *http.Request) bool
	timeout         time.Duration
	publish, create notify.Outcome
}

func both(answer func(http.ResponseWriter, *http.Request) bool, want notify.Outcome) test {
	return test{answer: answer, timeout: long, publish: want, create: want}
}

// unclear is a test of an answer that leaves open what it did: with an endpoint, that does not matter.
func unclear(answer func(http.ResponseWriter, *http.Request) bool, timeout time.Duration, reason string) test {
	return test{
		answer: answer, timeout: timeout,
		publish: notify.Outcome{Verdict: notify.Unknown, Reason: reason},
		create:  notify.Outcome{Verdict: notify.TryLater, Reason: reason},
	}
}

func answers() map[string]test {
	later := func(reason string, after time.Duration) notify.Outcome {
		return notify.Outcome{Verdict: notify.TryLater, Reason: reason, After: after}
	}
	no := func(reason string) notify.Outcome { return notify.Outcome{Verdict: notify.Refused, Reason: reason} }
	gone := notify.Outcome{Verdict: notify.Gone, Reason: "status_400"}
	return map[string]test{
		"N2 throttled":                both(said(429, "Throttled", ""), later("status_429", 0)),
		"N2 throttled with 400":       both(said(400, "Throttling", ""), later("status_400", 0)),
		"N2 key throttled":            both(said(400, "KMSThrottling", ""), later("status_400", 0)),
		"N2 key disabled":             both(said(400, "KMSDisabled", ""), later("status_400", 0)),
		"N2 internal error":           both(said(500, "InternalError", ""), later("status_500", 0)),
		"N3 invalid token":            both(said(400, "InvalidParameter", "Invalid parameter: Token Reason: bad"), gone),
		"N3 invalid token in words":   both(said(400, "InvalidParameter", "This is an invalid token"), gone),
		"invalid message":             both(said(400, "InvalidParameter", "Invalid parameter: Message too long"), no("status_400")),
		"application disabled":        both(said(400, "PlatformApplicationDisabled", ""), no("status_400")),
		"authorization":               both(said(403, "AuthorizationError", ""), no("status_403")),
		"redirects":                   both(awstest.Redirects, no("status_307")),
		"not found by a proxy":        both(awstest.Says(404, "", "nothing here"), no("status_404")),
		"gone by a proxy":             both(awstest.Says(410, "", "gone"), no("status_410")),
		"N2 enough for seconds":       both(awstest.Says(429, "90", ""), later("status_429", 90*time.Second)),
		"N2 enough until a date":      both(awstest.Says(429, date(40*time.Minute), ""), later("status_429", 40*time.Minute)),
		"N2 enough for who knows how": both(awstest.Says(429, "-1 fortnights", ""), later("status_429", 0)),
		"N2 fails":                    both(awstest.Says(500, "", ""), later("status_500", 0)),
		"N2 fails with garbage":       both(awstest.Says(500, "", "\x00{<html>"), later("status_500", 0)),
		"N2 fails endlessly":          both(awstest.Endless(500), later("status_500", 0)),
		"N2 is down":                  both(awstest.Says(503, "60", ""), later("status_503", time.Minute)),
		"N1 hangs":                    unclear(awstest.Hang, short, "timeout"),
		"N1 hangs up":                 unclear(awstest.HangUp, long, "unreachable"),
		"N1 accepts with garbage":     unclear(awstest.Says(200, "", "{yes}"), long, "bad_answer"),
		"N1 accepts with nothing":     unclear(awstest.Says(200, "", ""), long, "bad_answer"),
		"N1 accepts nameless":         unclear(awstest.Says(200, "", "<a><b></b></a>"), long, "bad_answer"),
		"N1 accepts endlessly":        unclear(awstest.Endless(200), long, "bad_answer"),
	}
}

func TestSend_OutcomeOfAnswers(t *testing.T) {
	t.Parallel()
	for name, test := range answers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for call, want := range map[string]notify.Outcome{"Publish": test.publish, "CreatePlatformEndpoint": test.create} {
				server, c := open(t, test.timeout)
				server.Answer(only(call, test.answer))
				check(t, want, c.Send(t.Context(), iPhone, news()))
				calls := server.Calls()
				require.Equal(t, call, calls[len(calls)-1], "the ledger repeats, and nobody else")
			}
		})
	}
}

func TestSend_AnApplicationThatIsNotFoundSaysNothingOfTheDevice(t *testing.T) {
	t.Parallel()
	server, c := open(t, long)
	server.Answer(only("CreatePlatformEndpoint", said(404, "NotFound", "PlatformApplication does not exist")))
	check(t, notify.Outcome{Verdict: notify.Refused, Reason: "status_404"}, c.Send(t.Context(), iPhone, news()))
}

func date(after time.Duration) string { return now.Add(after).Format(http.TimeFormat) }

func check(t *testing.T, want, got notify.Outcome) {
	t.Helper()
	reason, words, _ := strings.Cut(got.Reason, ": ")
	require.Equal(t, want, notify.Outcome{Verdict: got.Verdict, Reason: reason, After: got.After}, got.Reason)
	require.LessOrEqual(t, len([]rune(words)), 200)
	for _, secret := range []string{apples, strings.ToLower(googles), ":endpoint/"} {
		require.NotContains(t, strings.ToLower(got.Reason), secret)
	}
	require.False(t, strings.ContainsFunc(got.Reason, unicode.IsControl))
}

func TestN2_SendIsRepeatedWhereNothingWasSent(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	absent := "http://" + listener.Addr().String()
	require.NoError(t, listener.Close())
	check(t, notify.Outcome{Verdict: notify.TryLater, Reason: "unreachable"}, channel(absent, long).Send(t.Context(), iPhone, news()))

	server, c := open(t, long)
	require.Equal(t, notify.Accepted, c.Send(t.Context(), iPhone, news()).Verdict)
	over, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	check(t, notify.Outcome{Verdict: notify.TryLater, Reason: "timeout"}, c.Send(over, iPhone, news()))
	require.Len(t, server.Pushes(), 1)
}

package email_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/awstest"
	"boulevard/functions/internal/notify/email"
)

const player = "some.player@example.com"

var (
	now     = time.Date(2026, 10, 5, 12, 0, 0, 0, time.UTC)
	keys    = credentials.NewStaticCredentialsProvider("AKID", "SECRET", "")
	mailbox = notify.Address{Target: player}
)

func news() notify.Message {
	return notify.Message{
		ID: "game-1.7.1759665600000.ch-1", Kind: notify.YourTurn, Game: "game-1", Version: 7,
		Title: "Your turn: Sunset", Body: "Dusk with Ann, Zoë. A deal for you.\nSecond line.",
		URL: "https://play.example.com/games/game-1", Unsubscribe: "https://play.example.com/v1/unsubscribe/p.ch-1.s3cr3t",
		Badge: 2, Collapse: "game-1", Sent: now.UnixMilli(),
	}
}

// open starts a server and makes a channel to it.
func open(t *testing.T, timeout time.Duration) (*awstest.Server, *email.Channel) {
	t.Helper()
	server := awstest.NewServer()
	t.Cleanup(server.Close)
	return server, channel(t, server.URL, timeout)
}

func channel(t *testing.T, endpoint string, timeout time.Duration) *email.Channel {
	t.Helper()
	c, err := email.New(email.Config{
		From: "Boulevard <news@example.com>", Region: "eu-central-1", Endpoint: endpoint, ConfigurationSet: "boulevard",
		Credentials: keys, Timeout: timeout, Now: func() time.Time { return now },
	})
	require.NoError(t, err)
	return c
}

// send sends a message to a server that takes it, and returns what it got.
func send(t *testing.T, message notify.Message) awstest.Email {
	t.Helper()
	server, c := open(t, 0)
	outcome := c.Send(t.Context(), mailbox, message)
	require.Equal(t, notify.Accepted, outcome.Verdict, outcome.Reason)
	require.Len(t, server.Emails(), 1)
	require.Equal(t, server.Emails()[0].ID, outcome.ProviderID)
	return server.Emails()[0]
}

func TestSend_ReachesOneMailbox(t *testing.T) {
	t.Parallel()
	got := send(t, news())
	require.Equal(t, player, got.To)
	require.Equal(t, `"Boulevard" <news@example.com>`, got.From)
	require.Equal(t, "Your turn: Sunset", got.Subject)
	require.Equal(t, "boulevard", got.ConfigurationSet)
	require.True(t, got.UTF8)
}

func TestSend_SaysTheSameInBothBodies(t *testing.T) {
	t.Parallel()
	got := send(t, news())
	require.Equal(t, `Your turn: Sunset

Dusk with Ann, Zoë. A deal for you.

Second line.

Play: https://play.example.com/games/game-1

--`+" "+`
No more of these e-mails: https://play.example.com/v1/unsubscribe/p.ch-1.s3cr3t
`, got.Text)
	for _, part := range []string{
		"<p>Dusk with Ann, Zoë. A deal for you.</p>\n<p>Second line.</p>",
		`<a href="https://play.example.com/games/game-1">Play</a>`,
		`<a href="https://play.example.com/v1/unsubscribe/p.ch-1.s3cr3t">No more of these e-mails</a>`,
		`<meta name="color-scheme" content="light dark">`,
	} {
		require.Contains(t, got.HTML, part)
	}
	for _, colour := range []string{"<img", "color:", "background", "http-equiv", "<link"} {
		require.NotContains(t, got.HTML, colour, "it can be read in the dark, and loads nothing")
	}
}

func TestSend_UnsubscribesWithOneClick(t *testing.T) {
	t.Parallel()
	require.Equal(t, map[string]string{
		"X-Boulevard-Notice":    "game-1.7.1759665600000.ch-1",
		"List-Unsubscribe":      "<https://play.example.com/v1/unsubscribe/p.ch-1.s3cr3t>",
		"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
	}, send(t, news()).Headers)
}

func TestSend_HasNoUnsubscribeWhereThereIsNothingToSwitchOff(t *testing.T) {
	t.Parallel()
	for _, link := range []string{"", "javascript:alert(1)", "/v1/unsubscribe/x", "https://exa mple.com/"} {
		message := news()
		message.Unsubscribe = link
		got := send(t, message)
		require.Equal(t, map[string]string{"X-Boulevard-Notice": message.ID}, got.Headers)
		require.NotContains(t, got.Text+got.HTML, "No more")
	}
}

func TestSend_HostileNamesStayNames(t *testing.T) {
	t.Parallel()
	for name, hostile := range map[string]string{
		"markup":       `<script>alert("x")</script><img src=x onerror=alert(1)>`,
		"a header":     "Ann\r\nBcc: victim@example.com\r\n\r\n<b>body</b>",
		"controls":     "Ann\x00\x1b[31m\u0085\u2028\u2029\u202e\u2066Bob",
		"encoded word": "=?utf-8?B?PHNjcmlwdD4NCg==?=",
		"bytes":        "Ann\xff\xfe",
		"template":     "{{.Unsubscribe}}",
		"length":       strings.Repeat("Zoë ", 500),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			message := news()
			message.Title, message.Body = "Your turn: "+hostile, "With "+hostile
			message.ID = hostile
			message.URL = "https://play.example.com/\"><script>"
			message.Unsubscribe = "https://play.example.com/>,<mailto:victim@example.com"
			got := send(t, message)
			require.NotContains(t, got.Subject, "=?")
			require.False(t, strings.ContainsFunc(got.Subject, isHostile), "%q", got.Subject)
			require.LessOrEqual(t, len([]rune(got.Subject)), 150)
			require.False(t, strings.ContainsFunc(strings.ReplaceAll(got.Text+got.HTML, "\n", ""), isHostile))
			for _, tag := range []string{"<script", "<img", "<b>", "s3cr3t"} {
				require.NotContains(t, got.HTML, tag)
			}
			require.Len(t, got.Headers, 3)
			for _, value := range got.Headers {
				require.False(t, strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }), "%q", value)
			}
			require.Equal(t, 1, strings.Count(got.Headers["List-Unsubscribe"], "<"))
		})
	}
}

func isHostile(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

func TestSend_RefusesWhatIsNotForAMailbox(t *testing.T) {
	t.Parallel()
	server, c := open(t, 0)
	silent := news()
	silent.Silent = true
	require.Equal(t, notify.Outcome{Verdict: notify.Refused, Reason: "nothing_to_correct"}, c.Send(t.Context(), mailbox, silent))
	for _, target := range []string{"", "a@example.com, b@example.com", "Ann <a@example.com>"} {
		outcome := c.Send(t.Context(), notify.Address{Target: target}, news())
		require.Equal(t, notify.Outcome{Verdict: notify.Refused, Reason: "bad_address"}, outcome)
	}
	require.Empty(t, server.Calls())
}

const (
	// long is more than a server on this machine needs, and short is soon over, though not before a request is
	// written, even if the machine is busy.
	long  = 10 * time.Second
	short = 1500 * time.Millisecond
)

// said is an error of SES's, which repeats the address in its own way.
func said(status int, name string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		awstest.SESError(w, status, name, "Sorry\r\nabout "+player+", <"+strings.ToUpper(player)+"> "+strings.Repeat("x", 300))
		return true
	}
}

func TestSend_OutcomeOfAnswers(t *testing.T) {
	t.Parallel()
	later := func(reason string, after time.Duration) notify.Outcome {
		return notify.Outcome{Verdict: notify.TryLater, Reason: reason, After: after}
	}
	no := func(reason string) notify.Outcome { return notify.Outcome{Verdict: notify.Refused, Reason: reason} }
	unknown := func(reason string) notify.Outcome { return notify.Outcome{Verdict: notify.Unknown, Reason: reason} }
	for name, test := range map[string]struct {
		answer  func(http.ResponseWriter, *http.Request) bool
		timeout time.Duration
		want    notify.Outcome
	}{
		"N2 too many requests":        {said(429, "TooManyRequestsException"), long, later("status_429", 0)},
		"N2 limit exceeded":           {said(400, "LimitExceededException"), long, later("status_400", 0)},
		"N2 sending paused":           {said(400, "SendingPausedException"), long, later("status_400", 0)},
		"N2 throttled":                {said(400, "ThrottlingException"), long, later("status_400", 0)},
		"N2 internal failure":         {said(500, "InternalFailure"), long, later("status_500", 0)},
		"message rejected":            {said(400, "MessageRejected"), long, no("status_400")},
		"domain not verified":         {said(400, "MailFromDomainNotVerifiedException"), long, no("status_400")},
		"bad request":                 {said(400, "BadRequestException"), long, no("status_400")},
		"account suspended":           {said(400, "AccountSuspendedException"), long, no("status_400")},
		"not found":                   {said(404, "NotFoundException"), long, no("status_404")},
		"forbidden":                   {said(403, "AccessDeniedException"), long, no("status_403")},
		"redirects":                   {awstest.Redirects, long, no("status_307")},
		"not found by a proxy":        {awstest.Says(404, "", "nothing here"), long, no("status_404")},
		"gone by a proxy":             {awstest.Says(410, "", "gone"), long, no("status_410")},
		"N2 enough for seconds":       {awstest.Says(429, "90", ""), long, later("status_429", 90*time.Second)},
		"N2 enough until a date":      {awstest.Says(429, date(40*time.Minute), ""), long, later("status_429", 40*time.Minute)},
		"N2 enough for who knows how": {awstest.Says(429, "-1 fortnights", ""), long, later("status_429", 0)},
		"N2 fails":                    {awstest.Says(500, "", ""), long, later("status_500", 0)},
		"N2 fails with garbage":       {awstest.Says(500, "", "\x00<html>"), long, later("status_500", 0)},
		"N2 fails endlessly":          {awstest.Endless(500), long, later("status_500", 0)},
		"N2 is down":                  {awstest.Says(503, "60", ""), long, later("status_503", time.Minute)},
		"N1 hangs":                    {awstest.Hang, short, unknown("timeout")},
		"N1 hangs up":                 {awstest.HangUp, long, unknown("unreachable")},
		"N1 accepts with garbage":     {awstest.Says(200, "", "<html>yes"), long, unknown("bad_answer")},
		"N1 accepts with nothing":     {awstest.Says(200, "", ""), long, unknown("bad_answer")},
		"N1 accepts nameless":         {awstest.Says(200, "", "{}"), long, unknown("bad_answer")},
		"N1 accepts endlessly":        {awstest.Endless(200), long, unknown("bad_answer")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, c := open(t, test.timeout)
			server.Answer(test.answer)
			check(t, test.want, c.Send(t.Context(), mailbox, news()))
			require.Len(t, server.Calls(), 1, "the ledger repeats, and nobody else")
		})
	}
}

func date(after time.Duration) string { return now.Add(after).Format(http.TimeFormat) }

func check(t *testing.T, want, got notify.Outcome) {
	t.Helper()
	reason, words, _ := strings.Cut(got.Reason, ": ")
	require.Equal(t, want, notify.Outcome{Verdict: got.Verdict, Reason: reason, After: got.After}, got.Reason)
	require.LessOrEqual(t, len([]rune(words)), 200)
	require.NotContains(t, strings.ToLower(got.Reason), player)
	require.False(t, strings.ContainsFunc(got.Reason, unicode.IsControl))
}

func TestSend_KeepsWhatTheProviderSaid(t *testing.T) {
	t.Parallel()
	server, c := open(t, long)
	server.Answer(func(w http.ResponseWriter, _ *http.Request) bool {
		awstest.SESError(w, 400, "MessageRejected", "Email address is not verified: "+player)
		return true
	})
	require.Equal(t, notify.Outcome{
		Verdict: notify.Refused, Reason: "status_400: MessageRejected: Email address is not verified: …",
	}, c.Send(t.Context(), mailbox, news()))
}

func TestN2_SendIsRepeatedWhereNothingWasSent(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	absent := "http://" + listener.Addr().String()
	require.NoError(t, listener.Close())
	check(t, notify.Outcome{Verdict: notify.TryLater, Reason: "unreachable"},
		channel(t, absent, long).Send(t.Context(), mailbox, news()))

	server, c := open(t, long)
	over, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	check(t, notify.Outcome{Verdict: notify.TryLater, Reason: "timeout"}, c.Send(over, mailbox, news()))
	require.Empty(t, server.Calls())
}

func TestNew_RefusesWhatSESWould(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]email.Config{
		"no From":        {Region: "eu-central-1", Credentials: keys},
		"two senders":    {From: "a@example.com, b@example.com", Region: "eu-central-1", Credentials: keys},
		"a header":       {From: "Ann <a@example.com>\r\nBcc: b@example.com", Region: "eu-central-1", Credentials: keys},
		"another script": {From: "Zoë <zoë@example.com>", Region: "eu-central-1", Credentials: keys},
		"no region":      {From: "a@example.com", Credentials: keys},
		"no credentials": {From: "a@example.com", Region: "eu-central-1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := email.New(config)
			require.Error(t, err)
		})
	}
	_, err := email.New(email.Config{From: "Zoë <a@example.com>", Region: "eu-central-1", Credentials: aws.AnonymousCredentials{}})
	require.NoError(t, err)
}

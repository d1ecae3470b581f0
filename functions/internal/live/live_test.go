package live_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/store"
)

func TestSubscribe_TellsVersionsAsTheyCome_UntilUnsubscribed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, d := b.started(), b.device()
	d.subscribe(m.game.ID, m.game.Version)
	d.ping()
	for range 3 {
		d.requireVersion(m.game.ID, m.play())
	}
	d.say(`{"type":"unsubscribe","games":[{"id":"` + m.game.ID + `"}]}`)
	d.ping()
	m.play()
	d.ping()
}

func TestSubscribe_Resumes_WhenSomethingWasMissed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, d := b.started(), b.device()
	d.subscribe(m.game.ID, m.game.Version-1)
	d.requireVersion(m.game.ID, m.game.Version)
	d.say(`{"type":"subscribe","games":[{"id":"` + m.game.ID + `"}]}`)
	d.requireVersion(m.game.ID, m.game.Version)
	require.NoError(t, d.socket.Close(websocket.StatusNormalClosure, ""))
	b.requireEmpty()

	seen := m.game.Version
	m.play()
	version := m.play()
	again := b.device()
	again.subscribe(m.game.ID, seen)
	again.requireVersion(m.game.ID, version)
	again.subscribe(m.game.ID, version)
	again.ping()
}

func TestTwoDevicesOfOnePlayer_AreIndependent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.started()
	_, token := b.guest("Eve")
	phone, laptop := dial(t, b.url, token), dial(t, b.url, token)
	for _, d := range []*device{phone, laptop} {
		d.subscribe(m.game.ID, m.game.Version)
		d.ping()
	}
	version := m.play()
	phone.requireVersion(m.game.ID, version)
	laptop.requireVersion(m.game.ID, version)
	require.NoError(t, phone.socket.Close(websocket.StatusNormalClosure, ""))
	laptop.requireVersion(m.game.ID, m.play())
	laptop.ping()
}

func TestUnknownGame_IsAProblem_OthersOfTheMessageAreWatched(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, d := b.started(), b.device()
	d.say(`{"type":"subscribe","games":[{"id":"none"},{"id":"` + m.game.ID + `","since":2}]}`)
	require.Equal(t, said{Type: "problem", Code: "game_not_found", Detail: "there is no such game", Game: "none"}, d.hear())
	d.ping()
	d.requireVersion(m.game.ID, m.play())
	_, games := b.hub.Connections()
	require.Equal(t, 1, games)
}

// failing is a host whose table cannot be read.
type failing struct {
	live.Host
	err error
}

func (f failing) Version(context.Context, string) (uint64, error) { return 0, f.err }

func TestSubscribe_WhenTheTableFails_IsAProblem_AndInnerErrorsStayInside(t *testing.T) {
	t.Parallel()
	unavailable := &host.Error{Code: host.Unavailable, Message: "the table cannot be asked"}
	for code, failure := range map[string]error{"unavailable": unavailable, "internal": errPower} {
		b := setup(t, func(c *live.Config, _ *httptest.Server) { c.Host = failing{c.Host, failure} })
		d := b.device()
		d.subscribe("a", 1)
		heard := d.hear()
		require.Equal(t, code, heard.Code)
		require.Equal(t, "a", heard.Game)
		require.NotContains(t, heard.Detail, errPower.Error())
		d.ping()
		_, games := b.hub.Connections()
		require.Zero(t, games)
	}
}

func TestBadMessages_AreProblems_TheConnectionStays(t *testing.T) {
	t.Parallel()
	d := setup(t).device()
	for name, bad := range badMessages {
		d.say(bad.text)
		heard := d.hear()
		require.Equal(t, "problem", heard.Type, name)
		require.Equal(t, bad.code, heard.Code, name)
	}
	d.ping()
}

func TestTooManyGames_AreRefusedAsAWhole(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *live.Config, _ *httptest.Server) { c.Host = everyGame{c.Host} })
	d := b.device()
	for i := range live.MaxGames {
		d.subscribe(fmt.Sprint("game", i), 1)
	}
	d.ping()
	d.say(`{"type":"subscribe","games":[{"id":"game0","since":1},{"id":"more","since":1}]}`)
	require.Equal(t, "too_many_games", d.hear().Code)
	d.subscribe("game0", 1) // what is watched can be asked for again
	d.ping()
	_, games := b.hub.Connections()
	require.Equal(t, live.MaxGames, games)
}

func TestFrames_ThatAreNoMessages_CloseWithTheirCode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for code, send := range map[websocket.StatusCode]func(d *device) error{
		websocket.StatusMessageTooBig: func(d *device) error {
			return d.socket.Write(t.Context(), websocket.MessageText, make([]byte, live.MaxMessage+1))
		},
		websocket.StatusUnsupportedData: func(d *device) error {
			return d.socket.Write(t.Context(), websocket.MessageBinary, []byte(`{"type":"ping"}`))
		},
		websocket.StatusInvalidFramePayloadData: func(d *device) error {
			return d.socket.Write(t.Context(), websocket.MessageText, []byte{'"', 0xff, '"'})
		},
	} {
		d := b.device()
		require.NoError(t, send(d))
		d.requireClosed(code)
	}
	b.requireEmpty()
}

func TestToken_InHeaderOrSubprotocol_AndNowhereElse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, token := b.guest("Ann")
	socket, got, err := connect(t.Context(), b.url+"/v1/live", nil, live.Subprotocol, "bearer."+token)
	require.NoError(t, err)
	require.Equal(t, live.Subprotocol, socket.Subprotocol())
	require.NotContains(t, fmt.Sprint(got.header), token)
	require.NoError(t, socket.Close(websocket.StatusNormalClosure, ""))

	requireRefused(t, b.url+"/v1/live", "", "token_missing")
	requireRefused(t, b.url+"/v1/live?token="+token, "", "token_missing")
	requireRefused(t, b.url+"/v1/live", "Bearer "+token+"x", "token_invalid")
	requireRefused(t, b.url+"/v1/live", "Basic "+token, "token_missing")
	b.ahead.Store(int64(366 * 24 * time.Hour))
	requireRefused(t, b.url+"/v1/live", "Bearer "+token, "token_expired")
	b.requireEmpty()
}

func requireRefused(t *testing.T, url, authorization, code string) {
	t.Helper()
	_, got, err := connect(t.Context(), url, http.Header{"Authorization": {authorization}})
	require.Error(t, err)
	require.Equal(t, http.StatusUnauthorized, got.status)
	require.Equal(t, "application/problem+json", got.header.Get("Content-Type"))
	require.Contains(t, string(got.body), `"code":"`+code+`"`)
}

func TestAnotherSitesPage_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, token := b.guest("Ann")
	header := http.Header{"Authorization": {"Bearer " + token}, "Origin": {"https://elsewhere.example"}}
	_, got, err := connect(t.Context(), b.url+"/v1/live", header)
	require.Error(t, err)
	require.Equal(t, http.StatusForbidden, got.status)
}

var errPower = errors.New("power cut")

// R3: a watcher hears of a version only after it is written, and of one that failed not at all.
func TestR3_NothingIsAnnounced_BeforeTheCommit_OrWithoutIt(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{errPower, store.ErrOutcomeUnknown, store.ErrUnavailable} {
		b := setup(t)
		m, d := b.started(), b.device()
		d.subscribe(m.game.ID, m.game.Version)
		d.ping()
		followed := b.followed.all()

		fail := func() error { return failure }
		b.driver.onHead.Store(&fail)
		_, err := b.host.Act(t.Context(), m.command())
		require.Error(t, err)
		require.Equal(t, followed, b.followed.all())
		d.ping()

		before := m.game.Version
		look := func() error {
			d.ping() // hears of nothing
			at, err := b.host.Version(t.Context(), m.game.ID)
			require.NoError(t, err)
			require.Equal(t, before, at)
			return nil
		}
		b.driver.onHead.Store(&look)
		version := m.play()
		d.requireVersion(m.game.ID, version)
		require.Equal(t, append(followed, version), b.followed.all())
	}
}

func TestIdle_ConnectionIsClosed_UnlessItIsHeard(t *testing.T) {
	t.Parallel()
	timers := make(chan chan time.Time, 10)
	b := setup(t, func(c *live.Config, _ *httptest.Server) {
		c.After = func(d time.Duration) <-chan time.Time {
			if d != c.Idle {
				return nil
			}
			timer := make(chan time.Time)
			timers <- timer
			return timer
		}
		c.Idle = time.Minute
	})
	d := b.device()
	first := <-timers
	d.ping()
	second := <-timers // the ping started the time anew
	select {
	case first <- time.Now():
		require.Fail(t, "the old timer is still waited for")
	default:
	}
	second <- time.Now()
	d.requireClosed(websocket.StatusPolicyViolation)
	b.requireEmpty()
}

func TestIdle_AWebSocketPingIsHeardToo(t *testing.T) {
	t.Parallel()
	timers := make(chan struct{}, 10)
	b := setup(t, func(c *live.Config, _ *httptest.Server) {
		c.After = func(time.Duration) <-chan time.Time { timers <- struct{}{}; return nil }
	})
	d := b.device()
	<-timers
	d.socket.CloseRead(t.Context()) // takes the answer in
	require.NoError(t, d.socket.Ping(t.Context()))
	<-timers
}

func TestClose_SaysGoodbye_AndTakesNoMore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.device()
	d.ping()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		b.hub.Close(t.Context())
	}()
	d.requireClosed(websocket.StatusGoingAway)
	<-closed
	b.requireEmpty()
	b.device().requireClosed(websocket.StatusTryAgainLater)
}

func TestContract_IsServed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/asyncapi.yaml", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(body), "asyncapi: 3.0.0"))
}

package rest_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/api"
	"boulevard/engine/catalogue"
	"boulevard/functions/internal/fanout"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/rest"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb/dynamotest"
	"boulevard/functions/internal/store/sqlite"
)

// drivers are the tables that everything is tried on.
var drivers = map[string]func(tb testing.TB) store.Driver{
	"sqlite": func(tb testing.TB) store.Driver {
		tb.Helper()
		return openSQLite(tb, filepath.Join(tb.TempDir(), "boulevard.db"))
	},
	"dynamodb": func(tb testing.TB) store.Driver {
		tb.Helper()
		return dynamotest.New(tb)
	},
}

func openSQLite(tb testing.TB, path string) *sqlite.Driver {
	tb.Helper()
	driver, err := sqlite.Open(tb.Context(), path)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, driver.Close()) })
	return driver
}

// onEachDriver runs a test beside its fellows on a fresh table of each kind.
func onEachDriver(t *testing.T, test func(t *testing.T, b *bundle)) {
	t.Helper()
	for name, open := range drivers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, setup(t, open(t)))
		})
	}
}

// bundle is a server on a table.
type bundle struct {
	tb  testing.TB
	url string
	// handler is what listens at url.
	handler http.Handler
	host    *host.Host
	desk    *notify.Desk
	driver  store.Driver
	table   *store.Table
	log     *slog.Logger
	logs    *lockedBuffer
	// ahead is how far the server's clock is ahead of ours, in nanoseconds.
	ahead atomic.Int64
}

func (b *bundle) now() time.Time { return time.Now().Add(time.Duration(b.ahead.Load())) }

// masterSecret is the same in all tests, so that the dice of a game depend on nothing but its id.
var masterSecret = bytes.Repeat([]byte("boulevard"), 4)

func setup(tb testing.TB, driver store.Driver) *bundle {
	tb.Helper()
	b := &bundle{tb: tb, driver: driver, logs: &lockedBuffer{}}
	b.log = slog.New(slog.NewJSONHandler(b.logs, nil))
	keys, err := host.NewKeyring(masterSecret)
	require.NoError(tb, err)
	b.table = store.NewTable(driver)
	b.host = host.New(host.Config{
		Store:    fanout.Inline{Table: b.table, Consumer: fanout.NewConsumer(b.table), Log: b.log},
		Sessions: b.table, Catalogue: catalogue.All(), Keys: keys,
		Now: b.now,
	})
	b.desk = &notify.Desk{Table: b.table, Checks: checks(), PushKey: "push-key", Queue: notify.Listed, Now: b.now}
	b.handler, err = rest.Handler(rest.Config{Host: b.host, Desk: b.desk, Log: b.log})
	require.NoError(tb, err)
	server := httptest.NewServer(b.handler)
	tb.Cleanup(server.Close)
	b.url = server.URL
	return b
}

// client is one player's.
type client struct {
	b      *bundle
	player string
	token  string
}

func (b *bundle) guest(name string) *client {
	b.tb.Helper()
	c := &client{b: b}
	var guest api.Guest
	c.post("/v1/players", map[string]any{"name": name}).expect(http.StatusCreated).into(&guest)
	c.player, c.token = guest.Player, guest.Token
	return c
}

func (b *bundle) guests(names ...string) []*client {
	b.tb.Helper()
	clients := make([]*client, len(names))
	for i, name := range names {
		clients[i] = b.guest(name)
	}
	return clients
}

// answer is what a request got.
type answer struct {
	tb     testing.TB
	status int
	header http.Header
	body   []byte
}

type header struct{ name, value string }

func key(value string) header { return header{"Idempotency-Key", value} }
func ifMatch(version int64) header {
	return header{"If-Match", strconv.Quote(strconv.FormatInt(version, 10))}
}
func newKey() header { return key(rand.Text()) }

func (c *client) get(path string, headers ...header) *answer {
	c.b.tb.Helper()
	return c.send(http.MethodGet, path, "", headers...)
}

// post sends a body that is JSON already, or that is made so.
func (c *client) post(path string, body any, headers ...header) *answer {
	c.b.tb.Helper()
	return c.sendJSON(http.MethodPost, path, body, headers...)
}

func (c *client) sendJSON(method, path string, body any, headers ...header) *answer {
	c.b.tb.Helper()
	text, isText := body.(string)
	if !isText && body != nil {
		encoded, err := json.Marshal(body)
		require.NoError(c.b.tb, err)
		text = string(encoded)
	}
	return c.send(method, path, text, headers...)
}

func (c *client) send(method, path, body string, headers ...header) *answer {
	c.b.tb.Helper()
	request, err := http.NewRequestWithContext(c.b.tb.Context(), method, c.b.url+path, bytes.NewReader([]byte(body)))
	require.NoError(c.b.tb, err)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	for _, h := range headers {
		request.Header.Set(h.name, h.value)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(c.b.tb, err)
	defer func() { require.NoError(c.b.tb, response.Body.Close()) }()
	content, err := io.ReadAll(response.Body)
	require.NoError(c.b.tb, err)
	return &answer{tb: c.b.tb, status: response.StatusCode, header: response.Header, body: content}
}

func (a *answer) expect(status int) *answer {
	a.tb.Helper()
	require.Equal(a.tb, status, a.status, "%s", a.body)
	return a
}

func (a *answer) into(value json.Unmarshaler) {
	a.tb.Helper()
	require.NoError(a.tb, value.UnmarshalJSON(a.body), "%s", a.body)
}

func (a *answer) game() api.Game {
	a.tb.Helper()
	var game api.Game
	a.into(&game)
	return game
}

func (a *answer) done() api.Done {
	a.tb.Helper()
	var done api.Done
	a.expect(http.StatusOK).into(&done)
	return done
}

// problem expects a refusal with the status and code.
func (a *answer) problem(status int, code string) api.Problem {
	a.tb.Helper()
	require.Equal(a.tb, "application/problem+json", a.header.Get("Content-Type"), "%s", a.body)
	var problem api.Problem
	a.into(&problem)
	require.Equal(a.tb, code, problem.Code, "%s", a.body)
	require.Equal(a.tb, status, a.status, "%s", a.body)
	require.Equal(a.tb, status, problem.Status)
	return problem
}

func (c *client) create(seats int) api.Game {
	c.b.tb.Helper()
	return c.post("/v1/games", map[string]any{"game": "lords-of-vegas", "seats": seats}, newKey()).
		expect(http.StatusCreated).game()
}

func (c *client) join(game string) api.Game {
	c.b.tb.Helper()
	return c.post("/v1/games/"+game+"/join", nil, newKey()).done().Game
}

func (c *client) game(id string) api.Game {
	c.b.tb.Helper()
	return c.get("/v1/games/" + id).expect(http.StatusOK).game()
}

// started is a game of as many players as there are names; player i sits on seat i.
func (b *bundle) started(names ...string) (api.Game, []*client) {
	b.tb.Helper()
	players := b.guests(names...)
	game := players[0].create(len(names))
	for _, p := range players[1:] {
		game = p.join(game.ID)
	}
	require.Equal(b.tb, api.GameStatusPlaying, game.Status)
	return game, players
}

// action is the body that does a choice.
func action(kind string, args any) map[string]any { return map[string]any{"kind": kind, "args": args} }

func actions(game string) string { return "/v1/games/" + game + "/actions" }

// draw makes the player whose turn it is draw, which is all that the rules let him do first.
func draw(game api.Game, players []*client) api.Game {
	active := players[game.Turn.Value]
	return active.post(actions(game.ID), action("draw", struct{}{}), ifMatch(game.Version), newKey()).done().Game
}

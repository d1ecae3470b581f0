package live_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/catalogue"
	"boulevard/functions/internal/fanout"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/rest"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/sqlite"
)

// bundle is one machine: the API and live updates at one address.
type bundle struct {
	tb     testing.TB
	url    string
	host   *host.Host
	hub    *live.Hub
	driver *gate
	table  *store.Table
	// followed are the versions that were followed, in order.
	followed *recorder
	// ahead is how far the server's clock is ahead of ours, in nanoseconds.
	ahead atomic.Int64
}

// gate is a table whose writes of heads a test can look into, or fail.
type gate struct {
	store.Driver
	// onHead is called before a head is written.
	onHead atomic.Pointer[func() error]
}

func (g *gate) Put(ctx context.Context, item store.Item, when store.Condition) error {
	if hook := g.onHead.Load(); hook != nil && store.IsHead(item.Key) {
		if err := (*hook)(); err != nil {
			return err
		}
	}
	return g.Driver.Put(ctx, item, when)
}

// recorder remembers what was followed.
type recorder struct {
	mutex    sync.Mutex
	versions []uint64
}

func (r *recorder) Follow(_ context.Context, _, head *store.Head) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.versions = append(r.versions, head.Version)
	return nil
}

func (r *recorder) all() []uint64 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return append([]uint64(nil), r.versions...)
}

// setup starts a server; change may alter how its live updates are set, and how its address is listened at.
func setup(tb testing.TB, change ...func(*live.Config, *httptest.Server)) *bundle {
	tb.Helper()
	sqliteDriver, err := sqlite.Open(tb.Context(), filepath.Join(tb.TempDir(), "boulevard.db"))
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, sqliteDriver.Close()) })
	b := &bundle{tb: tb, hub: live.NewHub(), driver: &gate{Driver: sqliteDriver}, followed: &recorder{}}
	b.table = store.NewTable(b.driver)
	log := slog.New(slog.DiscardHandler)
	keys, err := host.NewKeyring(bytes.Repeat([]byte("boulevard"), 4))
	require.NoError(tb, err)
	b.host = host.New(host.Config{
		Store:    fanout.Inline{Table: b.table, Consumer: fanout.NewConsumer(b.table, b.hub, b.followed), Log: log},
		Sessions: b.table, Catalogue: catalogue.All(), Keys: keys,
		Now: func() time.Time { return time.Now().Add(time.Duration(b.ahead.Load())) },
	})
	api, err := rest.Handler(rest.Config{Host: b.host, Log: log})
	require.NoError(tb, err)
	mux := http.NewServeMux()
	server := httptest.NewUnstartedServer(mux)
	config := live.Config{Hub: b.hub, Host: b.host, Log: log}
	for _, f := range change {
		f(&config, server)
	}
	mux.Handle("/", api)
	mux.Handle("/v1/live", live.NewServer(config))
	server.Start()
	tb.Cleanup(server.Close)
	b.url = server.URL
	tb.Cleanup(func() { b.hub.Close(context.Background()) })
	return b
}

// guest is a player and his token.
func (b *bundle) guest(name string) (store.Player, string) {
	b.tb.Helper()
	tokens, err := b.host.Guest(b.tb.Context(), name)
	require.NoError(b.tb, err)
	return tokens.Player, tokens.Access
}

// match is a game that is played by choices made at random.
type match struct {
	b       *bundle
	game    *host.Game
	players []store.Player
	random  *rand.Rand
}

// started is a game of two.
func (b *bundle) started() *match {
	b.tb.Helper()
	ann, _ := b.guest("Ann")
	bob, _ := b.guest("Bob")
	answer, err := b.host.Create(b.tb.Context(), ann, "create", host.NewGame{Game: "lords-of-vegas", Seats: 2})
	require.NoError(b.tb, err)
	answer, err = b.host.Act(b.tb.Context(), host.Command{Game: answer.Game.ID, Player: bob, Key: "join", Deed: store.Join})
	require.NoError(b.tb, err)
	return &match{b: b, game: answer.Game, players: []store.Player{ann, bob}, random: rand.New(rand.NewPCG(1, 2))}
}

// command is a choice of a seat that is asked.
func (m *match) command() host.Command {
	m.b.tb.Helper()
	seat := engine.Seat(m.game.Asked[m.random.IntN(len(m.game.Asked))])
	choices := m.game.Choices(seat)
	choice := choices[m.random.IntN(len(choices))]
	args, err := json.Marshal(choice.Filled(m.random.IntN))
	require.NoError(m.b.tb, err)
	cmd := host.Command{
		Game: m.game.ID, Player: m.players[seat], Key: "play " + strconv.FormatUint(m.game.Version, 10), Deed: store.Play,
		Play: host.Play{Kind: choice.Action.Kind(), Args: args}, Prompt: choice.Prompt,
	}
	if choice.Prompt == 0 {
		cmd.Version = m.game.Version
	}
	return cmd
}

// play makes one action and returns the version that it led to.
func (m *match) play() uint64 {
	m.b.tb.Helper()
	answer, err := m.b.host.Act(m.b.tb.Context(), m.command())
	require.NoError(m.b.tb, err)
	m.game = answer.Game
	return m.game.Version
}

// device is one connection of a player.
type device struct {
	tb     testing.TB
	socket *websocket.Conn
}

// said is any message of the server.
type said struct {
	Type    string `json:"type"`
	Game    string `json:"game"`
	Version uint64 `json:"version"`
	Code    string `json:"code"`
	Detail  string `json:"detail"`
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Title   string `json:"title"`
	Badge   int    `json:"badge"`
}

// device connects a new player's.
func (b *bundle) device() *device {
	b.tb.Helper()
	_, token := b.guest("Eve")
	return dial(b.tb, b.url, token)
}

func dial(tb testing.TB, url, token string) *device {
	tb.Helper()
	socket, _, err := connect(tb.Context(), url+"/v1/live", http.Header{"Authorization": {"Bearer " + token}})
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = socket.CloseNow() })
	return &device{tb: tb, socket: socket}
}

// connect asks for a connection. The answer is given, with its body, whether there is one or not.
func connect(ctx context.Context, url string, header http.Header, protocols ...string) (*websocket.Conn, answer, error) {
	socket, response, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPHeader: header, Subprotocols: protocols})
	if response == nil {
		return nil, answer{}, err
	}
	a := answer{status: response.StatusCode, header: response.Header}
	if response.Body != nil {
		defer func() { _ = response.Body.Close() }()
	}
	if err != nil {
		a.body, _ = io.ReadAll(response.Body)
	}
	return socket, a, err
}

// answer is what a request for a connection got.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (d *device) say(text string) {
	d.tb.Helper()
	require.NoError(d.tb, d.socket.Write(d.tb.Context(), websocket.MessageText, []byte(text)))
}

func (d *device) subscribe(game string, since uint64) {
	d.tb.Helper()
	d.say(subscription(game, since))
}

func subscription(game string, since uint64) string {
	return `{"type":"subscribe","games":[{"id":"` + game + `","since":` + strconv.FormatUint(since, 10) + `}]}`
}

// patience is how long a test waits for what must come.
const patience = 30 * time.Second

func (d *device) hear() said {
	d.tb.Helper()
	ctx, cancel := context.WithTimeout(d.tb.Context(), patience)
	defer cancel()
	_, data, err := d.socket.Read(ctx)
	require.NoError(d.tb, err)
	var message said
	require.NoError(d.tb, json.Unmarshal(data, &message), "%s", data)
	return message
}

// ping waits for everything that was said before to be followed, and expects to hear of nothing else.
func (d *device) ping() {
	d.tb.Helper()
	d.say(`{"type":"ping"}`)
	require.Equal(d.tb, said{Type: "pong"}, d.hear())
}

func (d *device) requireVersion(game string, version uint64) {
	d.tb.Helper()
	require.Equal(d.tb, said{Type: "version", Game: game, Version: version}, d.hear())
}

// requireClosed expects the server to end the connection with a code.
func (d *device) requireClosed(code websocket.StatusCode) {
	d.tb.Helper()
	ctx, cancel := context.WithTimeout(d.tb.Context(), patience)
	defer cancel()
	_, _, err := d.socket.Read(ctx)
	require.Equal(d.tb, code, websocket.CloseStatus(err), "%v", err)
}

// requireEmpty expects the server to have forgotten all connections.
func (b *bundle) requireEmpty() {
	b.tb.Helper()
	require.Eventually(b.tb, func() bool {
		connections, games := b.hub.Connections()
		return connections == 0 && games == 0
	}, patience, time.Millisecond)
}

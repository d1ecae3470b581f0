package notify_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/catalogue"
	"boulevard/functions/internal/fanout"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/guard"
	"boulevard/functions/internal/notify/webhook"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb/dynamotest"
	"boulevard/functions/internal/store/sqlite"
)

var drivers = map[string]func(testing.TB) store.Driver{
	"sqlite": func(tb testing.TB) store.Driver {
		tb.Helper()
		driver, err := sqlite.Open(tb.Context(), filepath.Join(tb.TempDir(), "boulevard.db"))
		require.NoError(tb, err)
		tb.Cleanup(func() { require.NoError(tb, driver.Close()) })
		return driver
	},
	"dynamodb": func(tb testing.TB) store.Driver {
		tb.Helper()
		return dynamotest.New(tb)
	},
}

func onEachDriver(t *testing.T, test func(t *testing.T, b *bundle)) {
	t.Helper()
	for name, open := range drivers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, setup(t, open(t)))
		})
	}
}

// bundle is everything from a command to a webhook. Its clock stands still unless it is moved.
type bundle struct {
	tb      testing.TB
	table   *store.Table
	host    *host.Host
	planner *notify.Planner
	sender  *notify.Sender
	desk    *notify.Desk
	hub     *live.Hub
	logs    *logBuffer
	clock   atomic.Int64
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}

func setup(tb testing.TB, driver store.Driver) *bundle {
	tb.Helper()
	b := &bundle{tb: tb, table: store.NewTable(driver), hub: live.NewHub(), logs: &logBuffer{}}
	b.clock.Store(time.Date(2026, 7, 1, 10, 0, 0, 0, time.UTC).UnixMilli())
	log := slog.New(slog.NewJSONHandler(b.logs, nil))
	keys, err := host.NewKeyring(bytes.Repeat([]byte("boulevard"), 4))
	require.NoError(tb, err)
	hosting := host.Config{Store: b.table, Catalogue: catalogue.All(), Keys: keys, Now: b.now}
	reader := host.New(hosting)
	b.planner = &notify.Planner{Table: b.table, Host: reader, Presence: b.hub, Queue: notify.Listed, Now: b.now}
	hosting.Store = fanout.Inline{Table: b.table, Consumer: fanout.NewConsumer(b.table, b.planner), Log: log}
	b.host = host.New(hosting)
	client := guard.NewClient(guard.Options{Allow: loopback})
	b.sender = &notify.Sender{
		Table: b.table, Host: reader, Site: "https://games.example", Queue: notify.Listed, Log: log, Now: b.now,
		Channels: map[notify.ChannelKind]notify.Channel{
			notify.Webhook: webhook.New(webhook.Config{Client: client, Now: b.now}), notify.Live: live.NewNotices(b.hub),
		},
	}
	options := guard.Options{Allow: loopback}
	b.desk = &notify.Desk{
		Table: b.table, Queue: notify.Listed, Now: b.now, Checks: map[notify.ChannelKind]func(notify.Address) error{
			notify.Webhook: func(to notify.Address) error { return options.CheckURL(to.Target) },
			notify.Email:   func(notify.Address) error { return nil },
		},
	}
	return b
}

func (b *bundle) now() time.Time { return time.UnixMilli(b.clock.Load()) }

// pass lets time go by.
func (b *bundle) pass(d time.Duration) { b.clock.Add(d.Milliseconds()) }

// sweep sends what is due.
func (b *bundle) sweep() {
	b.tb.Helper()
	_, err := b.sender.Sweep(b.tb.Context())
	require.NoError(b.tb, err)
}

// logBuffer keeps what was logged.
type logBuffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(p)
}

func (l *logBuffer) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// posted is what a webhook was told.
type posted struct {
	ID      string      `json:"id"`
	Kind    notify.Kind `json:"kind"`
	Game    string      `json:"game"`
	Version uint64      `json:"version"`
	Title   string      `json:"title"`
	Body    string      `json:"body"`
	URL     string      `json:"url"`
	Badge   int         `json:"badge"`
	Silent  bool        `json:"silent"`
	Content string      `json:"content"` // of a Discord body
	Text    string      `json:"text"`    // of a Slack body
}

// receiver is the server behind a player's webhook.
type receiver struct {
	tb      testing.TB
	url     string
	mutex   sync.Mutex
	heard   []posted
	status  int
	said    string
	onVisit func(posted)
}

func newReceiver(tb testing.TB) *receiver {
	tb.Helper()
	r := &receiver{tb: tb, status: http.StatusOK}
	server := httptest.NewServer(r)
	tb.Cleanup(server.Close)
	r.url = server.URL + "/hook"
	return r
}

// ServeHTTP takes a notice, or fails as it is told to. What it fails on it has not heard.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	var p posted
	if json.Unmarshal(body, &p) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.onVisit != nil {
		r.onVisit(p)
	}
	if r.status == http.StatusOK {
		r.heard = append(r.heard, p)
	}
	w.WriteHeader(r.status)
	_, _ = io.WriteString(w, r.said)
}

// answers makes the receiver fail from now on, or recover.
func (r *receiver) answers(status int, said string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.status, r.said = status, said
}

// visited has a function called at every visit.
func (r *receiver) visited(f func(posted)) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.onVisit = f
}

// take is what was heard since the last time.
func (r *receiver) take() []posted {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	heard := r.heard
	r.heard = nil
	return heard
}

func kindsOf(heard []posted) []notify.Kind {
	var list []notify.Kind
	for _, p := range heard {
		list = append(list, p.Kind)
	}
	return list
}

// hook gives a player a webhook of a rank.
func (b *bundle) hook(player store.Player, r *receiver, rank int, variant string) store.ContactChannel {
	b.tb.Helper()
	address := notify.Address{Target: r.url, Variant: variant}
	channel, err := b.desk.AddChannel(b.tb.Context(), player.ID, notify.Webhook, address, rank)
	require.NoError(b.tb, err)
	return channel
}

// ledger is what a player was told, the oldest first, as "version kind state reason".
func (b *bundle) ledger(player store.Player) []string {
	b.tb.Helper()
	notices, _, err := b.table.Notices(b.tb.Context(), player.ID, "", store.MaxLimit)
	require.NoError(b.tb, err)
	lines := make([]string, len(notices))
	for i, n := range notices {
		line := fmt.Sprintf("%d %s %s", n.Version, n.Kinds[0], n.State)
		if n.Reason != "" {
			line += " " + n.Reason
		}
		lines[len(lines)-1-i] = line
	}
	return lines
}

// match is a game that is played.
type match struct {
	b       *bundle
	game    *host.Game
	players []store.Player
	random  *rand.Rand
}

var names = []string{"Ann", "Bob", "Cleo", "Dan"}

func (b *bundle) people(count int) []store.Player {
	players := make([]store.Player, count)
	for i := range players {
		players[i] = store.Player{ID: ulid.Make().String(), Name: names[i]}
	}
	return players
}

// started is a game of those players, of whom the last to join starts it.
func (b *bundle) started(players []store.Player, seed uint64) *match {
	b.tb.Helper()
	m := &match{b: b, players: players, random: rand.New(rand.NewPCG(seed, seed))}
	wanted := host.NewGame{Game: "lords-of-vegas", Seats: len(players)}
	answer, err := b.host.Create(b.tb.Context(), players[0], fmt.Sprint("create", seed), wanted)
	require.NoError(b.tb, err)
	m.game = answer.Game
	for _, p := range players[1:] {
		m.act(host.Command{Player: p, Key: "join", Deed: store.Join})
	}
	return m
}

// act carries out a command, each a second after the one before.
func (m *match) act(cmd host.Command) {
	m.b.tb.Helper()
	m.b.pass(time.Second)
	cmd.Game = m.game.ID
	answer, err := m.b.host.Act(m.b.tb.Context(), cmd)
	require.NoError(m.b.tb, err)
	m.game = answer.Game
}

// asked is a player whom the game waits for.
func (m *match) asked() store.Player { return m.players[m.game.Asked[0]] }

// play makes one choice of a player who is asked.
func (m *match) play() {
	m.b.tb.Helper()
	seat := engine.Seat(m.game.Asked[m.random.IntN(len(m.game.Asked))])
	choices := m.game.Choices(seat)
	choice := choices[m.random.IntN(len(choices))]
	args, err := json.Marshal(choice.Filled(m.random.IntN))
	require.NoError(m.b.tb, err)
	cmd := host.Command{
		Player: m.players[seat], Key: "play " + strconv.FormatUint(m.game.Version, 10), Deed: store.Play,
		Play: host.Play{Kind: choice.Action.Kind(), Args: args}, Prompt: choice.Prompt,
	}
	if choice.Prompt == 0 {
		cmd.Version = m.game.Version
	}
	m.act(cmd)
}

// playUntilAsked plays until the game begins to wait for a player.
func (m *match) playUntilAsked(player store.Player) {
	m.b.tb.Helper()
	for first := true; first || len(m.game.Waits(player.ID)) == 0; first = false {
		require.Equal(m.b.tb, store.Playing, m.game.Status, "it ended before")
		m.play()
	}
}

// playUntilNotAsked plays until it waits for others.
func (m *match) playUntilNotAsked(player store.Player) {
	m.b.tb.Helper()
	for len(m.game.Waits(player.ID)) > 0 {
		m.play()
	}
}

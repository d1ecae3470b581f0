package live_test

import (
	"context"
	"net"
	"net/http/httptest"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/live"
)

// everyGame is a host that has every game, at version 1.
type everyGame struct{ live.Host }

func (everyGame) Version(context.Context, string) (uint64, error) { return 1, nil }

// jam is a listener whose connections can be stopped from sending, as if their other ends read nothing.
type jam struct {
	net.Listener
	accepted chan *jammed
}

func (j *jam) Accept() (net.Conn, error) {
	conn, err := j.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &jammed{Conn: conn, closed: make(chan struct{})}
	c.shut()()
	j.accepted <- c
	return c, nil
}

type jammed struct {
	net.Conn
	mutex  sync.Mutex
	open   chan struct{}
	once   sync.Once
	closed chan struct{}
}

// shut stops the connection from sending, until release is called.
func (c *jammed) shut() (release func()) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	open := make(chan struct{})
	c.open = open
	return func() { close(open) }
}

func (c *jammed) Write(data []byte) (int, error) {
	c.mutex.Lock()
	open := c.open
	c.mutex.Unlock()
	select {
	case <-open:
		return c.Conn.Write(data)
	case <-c.closed:
		return 0, net.ErrClosed
	}
}

func (c *jammed) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// jamming makes connections go through a jam, whose channel hands them out.
func jamming(accepted chan *jammed) func(*live.Config, *httptest.Server) {
	return func(c *live.Config, server *httptest.Server) {
		c.Host = everyGame{c.Host}
		server.Listener = &jam{Listener: server.Listener, accepted: accepted}
	}
}

func TestSlowClient_HoldsUpNobody_AndHearsOfTheNewestInTheEnd(t *testing.T) {
	t.Parallel()
	accepted := make(chan *jammed, 2)
	b := setup(t, jamming(accepted))
	slow := b.device()
	release := func() func() { slow.subscribe("g", 1); slow.ping(); return (<-accepted).shut() }()
	fast := b.device()
	fast.subscribe("g", 1)
	fast.ping()
	const newest = 1000
	for version := uint64(2); version <= newest; version++ {
		b.hub.Announce("g", version)
	}
	require.Equal(t, uint64(newest), fast.hearUntil(newest))

	release()
	heard := 0
	for at := uint64(0); at < newest; heard++ {
		at = slow.hear().Version
	}
	require.LessOrEqual(t, heard, 2) // what was under way, and the newest
	slow.ping()
}

func TestUnsubscribed_WhileSomethingIsDue_IsNotTold(t *testing.T) {
	t.Parallel()
	accepted := make(chan *jammed, 1)
	b := setup(t, jamming(accepted))
	d := b.device()
	for _, game := range []string{"a", "b", "c"} {
		d.subscribe(game, 1)
	}
	d.ping()
	release := (<-accepted).shut()
	for _, game := range []string{"a", "b", "c"} {
		b.hub.Announce(game, 2)
	}
	d.say(`{"type":"unsubscribe","games":[{"id":"b"}]}`)
	require.Eventually(t, func() bool { _, games := b.hub.Connections(); return games == 2 }, patience, time.Millisecond)
	release()
	d.requireVersion("a", 2)
	d.requireVersion("c", 2)
	d.ping()
}

// hearUntil listens until a version, and expects each to be above the one before.
func (d *device) hearUntil(version uint64) (at uint64) {
	d.tb.Helper()
	for at < version {
		heard := d.hear()
		require.Greater(d.tb, heard.Version, at)
		at = heard.Version
	}
	return at
}

func TestClient_ThatTakesNothingIn_IsGivenUp(t *testing.T) {
	t.Parallel()
	accepted := make(chan *jammed, 1)
	b := setup(t, jamming(accepted), func(c *live.Config, _ *httptest.Server) { c.Patience = 20 * time.Millisecond })
	d := b.device()
	d.subscribe("g", 1)
	require.Eventually(t, func() bool { _, games := b.hub.Connections(); return games == 1 }, patience, time.Millisecond)
	(<-accepted).shut()
	b.hub.Announce("g", 2)
	b.requireEmpty()
}

func TestManyGames_EachIsToldItsNewest_OldNewsIsNone(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *live.Config, _ *httptest.Server) { c.Host = everyGame{c.Host} })
	d := b.device()
	games := []string{"a", "b", "c"}
	for _, game := range games {
		d.subscribe(game, 1)
	}
	d.ping()
	for _, version := range []uint64{5, 3, 5, 4} {
		for _, game := range games {
			b.hub.Announce(game, version)
		}
	}
	for _, game := range games {
		d.requireVersion(game, 5)
	}
	d.ping()
}

func Test200Clients_OfOneGame_AreAllTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.started()
	devices := make([]*device, 200)
	for i := range devices {
		devices[i] = b.device()
		devices[i].subscribe(m.game.ID, m.game.Version)
	}
	for _, d := range devices {
		d.ping()
	}
	connections, games := b.hub.Connections()
	require.Equal(t, []int{200, 1}, []int{connections, games})
	m.play()
	version := m.play()
	for _, d := range devices {
		require.Equal(t, version, d.hearUntil(version))
	}
	for _, d := range devices {
		go func() { _ = d.socket.Close(websocket.StatusNormalClosure, "") }()
	}
	b.requireEmpty()
}

// This test runs while no other does: it looks at all goroutines of the process.
//
//nolint:paralleltest
func TestConnections_LeaveNothingBehind(t *testing.T) {
	b := setup(t)
	m := b.started()
	for i := range 20 {
		d := b.device()
		d.subscribe(m.game.ID, 0)
		d.hear()
		switch i % 3 {
		case 0:
			require.NoError(t, d.socket.Close(websocket.StatusNormalClosure, ""))
		case 1:
			require.NoError(t, d.socket.CloseNow())
		}
	}
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	b.hub.Close(impatient) // those that are left read nothing, a farewell neither
	b.requireEmpty()
	require.Eventually(t, func() bool {
		var all strings.Builder
		require.NoError(t, pprof.Lookup("goroutine").WriteTo(&all, 2))
		return !strings.Contains(all.String(), "internal/live.(*")
	}, patience, 10*time.Millisecond)
}

// BenchmarkHub announces versions of one game to 100 connections, and waits at the end for all to have heard the last.
func BenchmarkHub(b *testing.B) {
	bundle := setup(b, func(c *live.Config, _ *httptest.Server) { c.Host = everyGame{c.Host} })
	var told sync.WaitGroup
	for range 100 {
		d := bundle.device()
		d.subscribe("g", 1)
		d.ping()
		told.Go(func() {
			for at := uint64(0); at < uint64(b.N)+1; {
				at = d.hear().Version
			}
		})
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		bundle.hub.Announce("g", uint64(i)+2)
	}
	told.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "announcements/s")
}

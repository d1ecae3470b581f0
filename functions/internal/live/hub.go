package live

import (
	"context"
	"sync"

	"github.com/coder/websocket"

	"boulevard/functions/internal/store"
)

// Hub knows which of a process's connections watch which games.
type Hub struct {
	mutex       sync.RWMutex
	connections map[*connection]struct{}
	watchers    map[string]map[*connection]struct{}
	players     map[string]map[*connection]struct{}
	closed      bool
	// gone waits for the connections to end.
	gone sync.WaitGroup
}

// maxConnections bounds what one process takes on.
const maxConnections = 10_000

// NewHub is a hub without connections.
func NewHub() *Hub {
	return &Hub{
		connections: make(map[*connection]struct{}), watchers: make(map[string]map[*connection]struct{}),
		players: make(map[string]map[*connection]struct{}),
	}
}

// Announce tells all who watch the game that it is at a version. It waits for none of them.
func (h *Hub) Announce(game string, version uint64) {
	h.mutex.RLock()
	defer h.mutex.RUnlock()
	for c := range h.watchers[game] {
		c.outbox.announce(game, version)
	}
}

// Follow announces a head that was written.
func (h *Hub) Follow(_ context.Context, _, after *store.Head) error {
	if after != nil {
		h.Announce(after.ID, after.Version)
	}
	return nil
}

// Online reports whether a player has a connection.
func (h *Hub) Online(_ context.Context, player string) (bool, error) {
	h.mutex.RLock()
	defer h.mutex.RUnlock()
	return len(h.players[player]) > 0, nil
}

// Tell says something to a player on all of his connections, and how many those are. It waits for none of them.
func (h *Hub) Tell(_ context.Context, player string, message []byte) (int, error) {
	h.mutex.RLock()
	defer h.mutex.RUnlock()
	told := 0
	for c := range h.players[player] {
		if c.outbox.tell(message) {
			told++
		}
	}
	return told, nil
}

// Connections counts the connections, and the games that they watch.
func (h *Hub) Connections() (connections, games int) {
	h.mutex.RLock()
	defer h.mutex.RUnlock()
	return len(h.connections), len(h.watchers)
}

// Close ends all connections, politely until the context ends, and takes no more.
func (h *Hub) Close(ctx context.Context) {
	h.mutex.Lock()
	h.closed = true
	for c := range h.connections {
		h.gone.Go(func() { _ = c.socket.Close(websocket.StatusGoingAway, "the server stops") })
	}
	h.mutex.Unlock()
	stop := context.AfterFunc(ctx, h.drop)
	defer stop()
	h.gone.Wait()
}

// drop ends all connections at once.
func (h *Hub) drop() {
	h.mutex.RLock()
	defer h.mutex.RUnlock()
	for c := range h.connections {
		c.cancel()
	}
}

// enter takes a connection in, unless the hub is full or closed.
func (h *Hub) enter(c *connection) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.closed || len(h.connections) >= maxConnections {
		return false
	}
	h.connections[c] = struct{}{}
	enter(h.players, c.player, c)
	h.gone.Add(1)
	return true
}

func (h *Hub) leave(c *connection) {
	for _, game := range c.outbox.watching() {
		h.unwatch(c, game)
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	delete(h.connections, c)
	leave(h.players, c.player, c)
	h.gone.Done()
}

func (h *Hub) watch(c *connection, game string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	c.outbox.add(game)
	enter(h.watchers, game, c)
}

func (h *Hub) unwatch(c *connection, game string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	c.outbox.remove(game)
	leave(h.watchers, game, c)
}

// enter puts a connection into the set of that name.
func enter(sets map[string]map[*connection]struct{}, name string, c *connection) {
	if sets[name] == nil {
		sets[name] = make(map[*connection]struct{})
	}
	sets[name][c] = struct{}{}
}

// leave takes it out, and with the last one the set.
func leave(sets map[string]map[*connection]struct{}, name string, c *connection) {
	delete(sets[name], c)
	if len(sets[name]) == 0 {
		delete(sets, name)
	}
}

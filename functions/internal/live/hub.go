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
	closed      bool
	// gone waits for the connections to end.
	gone sync.WaitGroup
}

// maxConnections bounds what one process takes on.
const maxConnections = 10_000

// NewHub is a hub without connections.
func NewHub() *Hub {
	return &Hub{connections: make(map[*connection]struct{}), watchers: make(map[string]map[*connection]struct{})}
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
func (h *Hub) Follow(_ context.Context, head store.Head) error {
	h.Announce(head.ID, head.Version)
	return nil
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
	h.gone.Done()
}

func (h *Hub) watch(c *connection, game string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	c.outbox.add(game)
	if h.watchers[game] == nil {
		h.watchers[game] = make(map[*connection]struct{})
	}
	h.watchers[game][c] = struct{}{}
}

func (h *Hub) unwatch(c *connection, game string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	c.outbox.remove(game)
	delete(h.watchers[game], c)
	if len(h.watchers[game]) == 0 {
		delete(h.watchers, game)
	}
}

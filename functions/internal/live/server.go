package live

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

// Host is what live updates need of the host. Its errors are *host.Error.
type Host interface {
	// Player is whom a token belongs to.
	Player(token string) (player store.Player, session string, err error)
	// Version is that of a game, read after every write that has been answered.
	Version(ctx context.Context, game string) (uint64, error)
}

var _ Host = (*host.Host)(nil)

// Config is what a Server is made of. Hub, Host and Log are needed.
type Config struct {
	Hub  *Hub
	Host Host
	Log  *slog.Logger
	// Idle is how long a client may say nothing, a minute and a half by default.
	Idle time.Duration
	// Patience is how long a client may take to take a message in, ten seconds by default.
	Patience time.Duration
	// After is time.After outside tests.
	After func(time.Duration) <-chan time.Time
}

const (
	defaultIdle     = 90 * time.Second
	defaultPatience = 10 * time.Second
)

// Server makes WebSocket connections of HTTP requests.
type Server struct{ Config }

// NewServer is the handler of /v1/live.
func NewServer(c Config) *Server {
	if c.Idle == 0 {
		c.Idle = defaultIdle
	}
	if c.Patience == 0 {
		c.Patience = defaultPatience
	}
	if c.After == nil {
		c.After = time.After
	}
	return &Server{Config: c}
}

const (
	// Subprotocol is the one that the server speaks.
	Subprotocol = "boulevard.v1"
	// bearerProtocol is how a browser, which cannot set headers here, sends its token. The answer never repeats it.
	bearerProtocol = "bearer."
)

// ServeHTTP serves one connection until it ends.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token := bearer(r.Header)
	if token == "" {
		unauthorized(w, &Problem{Code: tokenMissing, Detail: "send Authorization: Bearer and the token, or a subprotocol bearer.TOKEN"})
		return
	}
	player, _, err := s.Host.Player(token)
	if err != nil {
		unauthorized(w, problemOf(r.Context(), s.Log, err))
		return
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	c := &connection{player: player.ID, server: s, outbox: newOutbox(), heard: make(chan struct{}, 1), cancel: cancel}
	socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols:   []string{Subprotocol},
		OnPingReceived: func(context.Context, []byte) bool { c.hear(); return true },
	})
	if err != nil {
		return // Accept has answered
	}
	defer func() { _ = socket.CloseNow() }()
	c.socket = socket
	if !s.Hub.enter(c) {
		_ = socket.Close(websocket.StatusTryAgainLater, "no room, or about to stop")
		return
	}
	defer s.Hub.leave(c)
	c.run(ctx)
}

const protocolHeader = "Sec-WebSocket-Protocol"

// bearer finds the token of a request.
func bearer(header http.Header) string {
	if scheme, token, _ := strings.Cut(header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	for offered := range strings.SplitSeq(strings.Join(header.Values(protocolHeader), ","), ",") {
		if token, ok := strings.CutPrefix(strings.TrimSpace(offered), bearerProtocol); ok {
			return token
		}
	}
	return ""
}

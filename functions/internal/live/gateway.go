package live

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"

	"boulevard/functions/internal/store"
)

// Gateway is what Server and Hub are on one machine, where API Gateway holds the connections open and the table knows who
// watches what.
type Gateway struct {
	Host   Host
	Table  *store.Table
	Poster *Poster
	Log    *slog.Logger
	// Now is time.Now outside tests.
	Now func() time.Time
}

// socketLife is longer than the two hours that API Gateway holds a connection open.
const socketLife = 3 * time.Hour

// Handle serves the events of a WebSocket API: $connect, $disconnect, and everything else as a message.
func (g *Gateway) Handle(
	ctx context.Context, event events.APIGatewayWebsocketProxyRequest,
) (events.APIGatewayProxyResponse, error) {
	ok := events.APIGatewayProxyResponse{StatusCode: http.StatusOK}
	connection := event.RequestContext.ConnectionID
	switch event.RequestContext.EventType {
	case "CONNECT":
		return g.connect(ctx, event)
	case "DISCONNECT":
		return ok, g.Table.CloseSocket(ctx, connection)
	}
	if event.IsBase64Encoded || len(event.Body) > MaxMessage || !utf8.ValidString(event.Body) {
		return ok, g.end(ctx, connection)
	}
	err := g.follow(ctx, connection, []byte(event.Body))
	switch {
	case errors.Is(err, ErrGone):
		return ok, g.Table.CloseSocket(ctx, connection)
	case errors.Is(err, store.ErrNotFound):
		return ok, g.end(ctx, connection)
	case err != nil:
		return ok, g.refuse(ctx, connection, err, "")
	}
	return ok, nil
}

func (g *Gateway) connect(
	ctx context.Context, event events.APIGatewayWebsocketProxyRequest,
) (events.APIGatewayProxyResponse, error) {
	header := make(http.Header, len(event.Headers))
	for name, value := range event.Headers {
		header.Set(name, value)
	}
	player, _, err := g.Host.Player(bearer(header))
	if err != nil {
		return events.APIGatewayProxyResponse{StatusCode: http.StatusUnauthorized}, nil //nolint:nilerr // that is the answer
	}
	expires := g.Now().Add(socketLife).Unix()
	if err := g.Table.OpenSocket(ctx, event.RequestContext.ConnectionID, player.ID, expires); err != nil {
		return events.APIGatewayProxyResponse{}, err
	}
	answer := events.APIGatewayProxyResponse{StatusCode: http.StatusOK}
	if offers(header, Subprotocol) {
		answer.Headers = map[string]string{protocolHeader: Subprotocol}
	}
	return answer, nil
}

// end closes a connection that says what no client says, or that the table does not know.
func (g *Gateway) end(ctx context.Context, connection string) error {
	if err := g.Poster.Close(ctx, connection); err != nil && !errors.Is(err, ErrGone) {
		return err
	}
	return g.Table.CloseSocket(ctx, connection)
}

// follow does what a message says.
func (g *Gateway) follow(ctx context.Context, connection string, data []byte) error {
	message, err := Decode(data)
	if err != nil {
		return g.refuse(ctx, connection, err, "")
	}
	switch message.Type {
	case subscribe:
		return g.subscribe(ctx, connection, message.Games)
	case unsubscribe:
		return g.Table.Unwatch(ctx, connection, names(message.Games))
	default:
		return g.Poster.Post(ctx, connection, encodePong())
	}
}

func names(games []Watch) []string {
	ids := make([]string, len(games))
	for i, w := range games {
		ids[i] = w.Game
	}
	return ids
}

// subscribe watches first and reads then, as on one machine: a version that is committed in between is announced.
func (g *Gateway) subscribe(ctx context.Context, connection string, games []Watch) error {
	err := g.Table.Watch(ctx, connection, names(games), MaxGames)
	if errors.Is(err, store.ErrTooManyGames) {
		return g.refuse(ctx, connection, tooMany(), "")
	}
	if err != nil {
		return err
	}
	for _, w := range games {
		if err := g.resume(ctx, connection, w); err != nil {
			return err
		}
	}
	return nil
}

func (g *Gateway) resume(ctx context.Context, connection string, w Watch) error {
	current, err := g.Host.Version(ctx, w.Game)
	switch {
	case err != nil:
		return errors.Join(g.Table.Unwatch(ctx, connection, []string{w.Game}), g.refuse(ctx, connection, err, w.Game))
	case current > w.Since:
		return g.Poster.Post(ctx, connection, encodeVersion(w.Game, current))
	}
	return nil
}

func (g *Gateway) refuse(ctx context.Context, connection string, err error, game string) error {
	p := *problemOf(ctx, g.Log, err)
	p.Game = game
	return g.Poster.Post(ctx, connection, p.encode())
}

// Follow announces a head that was written to all who watch the game. A connection that cannot be reached holds up
// neither the others nor the feed: its client finds out by itself.
func (g *Gateway) Follow(ctx context.Context, _, head *store.Head) error {
	if head == nil {
		return nil
	}
	message := encodeVersion(head.ID, head.Version)
	for after := ""; ; {
		connections, next, err := g.Table.Watchers(ctx, head.ID, after)
		if err != nil {
			return err
		}
		g.tell(ctx, connections, message, func(connection string) error {
			return g.Table.DropWatcher(ctx, head.ID, connection)
		})
		if next == "" {
			return nil
		}
		after = next
	}
}

// tellers is how many connections are told at the same time.
const tellers = 16

// Online reports whether a player has a connection that has not run out.
func (g *Gateway) Online(ctx context.Context, player string) (bool, error) {
	connections, err := g.Table.PlayerSockets(ctx, player, g.Now().Unix())
	return len(connections) > 0, err
}

// Tell says something to a player on all of his connections, and on how many it was heard.
func (g *Gateway) Tell(ctx context.Context, player string, message []byte) (int, error) {
	connections, err := g.Table.PlayerSockets(ctx, player, g.Now().Unix())
	if err != nil {
		return 0, err
	}
	return g.tell(ctx, connections, message, func(connection string) error {
		return g.Table.DropPlayerSocket(ctx, player, connection)
	}), nil
}

// tell says something on connections, and forgets those that are gone, where they stand and in the list that they were
// taken from. It says how many have heard it.
func (g *Gateway) tell(ctx context.Context, connections []string, message []byte, drop func(connection string) error) int {
	var heard atomic.Int64
	var told sync.WaitGroup
	slots := make(chan struct{}, tellers)
	for _, connection := range connections {
		slots <- struct{}{}
		told.Go(func() {
			defer func() { <-slots }()
			err := g.Poster.Post(ctx, connection, message)
			switch {
			case err == nil:
				heard.Add(1)
			case errors.Is(err, ErrGone):
				err = errors.Join(g.Table.CloseSocket(ctx, connection), drop(connection))
			}
			if err != nil {
				g.Log.WarnContext(ctx, "connection not told", "error", err)
			}
		})
	}
	told.Wait()
	return int(heard.Load())
}

// offers reports whether a client offers a subprotocol.
func offers(header http.Header, protocol string) bool {
	for offered := range strings.SplitSeq(strings.Join(header.Values(protocolHeader), ","), ",") {
		if strings.TrimSpace(offered) == protocol {
			return true
		}
	}
	return false
}

package live

import (
	"context"
	"unicode/utf8"

	"github.com/coder/websocket"
)

// connection is one device's. A reader follows what it says, a writer tells it what is due.
type connection struct {
	// player is whose it is.
	player string
	server *Server
	socket *websocket.Conn
	outbox *outbox
	// heard holds a token when the client has said something.
	heard chan struct{}
	// cancel ends the connection without a farewell.
	cancel context.CancelFunc
}

// run serves the connection until either side ends it.
func (c *connection) run(ctx context.Context) {
	c.socket.SetReadLimit(MaxMessage)
	written := make(chan struct{})
	go func() {
		defer close(written)
		c.write(ctx)
	}()
	c.read(ctx)
	c.cancel()
	<-written
}

func (c *connection) hear() {
	select {
	case c.heard <- struct{}{}:
	default:
	}
}

// read follows messages. It answers them itself: a client that does not take its answers in is not listened to.
func (c *connection) read(ctx context.Context) {
	for {
		kind, data, err := c.socket.Read(ctx)
		switch {
		case err != nil:
			return // gone, too large a message (closed as 1009), or no WebSocket frame (1002)
		case kind != websocket.MessageText:
			_ = c.socket.Close(websocket.StatusUnsupportedData, "send text")
			return
		case !utf8.Valid(data):
			_ = c.socket.Close(websocket.StatusInvalidFramePayloadData, "send UTF-8")
			return
		}
		c.hear()
		if err := c.follow(ctx, data); err != nil {
			return
		}
	}
}

// follow does what a message says. It fails when the client cannot be answered.
func (c *connection) follow(ctx context.Context, data []byte) error {
	message, err := Decode(data)
	if err != nil {
		return c.refuse(ctx, err, "")
	}
	switch message.Type {
	case subscribe:
		return c.subscribe(ctx, message.Games)
	case unsubscribe:
		for _, w := range message.Games {
			c.server.Hub.unwatch(c, w.Game)
		}
		return nil
	default:
		return c.send(ctx, encodePong())
	}
}

func (c *connection) subscribe(ctx context.Context, games []Watch) error {
	if !c.outbox.fits(games) {
		return c.refuse(ctx, tooMany(), "")
	}
	for _, w := range games {
		if err := c.watch(ctx, w); err != nil {
			c.server.Hub.unwatch(c, w.Game)
			if err := c.refuse(ctx, err, w.Game); err != nil {
				return err
			}
		}
	}
	return nil
}

// watch subscribes first and reads then: a version that is committed in between is announced, so none can be missed.
func (c *connection) watch(ctx context.Context, w Watch) error {
	ctx, cancel := context.WithTimeout(ctx, c.server.Patience)
	defer cancel()
	c.server.Hub.watch(c, w.Game)
	current, err := c.server.Host.Version(ctx, w.Game)
	if err != nil {
		return err
	}
	c.outbox.resume(w.Game, current, w.Since)
	return nil
}

func (c *connection) refuse(ctx context.Context, err error, game string) error {
	p := *problemOf(ctx, c.server.Log, err)
	p.Game = game
	return c.send(ctx, p.encode())
}

// send writes within the client's patience, or ends the connection.
func (c *connection) send(ctx context.Context, message []byte) error {
	ctx, cancel := context.WithTimeout(ctx, c.server.Patience)
	defer cancel()
	return c.socket.Write(ctx, websocket.MessageText, message)
}

// write tells what is due, and ends a connection on which nothing is heard any more.
func (c *connection) write(ctx context.Context) {
	idle := c.server.After(c.server.Idle)
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.heard:
			idle = c.server.After(c.server.Idle)
		case <-idle:
			_ = c.socket.Close(websocket.StatusPolicyViolation, "nothing heard: send pings")
			return
		case <-c.outbox.wake:
			if c.flush(ctx) != nil {
				c.cancel()
				return
			}
		}
	}
}

func (c *connection) flush(ctx context.Context) error {
	for {
		message := c.outbox.next()
		if message == nil {
			return nil
		}
		if err := c.send(ctx, message); err != nil {
			return err
		}
	}
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// ear is a live connection, and what was heard on it.
type ear struct {
	socket *websocket.Conn
	mutex  sync.Mutex
	said   []message
}

// message is what the server says.
type message struct {
	Type    string `json:"type"`
	Game    string `json:"game"`
	Version int64  `json:"version"`
	Title   string `json:"title"`
	Code    string `json:"code"`
}

func (e *ear) close() { _ = e.socket.CloseNow() }

// heard reports whether something was said.
func (e *ear) heard(wanted func(message) bool) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return slices.ContainsFunc(e.said, wanted)
}

// count is how often something of a type was said.
func (e *ear) count(kind string) int {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	n := 0
	for _, m := range e.said {
		if m.Type == kind {
			n++
		}
	}
	return n
}

func (e *ear) listen(ctx context.Context) {
	for {
		_, data, err := e.socket.Read(ctx)
		if err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(data, &m); err != nil {
			m.Type = "garbled"
		}
		e.mutex.Lock()
		e.said = append(e.said, m)
		e.mutex.Unlock()
	}
}

// connect opens a live connection. The token is in the header: the emulator chooses no subprotocol.
func (t *trial) connect(ctx context.Context, token string) (*websocket.Conn, error) {
	socket, response, err := websocket.Dial(ctx, t.stage.outputs.Live, &websocket.DialOptions{
		HTTPHeader: http.Header{"Authorization": {"Bearer " + token}},
	})
	if response != nil && response.Body != nil {
		_ = response.Body.Close()
	}
	return socket, err
}

func (t *trial) listen(ctx context.Context) (string, error) {
	if socket, err := t.connect(ctx, "nobody"); err == nil {
		_ = socket.CloseNow()
		return "", errors.New("anybody is let in")
	}
	socket, err := t.connect(ctx, t.table.players[live].token)
	if err != nil {
		return "", err
	}
	t.ear = &ear{socket: socket}
	go t.ear.listen(ctx)
	if err := t.say(ctx, saying("ping"), func(m message) bool { return m.Type == "pong" }); err != nil {
		return "", err
	}
	return "", t.say(ctx, saying("shout"), func(m message) bool { return m.Type == "problem" && m.Code == "unknown_type" })
}

// saying begins a message.
func saying(kind string) object { return object{"type": kind} }

// say says something, and waits for the answer.
func (t *trial) say(ctx context.Context, words object, answer func(message) bool) error {
	if err := wsjson.Write(ctx, t.ear.socket, words); err != nil {
		return err
	}
	return await(ctx, usual, fmt.Sprintf("%v is not answered", words), func(context.Context) (bool, error) {
		return t.ear.heard(answer), nil
	})
}

// announced subscribes to the game, is told where it is, acts, and is told of that. The player whose turn it is hears a
// notice too.
func (t *trial) announced(ctx context.Context) (string, error) {
	words := saying("subscribe")
	words["games"] = []object{{"id": t.table.game.ID, "since": 1}}
	if err := t.say(ctx, words, t.announces(t.table.game.Version)); err != nil {
		return "", err
	}
	return t.moves(ctx)
}

// moves makes a move that has to be heard of.
func (t *trial) moves(ctx context.Context) (string, error) {
	if _, err := t.table.next(ctx); err != nil {
		return "", err
	}
	version := t.table.game.Version
	return fmt.Sprintf(": version %d", version), await(ctx, usual, fmt.Sprintf("version %d was not announced", version),
		func(context.Context) (bool, error) { return t.ear.heard(t.announces(version)), nil })
}

func (t *trial) announces(version int64) func(message) bool {
	return func(m message) bool { return m.Type == "version" && m.Game == t.table.game.ID && m.Version == version }
}

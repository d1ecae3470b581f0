package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"boulevard/engine/codec"
)

// Socket is a live connection that the cloud holds open. Its own item lists the games that it watches, so that nothing is
// left behind when it goes; an item of each game's watchers names it.
type Socket struct {
	// Player is whose it is.
	Player string `cbor:"2,keyasint,omitempty"`
	// Games are those watched.
	Games []string `cbor:"1,keyasint,omitempty"`
}

var (
	// ErrTooManyGames says that a socket would watch more games than it may. It watches what it did.
	ErrTooManyGames = errors.New("store: too many games")
	// ErrContended says that so many writes raced for an item that this one never came first.
	ErrContended = fmt.Errorf("%w: too many writers", ErrThrottled)
)

// maxSocketRaces bounds how often a change of a socket is tried again.
const maxSocketRaces = 8

func socketKey(id string) Key { return Key{PK: "SOCKET#" + id, SK: "SOCKET"} }

// watchPart is not the game's own partition: its head is written while many watch.
func watchPart(game string) string { return "WATCH#" + game }

// playerSocket names one of a player's connections.
func playerSocket(player, id string) Key {
	return Key{PK: playerPart(player), SK: playerSocketPrefix + id}
}

const playerSocketPrefix = "SOCKET#"

// OpenSocket takes in a connection of a player's, which has ended by the time that expires tells (unix seconds).
func (t *Table) OpenSocket(ctx context.Context, id, player string, expires int64) error {
	item, err := socketItem(id, 1, expires, Socket{Player: player})
	if err != nil {
		return err
	}
	if err := t.driver.Put(ctx, item, Condition{}); err != nil {
		return err
	}
	return t.driver.Put(ctx, Item{Key: playerSocket(player, id), Rev: 1, Expires: expires}, Condition{})
}

// PlayerSockets lists a player's connections that have not run out at a time, in unix seconds: at most a hundred.
func (t *Table) PlayerSockets(ctx context.Context, player string, now int64) ([]string, error) {
	page, err := t.driver.Query(ctx, Query{
		PK: playerPart(player), From: playerSocketPrefix, To: playerSocketPrefix + "~", Limit: MaxLimit,
	})
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(page.Items))
	for _, item := range page.Items {
		if item.Expires > now { // the table removes what has run out a good while later
			ids = append(ids, strings.TrimPrefix(item.SK, playerSocketPrefix))
		}
	}
	return ids, nil
}

// DropPlayerSocket takes a connection off a player's, whatever the connection itself says.
func (t *Table) DropPlayerSocket(ctx context.Context, player, id string) error {
	return t.driver.Delete(ctx, playerSocket(player, id), Condition{})
}

// CloseSocket forgets a connection. A part that was done need not be done again.
func (t *Table) CloseSocket(ctx context.Context, id string) error {
	socket, _, err := t.socket(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, game := range socket.Games {
		if err := t.DropWatcher(ctx, game, id); err != nil {
			return err
		}
	}
	if err := t.DropPlayerSocket(ctx, socket.Player, id); err != nil {
		return err
	}
	return t.driver.Delete(ctx, socketKey(id), Condition{})
}

// Watch makes a socket watch games, at most limit in all, or fails with ErrNotFound or ErrTooManyGames.
func (t *Table) Watch(ctx context.Context, id string, games []string, limit int) error {
	item, err := t.changeSocket(ctx, id, func(s *Socket) error {
		for _, game := range games {
			if !slices.Contains(s.Games, game) {
				s.Games = append(s.Games, game)
			}
		}
		if len(s.Games) > limit {
			return ErrTooManyGames
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, game := range games {
		watcher := Item{Key: Key{PK: watchPart(game), SK: id}, Rev: 1, Expires: item.Expires}
		if err := t.driver.Put(ctx, watcher, Condition{}); err != nil {
			return err
		}
	}
	return nil
}

// Unwatch ends that.
func (t *Table) Unwatch(ctx context.Context, id string, games []string) error {
	for _, game := range games {
		if err := t.DropWatcher(ctx, game, id); err != nil {
			return err
		}
	}
	_, err := t.changeSocket(ctx, id, func(s *Socket) error {
		s.Games = slices.DeleteFunc(s.Games, func(game string) bool { return slices.Contains(games, game) })
		return nil
	})
	return err
}

// Watchers lists the sockets that watch a game.
func (t *Table) Watchers(ctx context.Context, game, after string) (ids []string, next string, err error) {
	page, err := t.driver.Query(ctx, Query{PK: watchPart(game), Limit: MaxLimit, After: after})
	if err != nil {
		return nil, "", err
	}
	ids = make([]string, len(page.Items))
	for i, item := range page.Items {
		ids[i] = item.SK
	}
	return ids, page.Next, nil
}

// DropWatcher takes a socket off a game's watchers, whatever the socket itself says.
func (t *Table) DropWatcher(ctx context.Context, game, id string) error {
	return t.driver.Delete(ctx, Key{PK: watchPart(game), SK: id}, Condition{})
}

func (t *Table) socket(ctx context.Context, id string) (Socket, Item, error) {
	item, err := t.driver.Get(ctx, socketKey(id))
	if err != nil {
		return Socket{}, Item{}, err
	}
	var socket Socket
	return socket, item, decode(item, &socket)
}

// changeSocket writes what change makes of a socket. Messages of one connection may be followed at the same time.
func (t *Table) changeSocket(ctx context.Context, id string, change func(*Socket) error) (Item, error) {
	for range maxSocketRaces {
		item, err := t.tryChange(ctx, id, change)
		if _, raced := errors.AsType[*ConditionFailed](err); !raced {
			return item, err
		}
	}
	return Item{}, ErrContended
}

func (t *Table) tryChange(ctx context.Context, id string, change func(*Socket) error) (Item, error) {
	socket, item, err := t.socket(ctx, id)
	if err != nil {
		return Item{}, err
	}
	if err := change(&socket); err != nil {
		return Item{}, err
	}
	after, err := socketItem(id, item.Rev+1, item.Expires, socket)
	if err != nil {
		return Item{}, err
	}
	return after, t.driver.Put(ctx, after, IfRev(item.Rev))
}

func socketItem(id string, rev uint64, expires int64, socket Socket) (Item, error) {
	body, err := codec.Encode(socket)
	return Item{Key: socketKey(id), Rev: rev, Body: body, Expires: expires}, err
}

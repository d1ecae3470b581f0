package store

import (
	"context"
	"errors"
	"strings"
	"time"

	"boulevard/engine/codec"
)

// Session is a device on which a player stays signed in. Nothing in it is secret.
type Session struct {
	Player string `cbor:"-"`
	ID     string `cbor:"-"`
	// Name is the player's.
	Name string `cbor:"1,keyasint"`
	// Created and Used are when it began, and when its tokens were renewed last, in unix milliseconds.
	Created int64 `cbor:"2,keyasint"`
	Used    int64 `cbor:"3,keyasint"`
	// Count numbers the renewals, from 1. It is the item's rev.
	Count uint64 `cbor:"-"`
}

// SessionLife is how long a session lasts that is not used.
const SessionLife = 180 * 24 * time.Hour

const sessionPrefix = "SESSION#"

func sessionKey(player, id string) Key { return Key{PK: playerPart(player), SK: sessionPrefix + id} }

// ErrSessionMoved says that a session was renewed, or ended, by somebody else meanwhile.
var ErrSessionMoved = errors.New("store: the session has moved")

// CreateSession writes a new session.
func (t *Table) CreateSession(ctx context.Context, s Session) error {
	return t.putSession(ctx, s, IfAbsent())
}

// RenewSession writes a session over the one counted one lower, or fails with ErrSessionMoved.
func (t *Table) RenewSession(ctx context.Context, s Session) error {
	return t.putSession(ctx, s, IfRev(s.Count-1))
}

func (t *Table) putSession(ctx context.Context, s Session, when Condition) error {
	body, err := codec.Encode(s)
	if err != nil {
		return err
	}
	expires := time.UnixMilli(s.Used).Add(SessionLife).Unix()
	err = t.driver.Put(ctx, Item{Key: sessionKey(s.Player, s.ID), Rev: s.Count, Body: body, Expires: expires}, when)
	if _, moved := errors.AsType[*ConditionFailed](err); moved {
		return ErrSessionMoved
	}
	return err
}

// Session reads a session, or fails with ErrNotFound.
func (t *Table) Session(ctx context.Context, player, id string) (Session, error) {
	item, err := t.driver.Get(ctx, sessionKey(player, id))
	if err != nil {
		return Session{}, err
	}
	return sessionOf(item)
}

func sessionOf(item Item) (Session, error) {
	var s Session
	if err := decode(item, &s); err != nil {
		return s, err
	}
	s.Player, s.ID = strings.TrimPrefix(item.PK, playerPart("")), strings.TrimPrefix(item.SK, sessionPrefix)
	s.Count = item.Rev
	return s, nil
}

// Sessions lists a player's sessions, at most a hundred.
func (t *Table) Sessions(ctx context.Context, player string) ([]Session, error) {
	page, err := t.driver.Query(ctx, Query{
		PK: playerPart(player), From: sessionPrefix, To: sessionPrefix + "~", Limit: MaxLimit,
	})
	if err != nil {
		return nil, err
	}
	sessions := make([]Session, len(page.Items))
	for i, item := range page.Items {
		if sessions[i], err = sessionOf(item); err != nil {
			return nil, err
		}
	}
	return sessions, nil
}

// EndSession ends a session; one that is not there has ended already.
func (t *Table) EndSession(ctx context.Context, player, id string) error {
	return t.driver.Delete(ctx, sessionKey(player, id), Condition{})
}

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"boulevard/engine/codec"
)

func openKey(created int64, id string) Key {
	return Key{PK: openPart, SK: fmt.Sprintf("%013d#%s", created, id)}
}

func playerPart(player string) string { return "PLAYER#" + player }

// Derived are the items that follow from a game's head: all of them, and nothing else. A game that is over has none.
func Derived(head Head) ([]Item, error) {
	if head.Status != Open && head.Status != Playing {
		return nil, nil
	}
	var items []Item
	for _, p := range head.Players {
		items = append(items, Item{Key: Key{PK: playerPart(p.ID), SK: gamePart(head.ID)}, Rev: head.Version})
	}
	if head.Status == Playing {
		return items, nil
	}
	body, err := codec.Encode(OpenGame{
		ID: head.ID, Game: head.Game, Options: head.Options, Seats: head.Seats, Players: head.Players, Created: head.Created,
	})
	return append(items, Item{Key: openKey(head.Created, head.ID), Rev: head.Version, Body: body}), err
}

// Derive brings the derived items of a game from what its head said before to what it says after; nil is no game. It is
// idempotent, and harmless when it comes late as long as the changes of one game come in their order. What is played
// changes none of them until the game ends, and costs nothing.
func (t *Table) Derive(ctx context.Context, before, after *Head) error {
	if before != nil && after != nil && before.Status == Playing && after.Status == Playing {
		return nil // its seats are taken, and nothing else is derived: the usual case
	}
	rev := uint64(MaxRev) // of a game that was removed
	var old, now []Item
	var err error
	if before != nil {
		old, err = Derived(*before)
	}
	if after != nil && err == nil {
		rev = after.Version
		now, err = Derived(*after)
	}
	if err != nil {
		return err
	}
	var errs []error
	for _, item := range old {
		if find(now, item.Key) == nil {
			errs = append(errs, unlessNewer(t.driver.Delete(ctx, item.Key, IfOlder(rev))))
		}
	}
	for _, item := range now {
		if was := find(old, item.Key); was == nil || !bytes.Equal(was.Body, item.Body) {
			errs = append(errs, unlessNewer(t.driver.Put(ctx, item, IfOlder(item.Rev))))
		}
	}
	return errors.Join(errs...)
}

// find is the item of a key, nil for none. What one head derives is a handful.
func find(items []Item, key Key) *Item {
	for i := range items {
		if items[i].Key == key {
			return &items[i]
		}
	}
	return nil
}

// unlessNewer forgives a write of a derived item that came later than a newer one.
func unlessNewer(err error) error {
	if _, late := errors.AsType[*ConditionFailed](err); late {
		return nil
	}
	return err
}

// PlayerGames lists the ids of games in which a player has a seat and which have not ended. It follows the games by a
// moment.
func (t *Table) PlayerGames(ctx context.Context, player, after string, limit int) ([]string, string, error) {
	games := gamePart("")
	page, err := t.driver.Query(ctx, Query{PK: playerPart(player), From: games, To: games + "~", Limit: limit, After: after})
	if err != nil {
		return nil, "", err
	}
	ids := make([]string, len(page.Items))
	for i, item := range page.Items {
		ids[i] = strings.TrimPrefix(item.SK, gamePart(""))
	}
	return ids, page.Next, nil
}

// OpenGames lists games that have a free seat, the oldest first. It follows the games by a moment.
func (t *Table) OpenGames(ctx context.Context, after string, limit int) ([]OpenGame, string, error) {
	page, err := t.driver.Query(ctx, Query{PK: openPart, Limit: limit, After: after})
	if err != nil {
		return nil, "", err
	}
	games := make([]OpenGame, len(page.Items))
	for i, item := range page.Items {
		if err := decode(item, &games[i]); err != nil {
			return nil, "", err
		}
	}
	return games, page.Next, nil
}

package store

import (
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

// Derive brings the derived items of a game up to what its head says. It is idempotent, and harmless when it comes late
// as long as the changes of one game come in their order. What is played changes none of them until the game ends, and
// costs nothing.
func (t *Table) Derive(ctx context.Context, head Head) error {
	last := head.Tail[len(head.Tail)-1]
	switch {
	case head.Status == Finished:
		return t.dropSeats(ctx, head)
	case last.Player == nil:
		return nil
	case last.Deed == Leave:
		return errors.Join(t.deriveOpen(ctx, head), t.dropSeat(ctx, head.ID, last.Player.ID))
	}
	return errors.Join(t.deriveOpen(ctx, head), t.putSeat(ctx, head, last.Player.ID))
}

func (t *Table) deriveOpen(ctx context.Context, head Head) error {
	key := openKey(head.Created, head.ID)
	if head.Status != Open {
		return t.driver.Delete(ctx, key, Condition{})
	}
	body, err := codec.Encode(OpenGame{
		ID: head.ID, Game: head.Game, Options: head.Options, Seats: head.Seats, Players: head.Players, Created: head.Created,
	})
	if err != nil {
		return err
	}
	return t.putDerived(ctx, Item{Key: key, Rev: head.Version, Body: body})
}

// putDerived writes a derived item unless a newer one is there.
func (t *Table) putDerived(ctx context.Context, item Item) error {
	err := t.driver.Put(ctx, item, IfOlder(item.Rev))
	if _, late := errors.AsType[*ConditionFailed](err); late {
		return nil
	}
	return err
}

func (t *Table) putSeat(ctx context.Context, head Head, player string) error {
	return t.putDerived(ctx, Item{Key: Key{PK: playerPart(player), SK: gamePart(head.ID)}, Rev: head.Version})
}

func (t *Table) dropSeat(ctx context.Context, game, player string) error {
	return t.driver.Delete(ctx, Key{PK: playerPart(player), SK: gamePart(game)}, Condition{})
}

func (t *Table) dropSeats(ctx context.Context, head Head) error {
	for _, p := range head.Players {
		if err := t.dropSeat(ctx, head.ID, p.ID); err != nil {
			return err
		}
	}
	return nil
}

// PlayerGames lists the ids of games in which a player has a seat and which have not ended. It follows the games by a
// moment.
func (t *Table) PlayerGames(ctx context.Context, player, after string, limit int) ([]string, string, error) {
	page, err := t.driver.Query(ctx, Query{PK: playerPart(player), Limit: limit, After: after})
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

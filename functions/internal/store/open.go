package store

import (
	"context"
	"errors"
	"fmt"
)

func openKey(created int64, id string) Key {
	return Key{PK: openPart, SK: fmt.Sprintf("%013d#%s", created, id)}
}

// Derive brings the derived items of a game up to what its head says. It is idempotent, and harmless when it comes late
// as long as the changes of one game come in their order. What is played changes none of them, and costs nothing.
func (t *Table) Derive(ctx context.Context, head Head) error {
	if head.Tail[len(head.Tail)-1].Deed == Play {
		return nil
	}
	key := openKey(head.Created, head.ID)
	if head.Status != Open {
		return t.driver.Delete(ctx, key, Condition{})
	}
	body, err := encode(OpenGame{
		ID: head.ID, Game: head.Game, Options: head.Options, Seats: head.Seats, Players: head.Players, Created: head.Created,
	})
	if err != nil {
		return err
	}
	err = t.driver.Put(ctx, Item{Key: key, Rev: head.Version, Body: body}, IfOlder(head.Version))
	if _, late := errors.AsType[*ConditionFailed](err); late {
		return nil
	}
	return err
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

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/go-faster/jx"

	"boulevard/api"
)

// leaveOrders lets the first player answer bets at his casinos by a standing order.
func (t *table) leaveOrders(ctx context.Context) error {
	p := t.players[0]
	orders := &api.NewOrders{Orders: []api.StandingOrder{{Kind: "lay-off", Args: jx.Raw(`{"accept":"always","from":4}`)}}}
	done, err := p.api.SetOrders(ctx, orders, api.SetOrdersParams{
		Game: t.game.ID, IdempotencyKey: newKey(), IfMatch: t.tag(),
	})
	if err != nil {
		return err
	}
	t.game = done.Response.Game
	fmt.Printf("%5d  %-5s leaves a standing order: lay off bets of 4 and more\n", t.game.Version, p.name)
	return nil
}

// tag is the version that what is decided now is decided on.
func (t *table) tag() api.OptString {
	return api.NewOptString(strconv.Quote(strconv.FormatInt(t.game.Version, 10)))
}

// preview tells what an action is going to do, without doing it.
func (t *table) preview(ctx context.Context, p *player, action *api.NewAction) error {
	preview, err := p.api.Preview(ctx, action, api.PreviewParams{Game: t.game.ID})
	if err != nil {
		return err
	}
	fmt.Printf("       %-5s looks ahead: %d events are certain", p.name, len(preview.Response.Events))
	if stopped, told := preview.Response.Stopped.Get(); told {
		fmt.Printf(", the rest depends on what is %s", map[api.PreviewStopped]string{
			api.PreviewStoppedDice: "rolled", api.PreviewStoppedHidden: "hidden",
		}[stopped])
	}
	fmt.Println()
	return nil
}

// takeBack undoes what a player has just done.
func (t *table) takeBack(ctx context.Context, p *player) error {
	done, err := p.api.Undo(ctx, api.UndoParams{Game: t.game.ID, IdempotencyKey: newKey(), IfMatch: t.tag()})
	if err != nil {
		return err
	}
	t.game = done.Response.Game
	fmt.Printf("%5d  %-5s takes it back\n", t.game.Version, p.name)
	return nil
}

// transfer is a step of a deal.
type transfer struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Money int    `json:"money,omitempty"`
	Lot   string `json:"lot,omitempty"`
}

// deal lets a random player offer another's lot or money for his own, and the other accept it or not.
func (t *table) deal(ctx context.Context) error {
	seat := t.random.IntN(len(t.players))
	p := t.players[seat]
	seen, err := p.api.GetGame(ctx, api.GetGameParams{Game: t.game.ID})
	if err != nil {
		return err
	}
	game := seen.(*api.GameHeaders).Response
	steps, other, err := t.swap(game, seat)
	if err != nil || steps == nil {
		return err
	}
	args, err := json.Marshal(map[string]any{"steps": steps})
	if err != nil {
		return err
	}
	offer := &api.NewAction{Kind: "propose", Args: args}
	done, err := p.api.Act(ctx, offer, api.ActParams{Game: t.game.ID, IdempotencyKey: newKey(), IfMatch: t.tag()})
	if err != nil {
		return err
	}
	t.game = done.Response.Game
	t.print(p, offer, done.Response.Events)
	return t.answerDeal(ctx, other)
}

// swap makes a deal of one lot of the seat's for money of another's.
func (t *table) swap(game api.Game, seat int) ([]transfer, int, error) {
	if len(game.Offers) == 0 || game.Offers[0].Kind != "propose" {
		return nil, 0, nil
	}
	parties := game.Offers[0].Fill[0].Parties
	other := (seat + 1 + t.random.IntN(len(parties)-1)) % len(parties)
	var goods map[string][]string
	if err := json.Unmarshal(parties[seat].Goods, &goods); err != nil {
		return nil, 0, err
	}
	if len(goods["lots"]) == 0 || parties[other].Money == 0 {
		return nil, 0, nil
	}
	lot := goods["lots"][t.random.IntN(len(goods["lots"]))]
	return []transfer{
		{From: seat, To: other, Lot: lot}, {From: other, To: seat, Money: 1 + t.random.IntN(parties[other].Money)},
	}, other, nil
}

// answerDeal lets a player answer what was just offered to him.
func (t *table) answerDeal(ctx context.Context, seat int) error {
	for _, prompt := range t.game.Prompts {
		if prompt.Seat != seat || prompt.Kind != "deal" {
			continue
		}
		answer := &api.NewAction{Kind: []string{"accept", "accept", "withdraw"}[t.random.IntN(3)], Prompt: api.NewOptInt64(prompt.ID)}
		done, err := t.players[seat].api.Act(ctx, answer, api.ActParams{Game: t.game.ID, IdempotencyKey: newKey()})
		if err != nil {
			return err
		}
		t.game = done.Response.Game
		t.print(t.players[seat], answer, done.Response.Events)
		return nil
	}
	return nil
}

package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"reflect"

	"boulevard/api"
)

// kept is a command that was sent, and what was answered.
type kept struct {
	player *player
	action *api.NewAction
	params api.ActParams
	answer *api.DoneHeaders
}

// decide picks something that a player who is asked may do, and says on what it is decided.
func (t *table) decide(ctx context.Context) (kept, error) {
	p := t.players[t.game.Asked[mathrand.IntN(len(t.game.Asked))]]
	offer, err := p.api.GetChoices(ctx, api.GetChoicesParams{Game: t.game.ID})
	if err != nil {
		return kept{}, err
	}
	choices := offer.Response.Choices
	if len(choices) == 0 {
		return kept{}, fmt.Errorf("%s is asked at version %d, but offered nothing", p.name, t.game.Version)
	}
	choice := choices[mathrand.IntN(len(choices))]
	action, err := filled(choice)
	params := api.ActParams{Game: t.game.ID, IdempotencyKey: rand.Text()}
	if !choice.Prompt.Set {
		params.IfMatch = quoted(offer.Response.Version)
	}
	return kept{player: p, action: action, params: params}, err
}

// filled makes an action of a choice, its parameters filled at random.
func filled(choice api.Choice) (*api.NewAction, error) {
	args := object{}
	if err := json.Unmarshal(choice.Args, &args); err != nil {
		return nil, err
	}
	for _, parameter := range choice.Fill {
		switch parameter.Kind {
		case api.ParameterKindRange:
			args[parameter.Name] = parameter.Min.Value + mathrand.IntN(parameter.Max.Value-parameter.Min.Value+1)
		case api.ParameterKindArrangement:
			args[parameter.Name] = parameter.Values
		case api.ParameterKindDeal:
			return nil, errors.New(choice.Kind + ": a deal is nothing that is asked for")
		}
	}
	encoded, err := json.Marshal(args)
	return &api.NewAction{Kind: choice.Kind, Args: encoded, Prompt: choice.Prompt}, err
}

// act sends a command, and keeps what is answered.
func (t *table) act(ctx context.Context, command kept) (kept, error) {
	before := t.game.Version
	done, err := command.player.api.Act(ctx, command.action, command.params)
	if err != nil {
		return command, fmt.Errorf("%s, %s at version %d: %w", command.player.name, command.action.Kind, before, err)
	}
	if done.Response.Game.Version <= before {
		return command, fmt.Errorf("version %d was followed by %d", before, done.Response.Game.Version)
	}
	command.answer, t.game = done, done.Response.Game
	t.played++
	return command, nil
}

// next decides and acts.
func (t *table) next(ctx context.Context) (kept, error) {
	if t.game.Status != api.GameStatusPlaying {
		return kept{}, fmt.Errorf("the game is %s at version %d", t.game.Status, t.game.Version)
	}
	command, err := t.decide(ctx)
	if err != nil {
		return kept{}, err
	}
	return t.act(ctx, command)
}

// repeat sends a command twice, as a client does whose answer was lost.
func (t *trial) repeat(ctx context.Context) (string, error) {
	command, err := t.table.next(ctx)
	if err != nil {
		return "", err
	}
	return "", command.again(ctx)
}

func (k kept) again(ctx context.Context) error {
	again, err := k.player.api.Act(ctx, k.action, k.params)
	if err == nil && !reflect.DeepEqual(k.answer, again) {
		err = errors.New("the same command again was answered differently")
	}
	return err
}

// conflict decides on a version that is not the game's any more. What was decided would be accepted now.
func (t *trial) conflict(ctx context.Context) (string, error) {
	command, err := t.table.decide(ctx)
	for err == nil && command.action.Prompt.Set { // such an answer survives other changes
		if _, err = t.table.act(ctx, command); err == nil {
			command, err = t.table.decide(ctx)
		}
	}
	if err != nil {
		return "", err
	}
	command.params.IfMatch = quoted(t.table.game.Version - 1)
	_, err = command.player.api.Act(ctx, command.action, command.params)
	problem, ok := errors.AsType[*api.ProblemStatusCode](err)
	if !ok || problem.StatusCode != http.StatusConflict {
		return "", errors.Join(errors.New("it is no conflict"), err)
	}
	if !problem.Response.StillLegal.Value || problem.Response.Game.Value.Version != t.table.game.Version {
		return "", fmt.Errorf("still_legal %v at version %d", problem.Response.StillLegal, problem.Response.Game.Value.Version)
	}
	return fmt.Sprintf(": %s, still_legal", problem.Response.Code), nil
}

// most bounds how many actions are waited for a chance to undo and to trade.
const most = 160

// play plays until enough has happened.
func (t *trial) play(ctx context.Context) (string, error) {
	undone, dealt := int64(0), int64(0)
	for t.table.played < t.actions || undone == 0 || dealt == 0 {
		if t.table.played > most {
			return "", fmt.Errorf("after %d actions: undone at version %d, dealt at version %d", most, undone, dealt)
		}
		command, err := t.table.next(ctx)
		if err != nil {
			return "", err
		}
		if undone == 0 && t.table.game.Undo.Allowed {
			if undone, err = t.table.takeBack(ctx, command.player); err != nil {
				return "", err
			}
		}
		if dealt == 0 && len(t.table.game.Prompts) == 0 {
			if dealt, err = t.table.deal(ctx); err != nil {
				return "", err
			}
		}
	}
	return fmt.Sprintf(": %d actions, undone at version %d, dealt at version %d", t.table.played, undone, dealt), nil
}

// takeBack undoes what a player has just done, and tells the version that it made.
func (t *table) takeBack(ctx context.Context, p *player) (int64, error) {
	done, err := p.api.Undo(ctx, api.UndoParams{Game: t.game.ID, IdempotencyKey: rand.Text(), IfMatch: quoted(t.game.Version)})
	if err != nil {
		return 0, fmt.Errorf("undo at version %d: %w", t.game.Version, err)
	}
	t.game = done.Response.Game
	return t.game.Version, nil
}

// transfer is a step of a deal.
type transfer struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Money int    `json:"money,omitempty"`
	Lot   string `json:"lot,omitempty"`
}

// deal lets a player sell a lot to the next one, who accepts, and tells the version that it made: 0 if nobody can.
func (t *table) deal(ctx context.Context) (int64, error) {
	for seat, p := range t.players {
		seen, err := p.api.GetGame(ctx, api.GetGameParams{Game: t.game.ID})
		if err != nil {
			return 0, err
		}
		other := (seat + 1) % len(t.players)
		steps, err := sale(seen.(*api.GameHeaders).Response, seat, other)
		if err != nil {
			return 0, err
		}
		if steps != nil {
			return t.trade(ctx, p, other, steps)
		}
	}
	return 0, nil
}

func (t *table) trade(ctx context.Context, p *player, other int, steps []transfer) (int64, error) {
	args, err := json.Marshal(map[string]any{"steps": steps})
	if err != nil {
		return 0, err
	}
	_, err = t.act(ctx, kept{player: p, action: &api.NewAction{Kind: "propose", Args: args}, params: api.ActParams{
		Game: t.game.ID, IdempotencyKey: rand.Text(), IfMatch: quoted(t.game.Version),
	}})
	if err != nil {
		return 0, err
	}
	return t.accept(ctx, other)
}

// sale is a lot for a little money, where there is both.
func sale(game api.Game, seat, other int) ([]transfer, error) {
	if len(game.Offers) == 0 || game.Offers[0].Kind != "propose" {
		return nil, nil
	}
	parties := game.Offers[0].Fill[0].Parties
	var goods struct {
		Lots []string `json:"lots"`
	}
	if err := json.Unmarshal(parties[seat].Goods, &goods); err != nil {
		return nil, err
	}
	if len(goods.Lots) == 0 || parties[other].Money == 0 {
		return nil, nil
	}
	return []transfer{{From: seat, To: other, Lot: goods.Lots[0]}, {From: other, To: seat, Money: 1}}, nil
}

func (t *table) accept(ctx context.Context, seat int) (int64, error) {
	for _, prompt := range t.game.Prompts {
		if prompt.Seat == seat && prompt.Kind == "deal" {
			_, err := t.act(ctx, kept{
				player: t.players[seat], action: &api.NewAction{Kind: "accept", Prompt: api.NewOptInt64(prompt.ID)},
				params: api.ActParams{Game: t.game.ID, IdempotencyKey: rand.Text()},
			})
			return t.game.Version, err
		}
	}
	return 0, errors.New("nobody is asked about the deal")
}

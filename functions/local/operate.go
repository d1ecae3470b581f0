package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"boulevard/engine"
	"boulevard/functions/internal/host"
)

// at opens the place for one command, and closes it after.
func (p *place) at(ctx context.Context, do func(*site) error) (err error) {
	site, err := p.open(ctx, slog.New(slog.NewTextHandler(os.Stderr, nil)), nobody)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.close()) }()
	return do(site)
}

type inspect struct {
	Game   string `arg:"" help:"The game's id."`
	Reveal bool   `help:"Show what only some may know too: every seat's view and orders, and the state."`
}

// inspected is what an operator is shown of a game.
type inspected struct {
	ID      string            `json:"id"`
	Game    string            `json:"game"`
	Rules   int               `json:"rules"`
	Pins    []inspectedPin    `json:"pins,omitempty"`
	Options map[string]string `json:"options"`
	Status  string            `json:"status"`
	Version uint64            `json:"version"`
	Created int64             `json:"created"`
	Updated int64             `json:"updated"`
	// Bytes is what the head takes in the table.
	Bytes   int               `json:"head_bytes"`
	Seats   int               `json:"seats"`
	Players []inspectedSeat   `json:"players"`
	Invited []string          `json:"invited,omitempty"`
	Asked   []int8            `json:"asked"`
	Prompts []inspectedPrompt `json:"prompts"`
	View    any               `json:"spectators_view"`
	State   string            `json:"state,omitempty"`
}

// inspectedPin is the rules of before, and up to which version.
type inspectedPin struct {
	Until uint64 `json:"until"`
	Rules int    `json:"rules"`
}

type inspectedPrompt struct {
	ID       engine.PromptID `json:"id"`
	Seat     engine.Seat     `json:"seat"`
	Kind     string          `json:"kind"`
	Optional bool            `json:"optional"`
}

type inspectedSeat struct {
	ID     string         `json:"id"`
	Name   string         `json:"name"`
	Waits  int            `json:"waits"`
	Undo   string         `json:"undo"`
	View   any            `json:"view,omitempty"`
	Orders []engine.Order `json:"orders,omitempty"`
}

// Run prints a game.
func (i *inspect) Run(ctx context.Context, place *place) error {
	return place.at(ctx, func(site *site) error {
		game, err := site.host.Game(ctx, i.Game)
		if err != nil {
			return err
		}
		shown := inspected{
			ID: game.ID, Game: game.Game, Rules: game.Rules, Options: game.Options, Status: game.Status.String(),
			Version: game.Version, Created: game.Created, Updated: game.Updated(), Bytes: game.Size(), Seats: game.Seats,
			Invited: game.Invited, Asked: game.Asked, Prompts: []inspectedPrompt{}, View: game.View(engine.NoSeat),
		}
		for _, pin := range game.Pins {
			shown.Pins = append(shown.Pins, inspectedPin{Until: pin.Until, Rules: pin.Rules})
		}
		for _, p := range game.Prompts() {
			shown.Prompts = append(shown.Prompts, inspectedPrompt{ID: p.ID, Seat: p.Seat, Kind: p.Kind, Optional: p.Optional})
		}
		if i.Reveal {
			shown.State = hex.EncodeToString(game.State)
		}
		if shown.Players, err = i.seats(game); err != nil {
			return err
		}
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(shown)
	})
}

func (i *inspect) seats(game *host.Game) ([]inspectedSeat, error) {
	seats := make([]inspectedSeat, len(game.Players))
	for n, p := range game.Players {
		seat := engine.Seat(n)
		seats[n] = inspectedSeat{ID: p.ID, Name: p.Name, Waits: len(game.Waits(p.ID)), Undo: game.UndoReason(seat)}
		if !i.Reveal {
			continue
		}
		orders, err := game.OrdersOf(seat)
		if err != nil {
			return nil, err
		}
		seats[n].View, seats[n].Orders = game.View(seat), orders
	}
	return seats, nil
}

type rewind struct {
	Game    string `arg:"" help:"The game's id."`
	Version uint64 `arg:"" help:"The version to go back to."`
	Reason  string `required:"" help:"Why; it is kept in the game's journal."`
}

// Run rewinds a game.
func (r *rewind) Run(ctx context.Context, place *place) error {
	return place.at(ctx, func(site *site) error {
		answer, err := site.host.Rewind(ctx, r.Game, r.Version, r.Reason)
		if err == nil {
			fmt.Printf("version %d is as version %d was\n", answer.Game.Version, r.Version)
		}
		return err
	})
}

type repin struct {
	Game   string `arg:"" help:"The game's id."`
	Rules  int    `arg:"" help:"The version of the rules to go on by."`
	Reason string `required:"" help:"Why; it is kept in the game's journal."`
}

// Run pins a game to other rules.
func (r *repin) Run(ctx context.Context, place *place) error {
	return place.at(ctx, func(site *site) error {
		answer, err := site.host.Repin(ctx, r.Game, r.Rules, r.Reason)
		if err == nil {
			fmt.Printf("from version %d on it is played by version %d of the rules\n", answer.Game.Version, r.Rules)
		}
		return err
	})
}

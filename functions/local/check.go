package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
)

type check struct {
	Game string `arg:"" help:"The game's id."`
}

// Run replays the game.
func (c *check) Run(ctx context.Context, place *place) (err error) {
	site, err := place.open(ctx, slog.New(slog.NewTextHandler(os.Stderr, nil)), nobody)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.close()) }()
	replay, err := site.host.Check(ctx, c.Game)
	if err != nil {
		return err
	}
	fmt.Printf("%d entries replayed; %d states compared, all the same to the byte\n", replay.Entries, replay.States)
	return nil
}

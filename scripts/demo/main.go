// Command demo plays one whole game over HTTP, as four clients who pick their choices at random, prints what happens, and
// lets the server's own check replay the journal afterwards.
package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"

	"github.com/alecthomas/kong"
)

// cli is the command line: its tags are the usage text.
type cli struct {
	Game   string `help:"Which game of the catalogue." default:"lords-of-vegas"`
	Seats  int    `help:"How many players." default:"4"`
	Seed   uint64 `help:"What the players pick their choices by; 0 takes a new one."`
	Driver string `help:"Which table: sqlite or dynamodb." default:"sqlite" enum:"sqlite,dynamodb"`
	Server string `help:"The server's program." default:"bin/boulevard" type:"existingfile"`
	Node   string `help:"The DynamoDB-compatible server's script." default:"scripts/dynalite/serve.js"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var c cli
	command := kong.Parse(&c, kong.Name("demo"), kong.BindTo(ctx, (*context.Context)(nil)))
	command.FatalIfErrorf(command.Run())
}

// Run plays the game.
func (c *cli) Run(ctx context.Context) error {
	if c.Seed == 0 {
		c.Seed = rand.Uint64()
	}
	fmt.Printf("seed %d, %s on %s\n\n", c.Seed, c.Game, c.Driver)
	folder, err := os.MkdirTemp("", "boulevard-demo-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	place, stopTable, err := openPlace(ctx, c, folder)
	if err != nil {
		return err
	}
	defer stopTable()
	mail, err := openMail(ctx)
	if err != nil {
		return err
	}
	defer mail.close()
	server, err := place.serve(ctx, mail)
	if err != nil {
		return err
	}
	defer server.stop()
	game, err := c.playOn(ctx, server.said, folder, mail)
	if err != nil {
		return err
	}
	server.stop()
	return place.check(ctx, game)
}

// playOn plays a game on a server, and says which one.
func (c *cli) playOn(ctx context.Context, url, folder string, mail *mail) (game string, err error) {
	table, err := gather(ctx, url, c)
	if err != nil {
		return "", err
	}
	if err := mail.reach(ctx, table, url); err != nil {
		return "", err
	}
	for _, step := range []func(context.Context) error{table.sitDown, table.leaveOrders, table.play} {
		if err := step(ctx); err != nil {
			return "", err
		}
	}
	table.printRanking()
	if err := mail.print(ctx, table); err != nil {
		return "", err
	}
	return table.game.ID, table.checkExport(ctx, folder)
}

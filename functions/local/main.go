// Command local is the whole of Boulevard in one process: for one machine, for development, and for looking after what
// one machine keeps.
package main

import (
	"context"
	"os/signal"
	"syscall"
	_ "time/tzdata" // players have quiet hours

	"github.com/alecthomas/kong"
)

// cli is the command line: its tags are the usage text.
type cli struct {
	Place place `embed:""`

	Serve   serve   `cmd:"" default:"withargs" help:"Serve the API (the default)."`
	Check   check   `cmd:"" help:"Replay a game's journal and compare every state with the stored one."`
	Rebuild rebuild `cmd:"" help:"Compare what is derived from the games, such as the list of open ones, with them."`
	Inspect inspect `cmd:"" help:"Show a game as it stands: what everybody may know, unless told."`
	Rewind  rewind  `cmd:"" help:"Bring a game back to an earlier version, in a version of its own."`
	Repin   repin   `cmd:"" help:"Go on with a game by another version of its rules."`
	Requeue requeue `cmd:"" help:"Try changes again that nobody could take in."`
	Backup  backup  `cmd:"" help:"Write all that is kept into a file, while the server runs or not."`
	Restore restore `cmd:"" help:"Write what is in such a file into this table."`

	PushKeys pushKeys `cmd:"" help:"Print a new pair of keys for web push in the cloud."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	var c cli
	command := kong.Parse(&c, kong.Name("boulevard"), kong.Description("Turn-based board games, played asynchronously."),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(&c.Place))
	command.FatalIfErrorf(command.Run())
}

// Command coldstart measures how functions/http starts, beside a bare handler that holds a client of DynamoDB alone, and
// shows what its file is made of. It fails where it starts too slowly or is too large.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/alecthomas/kong"

	"boulevard/scripts/coldstart/emulator"
)

// cli is the command line: its tags are the usage text.
type cli struct {
	Rounds int     `help:"How often each of the two is started, in turn." default:"50"`
	Warm   int     `help:"How many further requests each is sent." default:"20"`
	Ratio  float64 `help:"How much longer than the bare one's the init may take." default:"1.3"`
	Bytes  int64   `help:"How large the file may be." default:"12000000"`
	Node   string  `help:"The DynamoDB-compatible server's script." default:"scripts/dynalite/serve.js" type:"existingfile"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var c cli
	command := kong.Parse(&c, kong.Name("coldstart"), kong.BindTo(ctx, (*context.Context)(nil)))
	command.FatalIfErrorf(command.Run())
}

// measured is one of the two.
type measured struct {
	folder    string
	bootstrap string
	bytes     int64
	starts    []start
}

// Run measures, and judges.
func (c *cli) Run(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "boulevard-coldstart-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	both := []*measured{{folder: "functions/http"}, {folder: "scripts/coldstart/bare"}}
	for _, m := range both {
		if err := m.build(ctx, folder); err != nil {
			return err
		}
	}
	if err := c.measure(ctx, both); err != nil {
		return err
	}
	fmt.Printf("%d starts of each in turn, %d warm requests to each; times in ms\n\n", c.Rounds, c.Warm)
	printTimes(both)
	named := filepath.Join(folder, "named")
	if err := emulator.BuildNamed(ctx, both[0].folder, named); err != nil {
		return err
	}
	parts, err := contents(named, both[0].bytes)
	if err != nil {
		return err
	}
	fmt.Printf("\nWhat %s is made of, in bytes:\n", both[0].folder)
	printParts(parts)
	return c.judge(both[0], both[1])
}

func (m *measured) build(ctx context.Context, folder string) error {
	m.bootstrap = filepath.Join(folder, filepath.Base(m.folder))
	if err := emulator.Build(ctx, m.folder, m.bootstrap); err != nil {
		return err
	}
	info, err := os.Stat(m.bootstrap)
	if err != nil {
		return err
	}
	m.bytes = info.Size()
	return nil
}

// judge fails where the function is worse than it may be. Both inits are of one run, and of each it is the lower quartile that
// counts: what makes a start quick is the program, and what makes one slow is mostly whatever else the machine does.
func (c *cli) judge(function, bare *measured) error {
	var failures []error
	ratio := quartile(function.times(initTime)) / quartile(bare.times(initTime))
	fmt.Printf("\nThe init takes %.2f times as long as the bare one's, and may take %.2f times as long (medians: %.2f times).\n",
		ratio, c.Ratio, median(function.times(initTime))/median(bare.times(initTime)))
	if ratio > c.Ratio {
		failures = append(failures, errors.New("the init takes too long"))
	}
	fmt.Printf("The file has %s bytes, and may have %s.\n", grouped(function.bytes), grouped(c.Bytes))
	if function.bytes > c.Bytes {
		failures = append(failures, errors.New("the file is too large"))
	}
	return errors.Join(failures...)
}

// Command e2e deploys the stack to an emulator of AWS on this machine, plays a game through what was deployed, breaks into
// it, deploys it anew in the middle of the game, and removes it. Everything that is checked is printed.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

// cli is the command line: its tags are the usage text.
type cli struct {
	Emulator  string `help:"MiniStack's program." default:".tools/ministack/bin/ministack" type:"existingfile"`
	Boulevard string `help:"The operator's program." default:"bin/boulevard" type:"existingfile"`
	Folder    string `help:"Where logs are left." default:"build/e2e"`
	Actions   int    `help:"How many actions are played at least." default:"40"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var c cli
	command := kong.Parse(&c, kong.Name("e2e"), kong.BindTo(ctx, (*context.Context)(nil)))
	command.FatalIfErrorf(command.Run())
}

// step is something that has to hold. What it returns is told beside it.
type step struct {
	title string
	do    func(ctx context.Context) (string, error)
}

// Run tries everything. The emulator ends with it, and everything that was deployed with the emulator.
func (c *cli) Run(ctx context.Context) (err error) {
	began := time.Now()
	if err := os.MkdirAll(c.Folder, 0o750); err != nil {
		return err
	}
	if c.Folder, err = filepath.Abs(c.Folder); err != nil {
		return err
	}
	emulator, err := startEmulator(ctx, c.Emulator, c.Folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, emulator.stop()) }()
	t := newTrial(c, emulator)
	defer t.close()
	for _, s := range t.steps() {
		since := time.Now()
		told, err := s.do(ctx)
		if err != nil {
			fmt.Printf("  ✗ %s\n", s.title)
			return fmt.Errorf("%s: %w (logs are in %s)", s.title, err, c.Folder)
		}
		fmt.Printf("  ✓ %5.1fs  %s%s\n", time.Since(since).Seconds(), s.title, told)
	}
	fmt.Printf("all of it took %.0f s\n", time.Since(began).Seconds())
	return nil
}

// trial is a deployed stage and the game that is played in it.
type trial struct {
	actions   int
	boulevard string
	folder    string
	emulator  *emulator
	cloud     *cloud
	stage     *stage
	table     *table
	ear       *ear
	// kept is a command that was sent before the stage was deployed anew, and its answer.
	kept kept
}

func newTrial(c *cli, emulator *emulator) *trial {
	cloud := newCloud(emulator.url)
	return &trial{
		actions: c.Actions, boulevard: c.Boulevard, folder: c.Folder, emulator: emulator, cloud: cloud,
		stage: &stage{cloud: cloud, folder: c.Folder}, table: &table{},
	}
}

func (t *trial) close() {
	if t.ear != nil {
		t.ear.close()
	}
}

func (t *trial) steps() []step {
	return []step{
		{"a mail identity and an application for pushes are there", t.prepare},
		{"the account is bootstrapped", t.stage.bootstrap},
		{"the stage is deployed", t.stage.deploy},
		{"guests come, and their tokens are refreshed", t.gather},
		{"what the contract does not know is refused", t.refuse},
		{"a mailbox is confirmed by the code that it is sent", t.confirmMailbox},
		{"a phone is registered and tried", t.addPhone},
		{"a live connection needs a token, and answers", t.listen},
		{"a game is created, found, joined and full", t.sitDown},
		{"a move is announced on the live connection", t.announced},
		{"a lost answer is asked for again, and is the same", t.repeat},
		{"a decision on an old version is a conflict", t.conflict},
		{"the game is played, with an undo and a deal", t.play},
		{"everybody is waited for who has to act", t.waiting},
		{"a changed build is deployed in the middle of the game", t.deployAnew},
		{"the game goes on where it was", t.goOn},
		{"notices are sent by mail, to phones and on connections", t.notices},
		{"what is derived from games is as they are", t.rebuild},
		{"the journal replays to the byte", t.check},
		{"a poisoned change lands in the dead-letter queue, and the rest goes on", t.poison},
		{"dead letters are read, and those that can be are taken in", t.requeue},
		{"the clock runs every minute", t.clock},
		{"the stage is destroyed, and nothing of it is left", t.stage.destroy},
	}
}

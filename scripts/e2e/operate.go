package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"boulevard/api"
)

// deployAnew deploys programs of other bytes while the game waits.
func (t *trial) deployAnew(ctx context.Context) (string, error) {
	command, err := t.table.next(ctx)
	if err != nil {
		return "", err
	}
	t.kept = command
	before, err := t.stage.code(ctx, "http")
	if err != nil {
		return "", err
	}
	if err := t.stage.make(ctx, "deploy", "BUILD=changed"); err != nil {
		return "", err
	}
	after, err := t.stage.code(ctx, "http")
	if err == nil && before == after {
		err = errors.New("the deployed program is the one of before")
	}
	return fmt.Sprintf(": %.8s was followed by %.8s", before, after), err
}

// goOn compares the game with what it was before the deployment, asks for an answer of before once more, and moves.
func (t *trial) goOn(ctx context.Context) (string, error) {
	seen, err := t.kept.player.api.GetGame(ctx, api.GetGameParams{Game: t.table.game.ID})
	if err != nil {
		return "", err
	}
	if game := seen.(*api.GameHeaders).Response; game.Version != t.table.game.Version {
		return "", fmt.Errorf("version %d has become %d", t.table.game.Version, game.Version)
	}
	if err := t.kept.again(ctx); err != nil {
		return "", err
	}
	return t.moves(ctx)
}

// operate runs the operator's program on the deployed table, with its keyring.
func (t *trial) operate(ctx context.Context, args ...string) (string, error) {
	keyring, err := t.stage.named("Keyring")
	if err != nil {
		return "", err
	}
	data := filepath.Join(t.emulator.scratch, "operator")
	command := exec.CommandContext(ctx, t.boulevard, append([]string{
		"--data", data, "--driver", dynamodb.name, "--endpoint", t.emulator.url, "--table", t.stage.outputs.Table,
	}, args...)...)
	command.Env = append(environment(t.emulator.url), "BOULEVARD_SECRET_ID="+keyring)
	output, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("boulevard %s: %w: %.1000s", strings.Join(args, " "), err, output)
	}
	return strings.TrimSpace(string(output)), err
}

func (t *trial) rebuild(ctx context.Context) (string, error) {
	said, err := t.operate(ctx, "rebuild")
	return ": " + said, err
}

// check has the journal replayed, and the game shown.
func (t *trial) check(ctx context.Context) (string, error) {
	said, err := t.operate(ctx, "check", t.table.game.ID)
	if err != nil {
		return "", err
	}
	shown, err := t.operate(ctx, "inspect", t.table.game.ID)
	if err != nil {
		return "", err
	}
	var game struct {
		Version int64 `json:"version"`
		Bytes   int   `json:"head_bytes"`
	}
	if err := json.Unmarshal([]byte(shown), &game); err != nil {
		return "", err
	}
	if game.Version != t.table.game.Version {
		return "", fmt.Errorf("inspect shows version %d, and the players see %d", game.Version, t.table.game.Version)
	}
	return fmt.Sprintf(": %s; %d bytes of head", said, game.Bytes), nil
}

// minute is how long a tick of the clock may be waited for: the emulator looks every ten seconds.
const minute = 90 * time.Second

// clock waits for the schedule to call the function, and calls it once more itself.
func (t *trial) clock(ctx context.Context) (string, error) {
	ticks := 0
	err := await(ctx, minute, "the clock does not run", func(ctx context.Context) (bool, error) {
		swept, err := t.stage.logged(ctx, "clock", "swept")
		ticks = len(swept)
		return ticks > 0, err
	})
	if err != nil {
		return "", err
	}
	var answer any
	if err := t.stage.function(ctx, "clock", http.MethodPost, "/invocations", []byte("{}"), &answer); err != nil {
		return "", err
	}
	if answer != nil {
		return "", fmt.Errorf("called by hand, it answers %v", answer)
	}
	return fmt.Sprintf(": %d times", ticks), nil
}

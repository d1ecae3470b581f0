package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"boulevard/api"
	"boulevard/engine/record"
)

// checkExport writes the finished game to a file, has its dice verified and its moves replayed by programs that know
// nothing but that file, and makes sure that they notice a die that was changed.
func (t *table) checkExport(ctx context.Context, folder string) error {
	exported, err := t.players[0].api.ExportGame(ctx, api.ExportGameParams{Game: t.game.ID})
	if err != nil {
		return err
	}
	file := filepath.Join(folder, "game.json")
	if err := os.WriteFile(file, exported, 0o600); err != nil {
		return err
	}
	for _, program := range []string{"./scripts/verify", "./scripts/replay"} {
		output, err := run(ctx, program, file)
		fmt.Printf("\n%s\n%s", program, output)
		if err != nil {
			return err
		}
	}
	return t.checkForgery(ctx, exported, folder)
}

// checkForgery changes one roll in the middle of the game.
func (t *table) checkForgery(ctx context.Context, exported []byte, folder string) error {
	doc, err := record.Parse(exported)
	if err != nil {
		return err
	}
	rolled := 0
	for i := len(doc.Entries) / 2; rolled == 0 && i < len(doc.Entries); i++ {
		if rolled = len(doc.Entries[i].Rolls); rolled > 0 {
			roll := &doc.Entries[i].Rolls[0]
			roll[1] = (roll[1] + 1) % roll[0]
		}
	}
	forged, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	file := filepath.Join(folder, "forged.json")
	if err := os.WriteFile(file, forged, 0o600); err != nil {
		return err
	}
	output, err := run(ctx, "./scripts/verify", file)
	if err == nil {
		return errors.New("a changed die was not noticed")
	}
	fmt.Printf("\n./scripts/verify, with one die changed\n%s", output)
	return nil
}

func run(ctx context.Context, program, file string) ([]byte, error) {
	output, err := exec.CommandContext(ctx, "go", "run", program, file).CombinedOutput()
	return bytes.TrimLeft(output, "\n"), err
}

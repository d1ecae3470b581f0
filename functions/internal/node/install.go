package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// install puts a script's locked packages in place, once, however many test programs start at the same time: the first
// to take the lock installs, the others wait and find it done.
func install(ctx context.Context, folder string) (err error) {
	lock, err := os.Open(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return fmt.Errorf("node: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }() // closing gives the lock back
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("node: lock %s: %w", lock.Name(), err)
	}
	// npm writes this file last, so an installation that broke off is not taken for a whole one.
	if _, err := os.Stat(filepath.Join(folder, "node_modules", ".package-lock.json")); err == nil {
		return nil
	}
	npm := exec.CommandContext(ctx, "npm", "ci")
	npm.Dir = folder
	if out, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("node: npm ci in %s: %w\n%s", folder, err, out)
	}
	return nil
}

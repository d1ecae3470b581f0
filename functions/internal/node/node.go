// Package node runs the programs of scripts/ that are written for Node.js: each for as long as the program that started it,
// with its locked packages, which are installed where they are missing.
package node

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// stopTimeout is how long a program may take to end by itself.
const stopTimeout = 5 * time.Second

// Process is a running program.
type Process struct {
	lines *bufio.Reader
	stop  func()
}

// Start runs a file of a folder in scripts/. The program also stops when the context ends, and when this process does,
// however it dies: its standard input is a pipe that the system closes then, which must end it.
func Start(ctx context.Context, folder, file string, args ...string) (*Process, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, errors.New("node: it is not installed: install Node.js 20 or newer")
	}
	path, err := find(folder, file)
	if err != nil {
		return nil, err
	}
	if err := install(ctx, filepath.Dir(path)); err != nil {
		return nil, err
	}
	return start(exec.CommandContext(ctx, node, append([]string{path}, args...)...))
}

func start(cmd *exec.Cmd) (*Process, error) {
	cmd.Stderr = os.Stderr
	cmd.WaitDelay = stopTimeout
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	return &Process{lines: bufio.NewReader(stdout), stop: stopper(cmd, stdin)}, nil
}

// Line is the next line that the program prints.
func (p *Process) Line() (string, error) {
	line, err := p.lines.ReadString('\n')
	if err != nil {
		p.stop()
		return "", fmt.Errorf("node: the program has ended: %w", err)
	}
	return strings.TrimSpace(line), nil
}

// Stop ends the program, and returns when it has ended.
func (p *Process) Stop() { p.stop() }

// stopper also keeps the pipe open while nobody stops the program: an unreachable one would be closed in passing.
func stopper(cmd *exec.Cmd, stdin io.Closer) func() {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // how a stopped program ended matters to nobody
		_ = stdin.Close()
	}()
	return sync.OnceFunc(func() {
		_ = stdin.Close()
		kill := time.AfterFunc(stopTimeout, func() { _ = cmd.Process.Kill() })
		defer kill.Stop()
		<-ended
	})
}

// find looks for a file of scripts/ from anywhere inside the module.
func find(folder, file string) (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("node: %w", err)
	}
	for {
		found := filepath.Join(at, "scripts", folder, file)
		if _, err := os.Stat(found); err == nil {
			return found, nil
		}
		parent := filepath.Dir(at)
		if parent == at {
			return "", fmt.Errorf("node: scripts/%s is in no folder above: run inside the source tree", folder)
		}
		at = parent
	}
}

// Package dynalite runs the DynamoDB-compatible server of scripts/dynalite: in memory, on a free local port, for as long
// as the program that started it.
package dynalite

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

// stopTimeout is how long the server may take to end by itself.
const stopTimeout = 5 * time.Second

// Serve starts a server and returns its URL and what stops it. The server also stops when the context ends, and when the
// program does, however it dies. It needs node, and installs the server's packages where they are missing.
func Serve(ctx context.Context) (endpoint string, stop func(), err error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return "", nil, errors.New("dynalite: node is not installed: install Node.js 20 or newer, " +
			"or name a DynamoDB-compatible server in BOULEVARD_DYNAMODB_ENDPOINT")
	}
	folder, err := scripts()
	if err != nil {
		return "", nil, err
	}
	if err := install(ctx, folder); err != nil {
		return "", nil, err
	}
	return start(ctx, node, filepath.Join(folder, "serve.js"))
}

// start runs the server. Its standard input is a pipe that the system closes when this process ends, which ends it too.
func start(ctx context.Context, node, script string) (string, func(), error) {
	cmd := exec.CommandContext(ctx, node, script, "0")
	cmd.Stderr = os.Stderr
	cmd.WaitDelay = stopTimeout
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, fmt.Errorf("dynalite: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, fmt.Errorf("dynalite: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return "", nil, fmt.Errorf("dynalite: %w", err)
	}
	port, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		_ = stdin.Close()
		return "", nil, fmt.Errorf("dynalite: the server did not start: %w", errors.Join(err, cmd.Wait()))
	}
	return "http://127.0.0.1:" + strings.TrimSpace(port), stopper(cmd, stdin), nil
}

// stopper also keeps the pipe open while nobody stops the server: an unreachable one would be closed in passing.
func stopper(cmd *exec.Cmd, stdin io.Closer) func() {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // how a stopped server ended matters to nobody
		_ = stdin.Close()
	}()
	return sync.OnceFunc(func() {
		_ = stdin.Close()
		kill := time.AfterFunc(stopTimeout, func() { _ = cmd.Process.Kill() })
		defer kill.Stop()
		<-ended
	})
}

// scripts finds the server's folder from anywhere inside the module.
func scripts() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("dynalite: %w", err)
	}
	for {
		found := filepath.Join(folder, "scripts", "dynalite")
		if _, err := os.Stat(filepath.Join(found, "serve.js")); err == nil {
			return found, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", errors.New("dynalite: scripts/dynalite is in no folder above: run inside the source tree")
		}
		folder = parent
	}
}

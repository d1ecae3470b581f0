package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// place is a table in a temporary folder, and the program that serves it.
type place struct {
	program string
	args    []string
}

// openPlace prepares the table, and starts a DynamoDB-compatible server where one is wanted.
func openPlace(ctx context.Context, c *cli, folder string) (place, func(), error) {
	p := place{program: c.Server, args: []string{"--data", folder, "--driver", c.Driver}}
	if c.Driver != "dynamodb" {
		return p, func() {}, nil
	}
	table, err := start(ctx, "node", c.Node, "0")
	if err != nil {
		return p, nil, err
	}
	p.args = append(p.args, "--endpoint", "http://127.0.0.1:"+table.said)
	return p, table.stop, nil
}

// serve starts the API on a free port. It may reach this machine, and takes the mail for Amazon's services.
func (p place) serve(ctx context.Context, mail *mail) (*process, error) {
	return start(ctx, p.program, append(p.args, "serve", "--address", "127.0.0.1:0", "--no-limits", "--allow", "127.0.0.1/32",
		"--mail-from", "Boulevard <games@example.org>", "--aws-endpoint", mail.url)...)
}

// check has the stored journal replayed.
func (p place) check(ctx context.Context, game string) error {
	command := exec.CommandContext(ctx, p.program, append(p.args, "check", game)...)
	command.Env, command.Stdout, command.Stderr = environment(), os.Stdout, os.Stderr
	fmt.Print("\nreplay: ")
	return command.Run()
}

// process is a server that told where it listens on its first line.
type process struct {
	said    string
	command *exec.Cmd
	stdin   io.Closer
}

func start(ctx context.Context, program string, args ...string) (*process, error) {
	command := exec.CommandContext(ctx, program, args...)
	command.Env, command.Stderr = environment(), os.Stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("%s said nothing: %w", program, err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return &process{said: strings.TrimSpace(line), command: command, stdin: stdin}, nil
}

// stop ends the process; once it has ended, nothing more happens.
func (p *process) stop() {
	_ = p.stdin.Close()
	_ = p.command.Process.Signal(syscall.SIGTERM)
	_ = p.command.Wait()
}

// environment gives a DynamoDB client what it cannot do without: an emulator takes any credentials.
func environment() []string {
	return append(os.Environ(), "AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=demo", "AWS_SECRET_ACCESS_KEY=demo")
}

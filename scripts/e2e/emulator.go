package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Where the emulator is. Its platform application has both in its ARN, in infra/stages/emulator.yaml.
const (
	region  = "eu-central-1"
	account = "000000000000"
)

// emulator is a MiniStack that runs for as long as the trial.
type emulator struct {
	url     string
	log     string
	scratch string
	command *exec.Cmd
	// ended has what came of it.
	ended chan error
}

// startEmulator starts it on a free port of this machine, and waits until it answers.
func startEmulator(ctx context.Context, program, folder string) (*emulator, error) {
	port, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "boulevard-e2e-")
	if err != nil {
		return nil, err
	}
	e := &emulator{
		url: "http://127.0.0.1:" + port, log: filepath.Join(folder, "emulator.log"), scratch: scratch, ended: make(chan error, 1),
	}
	if err := e.start(ctx, program, port); err != nil {
		return nil, errors.Join(err, os.RemoveAll(scratch))
	}
	err = await(ctx, time.Minute, "the emulator does not answer", func(ctx context.Context) (bool, error) {
		select {
		case err := <-e.ended:
			e.ended <- err
			return false, fmt.Errorf("the emulator has ended (%w): see %s", err, e.log)
		default:
			return e.get(ctx, "/_ministack/ready", new(any)) == nil, nil
		}
	})
	if err != nil {
		return nil, errors.Join(err, e.stop())
	}
	fmt.Printf("MiniStack listens at %s\n", e.url)
	return e, nil
}

func freePort(ctx context.Context) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, errors.Join(err, listener.Close())
}

// start has a group of processes of its own, to which the functions' programs belong: they end with it.
func (e *emulator) start(ctx context.Context, program, port string) error {
	log, err := os.Create(e.log)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	e.command = exec.CommandContext(ctx, program)
	e.command.Cancel = func() error { return e.command.Process.Signal(syscall.SIGTERM) }
	e.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	e.command.Stdout, e.command.Stderr = log, log
	// With AWS_ENDPOINT_URL in its own environment, functions find it. AUTH has it look at permissions.
	e.command.Env = append(environment(e.url), "GATEWAY_PORT="+port, "BIND_HOST=127.0.0.1", "MINISTACK_HOST=127.0.0.1",
		"MINISTACK_REGION="+region, "AUTH=true", "TMPDIR="+e.scratch)
	if err := e.command.Start(); err != nil {
		return err
	}
	go func() { e.ended <- e.command.Wait() }()
	return nil
}

// environment is what programs reach the emulator by, which takes any credentials.
func environment(url string) []string {
	return append(os.Environ(), "AWS_ENDPOINT_URL="+url, "AWS_REGION="+region, "AWS_DEFAULT_REGION="+region,
		"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "AWS_SESSION_TOKEN=", "AWS_PROFILE=")
}

// patience is how long the emulator may take to end.
const patience = 10 * time.Second

// stop ends it and the programs of functions that it has running.
func (e *emulator) stop() error {
	_ = e.command.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-e.ended:
		e.ended <- err
	case <-time.After(patience):
	}
	_ = syscall.Kill(-e.command.Process.Pid, syscall.SIGKILL)
	return os.RemoveAll(e.scratch)
}

// get asks the emulator about itself.
func (e *emulator) get(ctx context.Context, path string, answer any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.url+path, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return errors.New(path + ": " + response.Status)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

// mail is one that the emulator was given to send.
//
//nolint:tagliatelle // the names are theirs
type mail struct {
	To      []string `json:"To"`
	Subject string   `json:"Subject"`
	Text    string   `json:"BodyText"`
}

// mails are those that were sent to an address.
func (e *emulator) mails(ctx context.Context, address string) ([]mail, error) {
	var sent struct {
		Messages map[string][]mail `json:"messages"`
	}
	if err := e.get(ctx, "/_ministack/ses/messages", &sent); err != nil {
		return nil, err
	}
	var to []mail
	for _, account := range sent.Messages {
		for _, m := range account {
			if strings.Join(m.To, ",") == address {
				to = append(to, m)
			}
		}
	}
	return to, nil
}

// pushes counts those to phones: the emulator keeps none, but writes a line for each.
func (e *emulator) pushes() (int, error) {
	log, err := os.ReadFile(e.log)
	return strings.Count(string(log), "SNS platform-endpoint publish stub to"), err
}

// queued is how many messages are in a queue, hidden ones too.
func (e *emulator) queued(ctx context.Context, c *cloud, queue string) (int, error) {
	var answer struct {
		Attributes struct {
			Visible string `json:"ApproximateNumberOfMessages"`           //nolint:tagliatelle // the name is theirs
			Hidden  string `json:"ApproximateNumberOfMessagesNotVisible"` //nolint:tagliatelle // the name is theirs
		} `json:"Attributes"` //nolint:tagliatelle // the name is theirs
	}
	err := c.ask(ctx, sqs, "GetQueueAttributes", object{"QueueUrl": queue, "AttributeNames": []string{"All"}}, &answer)
	if err != nil {
		return 0, err
	}
	visible, err := strconv.Atoi(answer.Attributes.Visible)
	if err != nil {
		return 0, err
	}
	hidden, err := strconv.Atoi(answer.Attributes.Hidden)
	return visible + hidden, err
}

// await waits for something that comes by itself, and fails when it has not come in time.
func await(ctx context.Context, limit time.Duration, otherwise string, come func(ctx context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		done, err := come(ctx)
		if done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s within %s: %w", otherwise, limit, ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

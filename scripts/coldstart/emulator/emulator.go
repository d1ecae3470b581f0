// Package emulator builds functions as they go to the cloud, and runs them on this machine under the emulator of Lambda's
// runtime: as processes of their own that find everything by their environment.
package emulator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// Version is that of the emulator, which `make` builds into .tools.
const Version = "v0.0.0-20261030222936-bef5c4ba774d"

const (
	// startTimeout is how long the emulator may take to listen, on a busy machine. Where it cannot, it takes no longer.
	startTimeout = 30 * time.Second
	// startBeat is how soon it is looked for again.
	startBeat = 2 * time.Millisecond
	// stopTimeout is how long what it ran may hold on to the log after its end.
	stopTimeout = 10 * time.Second
)

// Root is the module's folder, which the working directory must be in.
func Root() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		parent := filepath.Dir(at)
		if parent == at {
			return "", errors.New("emulator: no folder above has a go.mod: run inside the source tree")
		}
		at = parent
	}
}

// Build compiles the function of a folder of the module. The flags are those of production: without what only the old
// runtime needed, without symbols, and the same bytes wherever it is built.
func Build(ctx context.Context, folder, bootstrap string) error {
	root, err := Root()
	if err != nil {
		return err
	}
	return compile(ctx, root, folder, bootstrap, "-s -w -buildid=")
}

// BuildNamed is Build, but leaves the symbols in, which tell what the file is made of.
func BuildNamed(ctx context.Context, folder, bootstrap string) error {
	root, err := Root()
	if err != nil {
		return err
	}
	return compile(ctx, root, folder, bootstrap, "-w -buildid=")
}

func compile(ctx context.Context, root, folder, bootstrap, ldflags string) error {
	command := exec.CommandContext(ctx, "go", "build", "-tags", "lambda.norpc", "-trimpath", "-buildvcs=false",
		"-ldflags", ldflags, "-o", bootstrap, "./"+folder)
	command.Dir = root
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("emulator: build %s: %w\n%s", folder, err, said)
	}
	return nil
}

// Function is a bootstrap under the emulator. It starts with the first event.
type Function struct {
	url    string
	client *http.Client
	log    *log
	stop   func()
}

// Start runs a bootstrap with these variables and no others but the PATH. It ends with the context, and when this program
// does, however it dies.
func Start(ctx context.Context, bootstrap string, env map[string]string) (*Function, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	tool := filepath.Join(".tools", "bin", "aws-lambda-rie-"+Version)
	program := filepath.Join(root, tool)
	if _, err := os.Stat(program); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("emulator: it is not installed: run `make %s`", tool)
	}
	address, runtime, err := freeAddresses(ctx)
	if err != nil {
		return nil, err
	}
	f := &Function{
		url:    "http://" + address + "/2015-03-31/functions/function/invocations",
		client: &http.Client{Transport: &http.Transport{}}, log: &log{},
	}
	// The shell ends the emulator when its standard input is closed, which the system does for a program that has died. The
	// bootstrap ends by itself then.
	command := exec.CommandContext(ctx, "/bin/sh", "-c", `"$@" & cat; kill -9 $!; wait $! 2>/dev/null`, "sh", program,
		"--runtime-interface-emulator-address", address, "--runtime-api-address", runtime, bootstrap)
	command.Env = []string{"PATH=" + os.Getenv("PATH")}
	for name, value := range env {
		command.Env = append(command.Env, name+"="+value)
	}
	command.Stdout, command.Stderr, command.WaitDelay = f.log, f.log, stopTimeout
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	command.Cancel = stdin.Close
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("emulator: %w", err)
	}
	f.stop = sync.OnceFunc(func() {
		f.client.CloseIdleConnections()
		_ = stdin.Close()
		_ = command.Wait() // it returns when the bootstrap too has ended, which holds the log open
	})
	if err := awaitListener(ctx, address); err != nil {
		f.stop()
		return nil, fmt.Errorf("emulator: %w\n%s", err, f.log)
	}
	return f, nil
}

// freeAddresses are two that nobody listens on just now.
func freeAddresses(ctx context.Context) (first, second string, err error) {
	var addresses [2]string
	for i := range addresses {
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return "", "", err
		}
		defer func() { _ = listener.Close() }() // at the end, so that they differ
		addresses[i] = listener.Addr().String()
	}
	return addresses[0], addresses[1], nil
}

// awaitListener returns when somebody listens there.
func awaitListener(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	ticker := time.NewTicker(startBeat)
	defer ticker.Stop()
	for {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return err
		case <-ticker.C:
		}
	}
}

// Invoke sends an event, and returns what the function answers: what it fails with is an answer too.
func (f *Function) Invoke(ctx context.Context, event []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url, bytes.NewReader(event))
	if err != nil {
		return nil, err
	}
	response, err := f.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("emulator: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("emulator: it answered %s: %s", response.Status, answer)
	}
	return answer, err
}

// Log ends the function, and returns all that it and the emulator have logged.
func (f *Function) Log() string {
	f.stop()
	return f.log.String()
}

// log collects what several write.
type log struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// Write takes a piece.
func (l *log) Write(piece []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(piece)
}

// String is all that was written so far.
func (l *log) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

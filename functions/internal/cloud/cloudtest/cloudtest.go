// Package cloudtest runs the functions of the cloud as Lambda does: each is built with the flags of production, and runs as
// a process of its own under the emulator of Lambda's runtime, on a table of a DynamoDB-compatible server. A machine
// without the emulator fails the test: a bootstrap that was not tried is not known to start.
package cloudtest

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/scripts/coldstart/emulator"
)

// Function is a function of functions/ that runs.
type Function struct {
	t       *testing.T
	running *emulator.Function
}

// Start builds a function of functions/ and runs it with these variables until the test ends. Building it again takes no
// longer than linking it, but a test program does well to start its function once.
func Start(t *testing.T, name string, env map[string]string) *Function {
	t.Helper()
	bootstrap := filepath.Join(t.TempDir(), "bootstrap")
	require.NoError(t, emulator.Build(t.Context(), "functions/"+name, bootstrap))
	running, err := emulator.Start(t.Context(), bootstrap, env)
	require.NoError(t, err)
	f := &Function{t: t, running: running}
	t.Cleanup(func() {
		log := f.Log()
		if t.Failed() {
			t.Log(log)
		}
	})
	return f
}

// Invoke sends an event, and reads the answer into what it is given, unless that is nil. A function that fails, fails the
// test.
func (f *Function) Invoke(event, into any) {
	f.t.Helper()
	encoded, err := json.Marshal(event)
	require.NoError(f.t, err)
	answer, err := f.running.Invoke(f.t.Context(), encoded)
	require.NoError(f.t, err)
	require.NotContains(f.t, string(answer), `"errorMessage"`, "it has failed")
	if into != nil {
		require.NoError(f.t, json.Unmarshal(answer, into), "it answers %s", answer)
	}
}

// Log ends the function, and returns all that it has logged.
func (f *Function) Log() string { return f.running.Log() }

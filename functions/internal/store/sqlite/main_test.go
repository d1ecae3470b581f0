package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/sqlite"

	"github.com/stretchr/testify/require"
)

// The test program is also the other process of the tests that need one: these name what it does, and in which file.
const (
	roleVar = "BOULEVARD_SQLITE_TEST_ROLE"
	fileVar = "BOULEVARD_SQLITE_TEST_FILE"
)

func TestMain(m *testing.M) {
	role := os.Getenv(roleVar)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := play(role, os.Getenv(fileVar)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func play(role, path string) error {
	d, err := sqlite.Open(context.Background(), path)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }() // the test reads the file, which tells more
	switch role {
	case "write":
		return writeForEver(d)
	case "count":
		return count(context.Background(), d)
	default:
		return fmt.Errorf("unknown role %q", role)
	}
}

// writeForEver prints the number of each item after the driver has acknowledged it.
func writeForEver(d *sqlite.Driver) error {
	for i := uint64(1); ; i++ {
		if err := d.Put(context.Background(), numbered(i), store.IfAbsent()); err != nil {
			return err
		}
		head := store.Item{Key: store.Key{PK: "pk", SK: "HEAD"}, Rev: i, Body: numbered(i).Body}
		if err := d.Put(context.Background(), head, store.IfOlder(i)); err != nil {
			return err
		}
		_, _ = fmt.Fprintln(os.Stdout, i) // a test that has stopped reading kills us anyway
	}
}

func numbered(i uint64) store.Item {
	return store.Item{Key: store.Key{PK: "pk", SK: fmt.Sprintf("%08d", i)}, Rev: i, Body: fmt.Appendf(nil, "body %d", i)}
}

const counts = 200

// count adds counts to one item's rev, one at a time.
func count(ctx context.Context, d *sqlite.Driver) error {
	item, err := d.Get(ctx, store.Key{PK: "pk", SK: "count"})
	for done := 0; done < counts && err == nil; {
		next := item
		next.Rev++
		err = d.Put(ctx, next, store.IfRev(item.Rev))
		if failed, ok := errors.AsType[*store.ConditionFailed](err); ok {
			item, err = *failed.Current, nil
			continue
		}
		item, done = next, done+1
	}
	return err
}

// child is this program in another role.
func child(t *testing.T, role, path string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), roleVar+"="+role, fileVar+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// R3: a process killed in the middle of its writing keeps every write that it was told of, and none by halves.
func TestAcknowledgedWritesOutliveAKill(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/killed.db"
	acknowledged := killedWhileWriting(t, path)
	d, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	for i := uint64(1); i <= acknowledged; i++ {
		got, err := d.Get(t.Context(), numbered(i).Key)
		require.NoError(t, err)
		require.Equal(t, numbered(i), got)
	}
	head, err := d.Get(t.Context(), store.Key{PK: "pk", SK: "HEAD"})
	require.NoError(t, err)
	require.GreaterOrEqual(t, head.Rev, acknowledged)
	require.Equal(t, numbered(head.Rev).Body, head.Body)
}

// killedWhileWriting kills a writer after some hundred writes and says which was the last that it acknowledged.
func killedWhileWriting(t *testing.T, path string) (last uint64) {
	t.Helper()
	const enough = 200
	cmd := child(t, "write", path)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		last, err = strconv.ParseUint(lines.Text(), 10, 64)
		require.NoError(t, err)
		if last == enough {
			require.NoError(t, cmd.Process.Kill()) // what it prints until it is dead is read all the same
		}
	}
	require.Error(t, cmd.Wait())
	require.GreaterOrEqual(t, last, uint64(enough))
	return last
}

func TestProcessesShareAFile(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/shared.db"
	d, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	start := store.Item{Key: store.Key{PK: "pk", SK: "count"}, Body: []byte("body")}
	require.NoError(t, d.Put(t.Context(), start, store.IfAbsent()))

	others := []*exec.Cmd{child(t, "count", path), child(t, "count", path)}
	for _, other := range others {
		require.NoError(t, other.Start())
	}
	require.NoError(t, count(t.Context(), d))
	for _, other := range others {
		require.NoError(t, other.Wait())
	}
	got, err := d.Get(t.Context(), start.Key)
	require.NoError(t, err)
	require.EqualValues(t, counts*(1+len(others)), got.Rev)
}

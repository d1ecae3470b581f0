package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"boulevard/functions/internal/store"

	"github.com/stretchr/testify/require"
)

func openAt(t *testing.T, path string, busy time.Duration) *Driver {
	t.Helper()
	d, err := open(t.Context(), path, busy)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// lock takes the write lock of the file, as another process would, until it is given back.
func lock(t *testing.T, path string) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn(path, 0))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	return func() {
		_, err := conn.ExecContext(t.Context(), "ROLLBACK")
		require.NoError(t, errors.Join(err, conn.Close()))
	}
}

var item = store.Item{Key: store.Key{PK: "pk", SK: "sk"}, Rev: 1, Body: []byte("body")}

// D1: another process that keeps the lock is contention, told as such after a bounded wait.
func TestLastingLockThrottlesWritesAndNoReads(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "locked.db")
	d := openAt(t, path, 10*time.Millisecond)
	require.NoError(t, d.Put(t.Context(), item, store.Condition{}))
	unlock := lock(t, path)

	next := item
	next.Rev, next.Body = 2, []byte("next")
	require.ErrorIs(t, d.Put(t.Context(), next, store.IfRev(1)), store.ErrThrottled)
	require.ErrorIs(t, d.Delete(t.Context(), item.Key, store.Condition{}), store.ErrThrottled)
	got, err := d.Get(t.Context(), item.Key)
	require.NoError(t, err)
	require.Equal(t, item, got)

	unlock()
	require.NoError(t, d.Put(t.Context(), next, store.IfRev(1)), "the writer is fit for use again")
}

func TestContextEndsTheWaitForALock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "locked.db")
	d := openAt(t, path, time.Minute)
	unlock := lock(t, path)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err := d.Put(ctx, item, store.Condition{})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotErrorIs(t, err, store.ErrOutcomeUnknown)
	unlock()
	_, err = d.Get(t.Context(), item.Key)
	require.ErrorIs(t, err, store.ErrNotFound)
	require.NoError(t, d.Put(t.Context(), item, store.IfAbsent()))
}

// A write under way is seen through when its context ends: otherwise nobody could tell whether it happened.
func TestContextThatEndsUnderWayDoesNotStopAWrite(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "new.db"), time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, d.write(ctx, func(ctx context.Context, w *writer) error {
		cancel()
		_, err := w.exec(ctx, w.put[store.KindAlways], item.PK, item.SK, int64(item.Rev), item.Body, item.Expires)
		return err
	}))
	got, err := d.Get(t.Context(), item.Key)
	require.NoError(t, err)
	require.Equal(t, item, got)
}

func TestFullDiskWritesNothingByHalves(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "full.db"), time.Second)
	require.NoError(t, d.Put(t.Context(), item, store.Condition{}))
	limitPages(t, d, 20)

	large := item
	large.Rev, large.Body = 2, []byte(strings.Repeat("x", store.MaxBody))
	err := d.Put(t.Context(), large, store.IfRev(1))
	require.ErrorIs(t, err, store.ErrUnavailable)
	got, err := d.Get(t.Context(), item.Key)
	require.NoError(t, err)
	require.Equal(t, item, got)

	limitPages(t, d, 1<<20)
	require.NoError(t, d.Put(t.Context(), large, store.IfRev(1)), "the writer is fit for use again")
}

func limitPages(t *testing.T, d *Driver, pages int) {
	t.Helper()
	w := <-d.writer
	defer func() { d.writer <- w }()
	_, err := w.conn.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	require.NoError(t, err)
}

func TestWritesAreDurableAndLogged(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "new.db"), time.Second)
	w := <-d.writer
	defer func() { d.writer <- w }()
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "1000"} {
		var got string
		require.NoError(t, w.conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got))
		require.Equal(t, want, got, pragma)
	}
}

func TestManyOpenANewFileAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new.db")
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			d, err := Open(t.Context(), path)
			if err == nil {
				own := item
				own.SK = strconv.Itoa(i)
				err = errors.Join(d.Put(t.Context(), own, store.IfAbsent()), d.Close())
			}
			errs[i] = err
		})
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	page, err := openAt(t, path, time.Second).Query(t.Context(), store.Query{PK: "pk", Limit: 100})
	require.NoError(t, err)
	require.Len(t, page.Items, len(errs))
}

func TestFileOfANewerBuildIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "newer.db")
	d := openAt(t, path, time.Second)
	w := <-d.writer
	_, err := w.conn.ExecContext(t.Context(), "PRAGMA user_version = 1000")
	d.writer <- w
	require.NoError(t, err)
	_, err = Open(t.Context(), path)
	require.ErrorContains(t, err, "newer build")
}

func TestOpenFailsWhereNoFileCanBe(t *testing.T) {
	t.Parallel()
	_, err := Open(t.Context(), filepath.Join(t.TempDir(), "no", "such", "folder.db"))
	require.Error(t, err)
}

func TestClosedDriverFailsAndStaysClosed(t *testing.T) {
	t.Parallel()
	d, err := Open(t.Context(), filepath.Join(t.TempDir(), "closed.db"))
	require.NoError(t, err)
	require.NoError(t, d.Close())
	require.NoError(t, d.Close())
	require.Error(t, d.Put(t.Context(), item, store.Condition{}))
	_, err = d.Get(t.Context(), item.Key)
	require.Error(t, err)
	require.NotErrorIs(t, err, store.ErrNotFound)
}

func TestSweepRemovesWhatHasExpired(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "swept.db"), time.Second)
	const now, old = 1000, sweepBatch + 10 // more than one batch
	for i := range old {
		require.NoError(t, d.Put(t.Context(), expiring(fmt.Sprint("old ", i), int64(1+i)), store.Condition{}))
	}
	for sk, expires := range map[string]int64{"now": now, "soon": now + 1, "never": 0} {
		require.NoError(t, d.Put(t.Context(), expiring(sk, expires), store.Condition{}))
	}
	removed, err := d.Sweep(t.Context(), now)
	require.NoError(t, err)
	require.Equal(t, old+1, removed)
	page, err := d.Query(t.Context(), store.Query{PK: "pk", Limit: 100})
	require.NoError(t, err)
	require.Equal(t, []store.Item{expiring("never", 0), expiring("soon", now+1)}, page.Items)
	removed, err = d.Sweep(t.Context(), now)
	require.NoError(t, err)
	require.Zero(t, removed)
}

func expiring(sk string, at int64) store.Item {
	return store.Item{Key: store.Key{PK: "pk", SK: sk}, Rev: 1, Body: []byte("body"), Expires: at}
}

// A list of a partition must not read more of the table than it lists.
func TestQueriesReadOneRange(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "plan.db"), time.Second)
	for _, text := range []string{ascendingSQL, descendingSQL} {
		var plan string
		err := d.readers.QueryRowContext(t.Context(), "EXPLAIN QUERY PLAN "+text, "pk", "", "", 1).
			Scan(new(int), new(int), new(int), &plan)
		require.NoError(t, err)
		require.Contains(t, plan, "(pk=? AND sk>? AND sk<?)")
	}
}

package fanout_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/fanout"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/sqlite"
)

const (
	soon = 10 * time.Second
	tick = 2 * time.Millisecond
)

// following runs Follow beside the test, in which nothing is poisoned; stop ends it, once.
func following(
	t *testing.T, feed store.Feed, handler fanout.Handler, wake <-chan struct{}, log *slog.Logger,
) (stop func()) {
	t.Helper()
	return burying(t, feed, handler, func(_ context.Context, change store.Change, why error) error {
		t.Errorf("change %d was buried: %v", change.Seq, why)
		return nil
	}, wake, log)
}

// burying is following where something is poisoned.
func burying(
	t *testing.T, feed store.Feed, handler fanout.Handler, bury fanout.Bury, wake <-chan struct{}, log *slog.Logger,
) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		fanout.Follow(ctx, feed, "derived", handler, bury, wake, log)
	}()
	stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(stop)
	return stop
}

// live writes all heads of a game but the first number of them, which are there.
func live(t *testing.T, games interface {
	Create(ctx context.Context, head store.Head) error
	Commit(ctx context.Context, before store.Head, after *store.Head, entries ...store.Entry) error
}, heads []store.Head) {
	t.Helper()
	require.NoError(t, games.Create(t.Context(), heads[0]))
	for i, head := range heads[1:] {
		require.NoError(t, games.Commit(t.Context(), heads[i], &head, head.Tail...))
	}
}

func TestFollow_OpenListFollowsTheWritesOfThisProcess_AndOfOthers(t *testing.T) {
	t.Parallel()
	for name, ofThisProcess := range map[string]bool{"woken": true, "by itself": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			driver := open(t)
			table := store.NewTable(driver)
			log, _ := newLog()
			waking := fanout.NewWaking(table)
			following(t, driver, fanout.NewConsumer(table), waking.Woken(), log)
			if ofThisProcess {
				live(t, waking, life("a")[:2])
			} else {
				live(t, table, life("a")[:2])
			}
			require.Eventually(t, func() bool { return derivedIn(t, table).open["a"] == 2 }, soon, tick)
		})
	}
}

// recording is a handler that remembers what it was handed, and fails as often as it is told to.
type recording struct {
	mutex sync.Mutex
	seen  []uint64
	fail  map[uint64]error
}

func (r *recording) Changed(_ context.Context, change store.Change) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if err := r.fail[change.Seq]; err != nil {
		delete(r.fail, change.Seq)
		return err
	}
	r.seen = append(r.seen, change.Seq)
	return nil
}

func (r *recording) last() uint64 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if len(r.seen) == 0 {
		return 0
	}
	return r.seen[len(r.seen)-1]
}

func TestFollow_ChangesComeInOrder_OnceEach_FailedOnesAreTriedAgain(t *testing.T) {
	t.Parallel()
	driver, all := written(t, 250)
	log, logged := newLog()
	handler := &recording{fail: map[uint64]error{3: errBroken, 120: errBroken}}
	following(t, driver, handler, nil, log)
	require.Eventually(t, func() bool { return handler.last() == all[len(all)-1] }, soon, tick)
	require.Equal(t, all, handler.seen)
	require.Contains(t, logged.String(), "change not followed")
}

// written is a table in which a game has gone through a number of versions, and the numbers of its changes.
func written(t *testing.T, versions int) (*sqlite.Driver, []uint64) {
	t.Helper()
	driver := open(t)
	all := make([]uint64, versions)
	for i := range all {
		all[i] = uint64(i) + 1
		item := store.Item{Key: store.Key{PK: "GAME#a", SK: "HEAD"}, Rev: all[i], Body: []byte("body")}
		require.NoError(t, driver.Put(t.Context(), item, store.Condition{}))
	}
	return driver, all
}

func TestFollow_GoesOnBehindItsCursor(t *testing.T) {
	t.Parallel()
	driver, _ := written(t, 5)
	log, _ := newLog()
	before := &recording{}
	stop := following(t, driver, before, nil, log)
	require.Eventually(t, func() bool { return before.last() == 5 }, soon, tick)
	stop()
	at, err := driver.Cursor(t.Context(), "derived")
	require.NoError(t, err)
	require.EqualValues(t, 5, at, "whoever stops in peace repeats nothing")

	item := store.Item{Key: store.Key{PK: "GAME#a", SK: "HEAD"}, Rev: 6, Body: []byte("body")}
	require.NoError(t, driver.Put(t.Context(), item, store.Condition{}))
	after := &recording{}
	following(t, driver, after, nil, log)
	require.Eventually(t, func() bool { return after.last() == 6 }, soon, tick)
	require.Equal(t, []uint64{6}, after.seen)
}

// crashing is a feed whose cursor cannot be moved: the follower stops as if it were killed before.
type crashing struct{ store.Feed }

func (crashing) MoveCursor(context.Context, string, uint64) error { return store.ErrUnavailable }

// both hands changes to one handler after the other.
type both [2]fanout.Handler

func (b both) Changed(ctx context.Context, change store.Change) error {
	if err := b[0].Changed(ctx, change); err != nil {
		return err
	}
	return b[1].Changed(ctx, change)
}

// D3: a crash between what a change leads to and the move of the cursor repeats the change.
func TestD3_CrashBeforeTheCursorMoves_RepeatsChanges_AndNothingElse(t *testing.T) {
	t.Parallel()
	driver := open(t)
	table := store.NewTable(driver)
	log, logged := newLog()
	heads := life("a")
	require.NoError(t, table.Create(t.Context(), heads[0]))
	for i, head := range heads[1:] {
		require.NoError(t, table.Commit(t.Context(), heads[i], &head, head.Tail...))
		progress := &recording{}
		stop := following(t, crashing{driver}, both{fanout.NewConsumer(table), progress}, nil, log)
		require.Eventually(t, func() bool { return progress.last() == head.Version }, soon, tick)
		stop()
		require.Equal(t, saying(i+2), derivedIn(t, table))
		require.Len(t, progress.seen, i+2, "all of it came again")
	}
	require.Contains(t, logged.String(), "cursor not moved")
}

// D3: a poisoned change is told of and buried, on one machine, as the cloud's lands in the dead-letter queue.
func TestD3_PoisonInTheFeed_IsBuried_AndTheRestGoesOn(t *testing.T) {
	t.Parallel()
	driver := open(t)
	table := store.NewTable(driver)
	log, logged := newLog()
	poison := store.Item{Key: store.Key{PK: "GAME#poison", SK: "HEAD"}, Rev: 1, Body: []byte{0xff}}
	require.NoError(t, driver.Put(t.Context(), poison, store.IfAbsent()))
	live(t, table, life("a")[:2])
	stop := burying(t, driver, fanout.NewConsumer(table), table.Bury, nil, log)
	require.Eventually(t, func() bool { return derivedIn(t, table).open["a"] == 2 }, soon, tick)
	stop()
	require.Contains(t, logged.String(), "change passed over")
	require.Contains(t, logged.String(), "GAME#poison")
	buried, next, err := table.Buried(t.Context(), "")
	require.NoError(t, err)
	require.Empty(t, next)
	require.Len(t, buried, 1)
	require.Equal(t, &poison, buried[0].New)
	require.Nil(t, buried[0].Old)
	require.NotEmpty(t, buried[0].Why)
	require.NoError(t, table.Unbury(t.Context(), buried[0]))
	buried, _, err = table.Buried(t.Context(), "")
	require.NoError(t, err)
	require.Empty(t, buried)
}

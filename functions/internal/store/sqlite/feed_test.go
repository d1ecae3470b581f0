package sqlite

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"boulevard/functions/internal/store"

	"github.com/stretchr/testify/require"
)

func head(rev uint64, body string) store.Item {
	return store.Item{Key: store.Key{PK: "GAME#a", SK: "HEAD"}, Rev: rev, Body: []byte(body)}
}

func changesOf(t *testing.T, d *Driver) []store.Change {
	t.Helper()
	changes, err := d.Changes(t.Context(), 0, store.MaxLimit)
	require.NoError(t, err)
	return changes
}

func TestChanges_TellWhatWasCommitted_InOrder_WithBothImages(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "new.db"), time.Second)
	first, second, third := head(1, "first"), head(2, "second"), head(3, "third")
	third.Expires = 1000
	require.NoError(t, d.Put(t.Context(), first, store.IfAbsent()))
	require.NoError(t, d.Put(t.Context(), second, store.IfRev(1)))
	require.NoError(t, d.Put(t.Context(), third, store.IfOlder(3)))
	require.NoError(t, d.Delete(t.Context(), third.Key, store.IfRev(3)))
	require.NoError(t, d.Put(t.Context(), third, store.Condition{}))
	swept, err := d.Sweep(t.Context(), 1000)
	require.NoError(t, err)
	require.Equal(t, 1, swept)
	require.Equal(t, []store.Change{
		{Seq: 1, New: &first},
		{Seq: 2, Old: &first, New: &second},
		{Seq: 3, Old: &second, New: &third},
		{Seq: 4, Old: &third},
		{Seq: 5, New: &third},
		{Seq: 6, Old: &third},
	}, changesOf(t, d))

	behind, err := d.Changes(t.Context(), 2, 2)
	require.NoError(t, err)
	require.Len(t, behind, 2)
	require.EqualValues(t, 3, behind[0].Seq)
}

func TestChanges_LeaveOutWhatDidNotHappen_AndWhatNobodyFollows(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "new.db"), time.Second)
	require.NoError(t, d.Put(t.Context(), head(1, "first"), store.Condition{}))
	require.Error(t, d.Put(t.Context(), head(2, "too late"), store.IfAbsent()))
	require.Error(t, d.Put(t.Context(), head(2, "too late"), store.IfRev(7)))
	require.Error(t, d.Put(t.Context(), head(1, "too late"), store.IfOlder(1)))
	require.Error(t, d.Delete(t.Context(), head(1, "").Key, store.IfRev(7)))
	for _, key := range []store.Key{{PK: "GAME#a", SK: "PAGE#1"}, {PK: "OPEN", SK: "HEAD"}, {PK: "PLAYER#a", SK: "GAME#a"}} {
		require.NoError(t, d.Put(t.Context(), store.Item{Key: key, Rev: 1}, store.Condition{}))
		require.NoError(t, d.Put(t.Context(), store.Item{Key: key, Rev: 2}, store.Condition{}))
		require.NoError(t, d.Delete(t.Context(), key, store.Condition{}))
	}
	require.Len(t, changesOf(t, d), 1)
}

// What a full disk kept from being written is no change.
func TestChanges_AreOfTheSameTransactionAsTheItem(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "full.db"), time.Second)
	require.NoError(t, d.Put(t.Context(), head(1, "first"), store.Condition{}))
	limitPages(t, d, 20)
	require.ErrorIs(t, d.Put(t.Context(), head(2, string(make([]byte, store.MaxBody))), store.IfRev(1)), store.ErrUnavailable)
	require.Len(t, changesOf(t, d), 1)
	limitPages(t, d, 1<<20)
	require.NoError(t, d.Put(t.Context(), head(2, "second"), store.IfRev(1)))
	changes := changesOf(t, d)
	require.Len(t, changes, 2)
	require.Equal(t, "second", string(changes[1].New.Body))
}

func TestCursor_IsDurable_AndNeverMovesBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new.db")
	d := openAt(t, path, time.Second)
	at, err := d.Cursor(t.Context(), "derived")
	require.NoError(t, err)
	require.Zero(t, at)
	require.NoError(t, d.MoveCursor(t.Context(), "derived", 7))
	require.NoError(t, d.MoveCursor(t.Context(), "derived", 5))
	require.NoError(t, d.MoveCursor(t.Context(), "notices", 3))
	require.NoError(t, d.Close())
	at, err = openAt(t, path, time.Second).Cursor(t.Context(), "derived")
	require.NoError(t, err)
	require.EqualValues(t, 7, at)
}

func TestChanges_AreForgottenBehindTheSlowestCursor(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "new.db"), time.Second)
	const written = keptChanges + 100
	for rev := range uint64(written) {
		require.NoError(t, d.Put(t.Context(), head(rev+1, "body"), store.Condition{}))
	}
	oldest := func() uint64 { return changesOf(t, d)[0].Seq }
	require.NoError(t, d.MoveCursor(t.Context(), "slow", 1))
	require.NoError(t, d.MoveCursor(t.Context(), "fast", written))
	require.EqualValues(t, 1, oldest())
	require.NoError(t, d.MoveCursor(t.Context(), "slow", keptChanges+10))
	require.EqualValues(t, 11, oldest())
}

// A number that came twice would be taken for one that is done.
func TestChanges_NumbersComeOnlyOnce_HoweverMuchIsForgotten(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "new.db"), time.Second)
	require.NoError(t, d.Put(t.Context(), head(1, "first"), store.Condition{}))
	require.NoError(t, d.Put(t.Context(), head(2, "second"), store.Condition{}))
	require.NoError(t, d.MoveCursor(t.Context(), "derived", 1000*keptChanges))
	require.Len(t, changesOf(t, d), 1, "all that can be is forgotten")
	require.NoError(t, d.Delete(t.Context(), head(1, "").Key, store.Condition{}))
	changes := changesOf(t, d)
	require.EqualValues(t, 3, changes[len(changes)-1].Seq)
}

func TestChanges_RefuseWhatNoFeedCouldAnswer(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "new.db"), time.Second)
	_, err := d.Changes(t.Context(), 0, 0)
	require.ErrorIs(t, err, store.ErrInvalid)
	_, err = d.Changes(t.Context(), store.MaxRev+1, 1)
	require.ErrorIs(t, err, store.ErrInvalid)
	require.ErrorIs(t, d.MoveCursor(t.Context(), "", 1), store.ErrInvalid)
}

func TestFileOfTheFirstVersion_KeepsItsItems_AndIsFollowedFromNowOn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "old.db")
	db, err := sql.Open("sqlite", dsn(path, 0))
	require.NoError(t, err)
	for _, text := range []string{
		migrations[0], "INSERT INTO items VALUES ('GAME#a', 'HEAD', 4, CAST('body' AS BLOB), 0)", "PRAGMA user_version = 1",
	} {
		_, err = db.ExecContext(t.Context(), text)
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())

	d := openAt(t, path, time.Second)
	require.Empty(t, changesOf(t, d))
	old, next := head(4, "body"), head(5, "next")
	require.NoError(t, d.Put(t.Context(), next, store.IfRev(4)))
	require.Equal(t, []store.Change{{Seq: 1, Old: &old, New: &next}}, changesOf(t, d))
}

func TestScansReadOneRange(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "plan.db"), time.Second)
	var plan string
	err := d.readers.QueryRowContext(t.Context(), "EXPLAIN QUERY PLAN "+scanSQL, "pk", "sk", 1).
		Scan(new(int), new(int), new(int), &plan)
	require.NoError(t, err)
	require.Contains(t, plan, "(pk,sk)>(?,?)")
}

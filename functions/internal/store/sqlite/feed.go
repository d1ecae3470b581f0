package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"boulevard/functions/internal/store"
)

var _ store.Feed = (*Driver)(nil)

const (
	// keptChanges stay behind the slowest cursor: another process that follows by the same cursor, a little later, still
	// finds what it has to go through.
	keptChanges = 256
	// trimBatch is how many changes one move of a cursor forgets, so that players' writes need not wait for it.
	trimBatch = 1000
)

const (
	changesSQL = `SELECT seq, pk, sk, old_rev, old_body, old_expires, new_rev, new_body, new_expires FROM changes
		WHERE seq > ?1 ORDER BY seq LIMIT ?2`
	cursorSQL     = `SELECT seq FROM cursors WHERE name = ?1`
	moveCursorSQL = `INSERT INTO cursors (name, seq) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE
		SET seq = max(seq, excluded.seq)`
	trimSQL = `DELETE FROM changes WHERE seq <= (SELECT min(seq) FROM cursors) - ?1
		AND seq < (SELECT min(seq) FROM changes) + ?2 AND seq < (SELECT max(seq) FROM changes)`
)

// Changes lists at most limit changes of heads behind the one numbered after, the oldest first. The triggers of the schema
// wrote them, in the transactions of the changes themselves. As with Get, the context is looked at before, and not again.
func (d *Driver) Changes(ctx context.Context, after uint64, limit int) ([]store.Change, error) {
	if after > store.MaxRev || limit < 1 || limit > store.MaxLimit {
		return nil, fmt.Errorf("sqlite: changes: %w: after %d, limit %d", store.ErrInvalid, after, limit)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows, err := d.changes.QueryContext(context.WithoutCancel(ctx), int64(after), limit)
	if err != nil {
		return nil, classify(err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has already told
	var changes []store.Change
	for rows.Next() {
		change, err := scanChange(rows)
		if err != nil {
			return nil, classify(err)
		}
		changes = append(changes, change)
	}
	return changes, classify(rows.Err())
}

// image is one side of a change; it is all NULL where there was no item.
type image struct {
	rev, expires sql.NullInt64
	body         []byte
}

func (i image) item(key store.Key) *store.Item {
	if !i.rev.Valid {
		return nil
	}
	return &store.Item{Key: key, Rev: uint64(i.rev.Int64), Body: i.body, Expires: i.expires.Int64}
}

func scanChange(rows *sql.Rows) (change store.Change, err error) {
	var key store.Key
	var before, after image
	err = rows.Scan(&change.Seq, &key.PK, &key.SK,
		&before.rev, &before.body, &before.expires, &after.rev, &after.body, &after.expires)
	change.Old, change.New = before.item(key), after.item(key)
	return change, err
}

// Cursor is the last change that the follower of this name is done with, 0 for none.
func (d *Driver) Cursor(ctx context.Context, name string) (seq uint64, err error) {
	err = d.cursor.QueryRowContext(ctx, name).Scan(&seq)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return seq, classify(err)
}

// MoveCursor notes that the follower is done with all changes up to seq, and forgets what all followers are long done
// with. A table that nobody follows forgets nothing.
func (d *Driver) MoveCursor(ctx context.Context, name string, seq uint64) error {
	if name == "" || seq > store.MaxRev {
		return fmt.Errorf("sqlite: cursor: %w: %q to %d", store.ErrInvalid, name, seq)
	}
	return d.write(ctx, func(ctx context.Context, w *writer) error {
		if _, err := w.exec(ctx, w.moveCursor, name, int64(seq)); err != nil {
			return err
		}
		_, err := w.exec(ctx, w.trim, keptChanges, trimBatch)
		return err
	})
}

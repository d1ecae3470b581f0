package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"boulevard/functions/internal/store"
)

// sweepBatch is how many expired items one write removes.
const sweepBatch = 500

// The statements of a conditional write: each judges its condition and writes in one go, and changes no row when the
// condition does not hold.
var (
	puts = [...]string{
		store.KindAlways: `INSERT INTO items (pk, sk, rev, body, expires) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (pk, sk)
			DO UPDATE SET rev = excluded.rev, body = excluded.body, expires = excluded.expires`,
		store.KindAbsent: `INSERT INTO items (pk, sk, rev, body, expires) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (pk, sk)
			DO NOTHING`,
		store.KindRev: `UPDATE items SET rev = ?3, body = ?4, expires = ?5 WHERE pk = ?1 AND sk = ?2 AND rev = ?6`,
		store.KindOlder: `INSERT INTO items (pk, sk, rev, body, expires) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (pk, sk)
			DO UPDATE SET rev = excluded.rev, body = excluded.body, expires = excluded.expires WHERE rev < ?6`,
	}
	deletes = [...]string{
		store.KindAlways: `DELETE FROM items WHERE pk = ?1 AND sk = ?2`,
		store.KindAbsent: `DELETE FROM items WHERE pk = ?1 AND sk = ?2 AND FALSE`,
		store.KindRev:    `DELETE FROM items WHERE pk = ?1 AND sk = ?2 AND rev = ?3`,
		store.KindOlder:  `DELETE FROM items WHERE pk = ?1 AND sk = ?2 AND rev < ?3`,
	}
)

const sweepSQL = `DELETE FROM items WHERE (pk, sk) IN
	(SELECT pk, sk FROM items WHERE expires > 0 AND expires <= ?1 LIMIT ?2)`

// writer is the connection that writes, with its statements.
type writer struct {
	conn                    *sql.Conn
	begin, commit, rollback *sql.Stmt
	put, remove             [len(puts)]*sql.Stmt
	get, sweep              *sql.Stmt
	moveCursor, trim        *sql.Stmt
}

func openWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{conn: conn}
	if err := w.open(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return w, nil
}

func (w *writer) open(ctx context.Context) (err error) {
	if _, err := w.conn.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	if err := migrate(ctx, w.conn); err != nil {
		return err
	}
	prepare := func(text string) (stmt *sql.Stmt) {
		if err == nil {
			stmt, err = w.conn.PrepareContext(ctx, text)
		}
		return stmt
	}
	w.begin, w.commit, w.rollback = prepare("BEGIN IMMEDIATE"), prepare("COMMIT"), prepare("ROLLBACK")
	for kind := range puts {
		w.put[kind], w.remove[kind] = prepare(puts[kind]), prepare(deletes[kind])
	}
	w.get, w.sweep = prepare(getSQL), prepare(sweepSQL)
	w.moveCursor, w.trim = prepare(moveCursorSQL), prepare(trimSQL)
	return err
}

// exec runs a statement and says how many rows it changed.
func (w *writer) exec(ctx context.Context, stmt *sql.Stmt, args ...any) (int64, error) {
	result, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// write runs do in a transaction of its own. A context that ends stops the wait for the lock, but nothing after it: a
// write that may have reached the disk is seen through, so that its outcome is known.
func (d *Driver) write(ctx context.Context, do func(context.Context, *writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var w *writer
	select {
	case w = <-d.writer:
		defer func() { d.writer <- w }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if _, err := w.begin.ExecContext(ctx); err != nil {
		w.abandon(ctx)
		return classify(err)
	}
	ctx = context.WithoutCancel(ctx)
	if err := do(ctx, w); err != nil {
		w.abandon(ctx)
		return classify(err)
	}
	if _, err := w.commit.ExecContext(ctx); err != nil {
		w.abandon(ctx)
		return commitFailed(err)
	}
	return nil
}

// abandon ends the transaction, if one is open, even when the context has ended. Its own error says only that none was.
func (w *writer) abandon(ctx context.Context) {
	_, _ = w.rollback.ExecContext(context.WithoutCancel(ctx))
}

// Put writes one item if the condition holds, and returns when it is on the disk.
func (d *Driver) Put(ctx context.Context, item store.Item, when store.Condition) error {
	if err := errors.Join(item.Check(), when.Check()); err != nil {
		return fmt.Errorf("sqlite: put: %w", err)
	}
	body := item.Body
	if body == nil {
		body = []byte{} // nil would be bound as NULL
	}
	return d.write(ctx, func(ctx context.Context, w *writer) error {
		args := []any{item.PK, item.SK, int64(item.Rev), body, item.Expires}
		if when.Kind() == store.KindRev || when.Kind() == store.KindOlder {
			args = append(args, int64(when.Rev()))
		}
		changed, err := w.exec(ctx, w.put[when.Kind()], args...)
		if err != nil || changed > 0 {
			return err
		}
		failed, err := w.failed(ctx, item.Key)
		if err != nil {
			return err
		}
		return failed
	})
}

// Delete removes one item if the condition holds, and returns when that is on the disk.
func (d *Driver) Delete(ctx context.Context, key store.Key, when store.Condition) error {
	if err := errors.Join(key.Check(), when.Check()); err != nil {
		return fmt.Errorf("sqlite: delete: %w", err)
	}
	return d.write(ctx, func(ctx context.Context, w *writer) error {
		args := []any{key.PK, key.SK}
		if when.Kind() == store.KindRev || when.Kind() == store.KindOlder {
			args = append(args, int64(when.Rev()))
		}
		changed, err := w.exec(ctx, w.remove[when.Kind()], args...)
		if err != nil || changed > 0 {
			return err
		}
		failed, err := w.failed(ctx, key)
		if err != nil || failed.Current == nil {
			return err
		}
		return failed
	})
}

// failed is the failure of a condition, with the item that made it fail, read under the same lock.
func (w *writer) failed(ctx context.Context, key store.Key) (*store.ConditionFailed, error) {
	item, err := scan(w.get.QueryRowContext(ctx, key.PK, key.SK))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return &store.ConditionFailed{Current: nil}, nil
	case err != nil:
		return nil, err
	}
	return &store.ConditionFailed{Current: &item}, nil
}

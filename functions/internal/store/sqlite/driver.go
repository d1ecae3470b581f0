// Package sqlite is the table of one machine: a [store.Driver] over one SQLite file, in pure Go.
//
// A write is answered only after it is on the disk (write-ahead log, synchronous=FULL), so a machine that loses power
// keeps every answered write. Several processes may share a file: a write takes SQLite's own lock first.
//
// Expired items stay visible until [Driver.Sweep] removes them. DynamoDB's TTL is as lazy, up to days late, so whoever
// reads an item that can expire looks at its Expires himself, on either table.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"time"

	"boulevard/functions/internal/store"

	_ "modernc.org/sqlite" // registers the database/sql driver
)

// Driver keeps items in one SQLite file. It is safe for concurrent use.
type Driver struct {
	// readers run beside each other and beside the writer: a write-ahead log never makes a reader wait.
	readers         *sql.DB
	get, list       *sql.Stmt
	query           [2]*sql.Stmt
	changes, cursor *sql.Stmt
	// writer holds the one connection that writes. A channel, not a mutex, so that waiting for it ends with the context.
	writer  chan *writer
	writing *sql.DB
}

var _ store.Driver = (*Driver)(nil)

const (
	// busyTimeout is how long a write waits for another process before it is refused as throttled.
	busyTimeout = 5 * time.Second
	// readerConnections is how many reads run at once. One would get single items as fast on two cores, but would keep
	// them waiting behind a long list.
	readerConnections = 4
)

// Open opens the table in the file, which it creates when it is not there. It fails for a file written by a newer build.
func Open(ctx context.Context, path string) (*Driver, error) { return open(ctx, path, busyTimeout) }

func open(ctx context.Context, path string, busy time.Duration) (*Driver, error) {
	d := &Driver{}
	if err := d.open(ctx, path, busy); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s: %w", path, err), d.Close())
	}
	return d, nil
}

func (d *Driver) open(ctx context.Context, path string, busy time.Duration) (err error) {
	if d.writing, err = sql.Open("sqlite", dsn(path, busy, "synchronous(FULL)", "journal_size_limit(67108864)")); err != nil {
		return err
	}
	w, err := openWriter(ctx, d.writing)
	if err != nil {
		return err
	}
	d.writer = make(chan *writer, 1)
	d.writer <- w
	if d.readers, err = sql.Open("sqlite", dsn(path, busy, "query_only(1)")); err != nil {
		return err
	}
	d.readers.SetMaxOpenConns(readerConnections)
	d.readers.SetMaxIdleConns(readerConnections)
	return d.prepareReads(ctx)
}

// dsn names the file as a URI, so that no character of a path is taken for an option.
func dsn(path string, busy time.Duration, pragmas ...string) string {
	options := url.Values{"_pragma": pragmas}
	options.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds()))
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: options.Encode()}).String()
}

// Close waits for the write under way and closes the file.
func (d *Driver) Close() error {
	var errs []error
	if d.writer != nil {
		w := <-d.writer
		if err := w.conn.Close(); !errors.Is(err, sql.ErrConnDone) { // closing twice is no failure
			errs = append(errs, err)
		}
		d.writer <- w // a late write finds a closed connection, rather than waiting for ever
	}
	for _, db := range []*sql.DB{d.readers, d.writing} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// Sweep removes the items that expired at or before now, in unix seconds, and says how many. It works in small writes, so
// that players' writes pass in between.
func (d *Driver) Sweep(ctx context.Context, now int64) (removed int, err error) {
	for {
		var n int64
		err := d.write(ctx, func(ctx context.Context, w *writer) (err error) {
			n, err = w.exec(ctx, w.sweep, now, sweepBatch)
			return err
		})
		removed += int(n)
		if err != nil || n < sweepBatch {
			return removed, err
		}
	}
}

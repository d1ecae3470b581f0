package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"boulevard/functions/internal/store"
)

const (
	getSQL = `SELECT pk, sk, rev, body, expires FROM items WHERE pk = ?1 AND sk = ?2`
	// One range of the key's tree, whatever the query bounds: ?2 <= sk < ?3.
	ascendingSQL = `SELECT pk, sk, rev, body, expires FROM items
		WHERE pk = ?1 AND sk >= ?2 AND sk < ?3 ORDER BY sk LIMIT ?4`
	descendingSQL = `SELECT pk, sk, rev, body, expires FROM items
		WHERE pk = ?1 AND sk >= ?2 AND sk < ?3 ORDER BY sk DESC LIMIT ?4`
	scanSQL = `SELECT pk, sk, rev, body, expires FROM items WHERE (pk, sk) > (?1, ?2) ORDER BY pk, sk LIMIT ?3`
)

func (d *Driver) prepareReads(ctx context.Context) (err error) {
	for _, p := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&d.get, getSQL},
		{&d.list, scanSQL},
		{&d.query[0], ascendingSQL},
		{&d.query[1], descendingSQL},
		{&d.changes, changesSQL},
		{&d.cursor, cursorSQL},
	} {
		if *p.stmt, err = d.readers.PrepareContext(ctx, p.text); err != nil {
			return err
		}
	}
	return nil
}

// Get reads one item, or fails with store.ErrNotFound. The read takes microseconds, far less than the goroutine that
// would watch its context: that is looked at before, and not again.
func (d *Driver) Get(ctx context.Context, key store.Key) (store.Item, error) {
	if err := key.Check(); err != nil {
		return store.Item{}, fmt.Errorf("sqlite: get: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return store.Item{}, err
	}
	item, err := scan(d.get.QueryRowContext(context.WithoutCancel(ctx), key.PK, key.SK))
	if errors.Is(err, sql.ErrNoRows) {
		return store.Item{}, store.ErrNotFound
	}
	return item, classify(err)
}

// Query lists items of one partition in the order of their sort keys.
func (d *Driver) Query(ctx context.Context, query store.Query) (store.Page, error) {
	if err := query.Check(); err != nil {
		return store.Page{}, fmt.Errorf("sqlite: query: %w", err)
	}
	stmt := d.query[0]
	if query.Descending {
		stmt = d.query[1]
	}
	low, high := bounds(query)
	// One item more than asked tells whether there is a next page.
	items, more, err := collect(ctx, stmt, query.Limit, query.PK, low, high, query.Limit+1)
	if err != nil || !more {
		return store.Page{Items: items}, err
	}
	return store.Page{Items: items, Next: items[len(items)-1].SK}, nil
}

// Scan lists the items of the whole table in the order of their keys.
func (d *Driver) Scan(ctx context.Context, after store.Key, limit int) ([]store.Item, store.Key, error) {
	if err := store.CheckScan(after, limit); err != nil {
		return nil, store.Key{}, fmt.Errorf("sqlite: scan: %w", err)
	}
	items, more, err := collect(ctx, d.list, limit, after.PK, after.SK, limit+1)
	if err != nil || !more {
		return items, store.Key{}, err
	}
	return items, items[len(items)-1].Key, nil
}

// collect reads at most limit of the items that a query finds, and says whether there were more.
func collect(ctx context.Context, query *sql.Stmt, limit int, args ...any) (items []store.Item, more bool, err error) {
	rows, err := query.QueryContext(ctx, args...)
	if err != nil {
		return nil, false, classify(err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has already told
	for rows.Next() {
		if len(items) == limit {
			return items, true, nil
		}
		item, err := scan(rows)
		if err != nil {
			return nil, false, classify(err)
		}
		items = append(items, item)
	}
	if err := rows.Err(); err != nil {
		return nil, false, classify(err)
	}
	return items, false, nil
}

// bounds are the first sort key of a query and what lies behind its last. A key and a zero byte is the next key in byte
// order, so a bound can be included or left out by moving it there.
func bounds(query store.Query) (low string, high any) {
	low, high = query.From, query.To+"\x00"
	if query.To == "" {
		high = []byte{} // SQLite orders a BLOB behind every TEXT
	}
	switch {
	case query.After == "":
	case !query.Descending:
		low = max(low, query.After+"\x00")
	case query.To == "" || query.After <= query.To:
		high = query.After
	}
	return low, high
}

func scan(row interface{ Scan(into ...any) error }) (item store.Item, err error) {
	err = row.Scan(&item.PK, &item.SK, &item.Rev, &item.Body, &item.Expires)
	if err != nil {
		return store.Item{}, err
	}
	return item, nil
}

// Package storetest is the one conformance suite of [store.Driver]: what it asks is what the rest of the program may
// rely on, whichever table is below. Each driver's tests run it.
package storetest

import (
	"context"
	"testing"

	"boulevard/functions/internal/store"

	"github.com/stretchr/testify/require"
)

// Run runs the suite. open gives a driver over a table that is empty and the test's own; it closes it with the test.
func Run(t *testing.T, open func(t *testing.T) store.Driver) {
	t.Helper()
	for name, test := range map[string]func(*testing.T, store.Driver){
		"an item comes back as it was written":                 testRoundTrip,
		"an absent item is not found":                          testAbsent,
		"a put happens exactly when its condition holds":       testPutConditions,
		"a delete happens exactly when its condition holds":    testDeleteConditions,
		"partitions are apart":                                 testPartitions,
		"what no table could take is refused":                  testInvalid,
		"a cancelled call does nothing":                        testCancelled,
		"an expired item stays until the table removes it":     testExpired,
		"a query lists in byte order":                          testOrder,
		"a query keeps its bounds":                             testBounds,
		"a query is walked page by page":                       testPaging,
		"a page continues behind a key that is gone":           testPageAfterGone,
		"large items are listed whole":                         testLargePages,
		"a scan lists every item once":                         testScan,
		"a scan continues behind a key that is gone":           testScanAfterGone,
		"of rivals for one rev exactly one wins":               testRivals,
		"no increment is lost":                                 testIncrements,
		"concurrent calls are linearizable":                    testLinearizable,
		"any sequence of calls does what a plain map would do": testModel,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

func key(pk, sk string) store.Key { return store.Key{PK: pk, SK: sk} }

func newItem(pk, sk string, rev uint64, body string) store.Item {
	return store.Item{Key: key(pk, sk), Rev: rev, Body: []byte(body)}
}

// put writes what the test starts from.
func put(t *testing.T, d store.Driver, items ...store.Item) {
	t.Helper()
	for _, item := range items {
		require.NoError(t, d.Put(t.Context(), item, store.Condition{}))
	}
}

// requireItem requires that the item is there as given. An empty body may come back as nil.
func requireItem(t *testing.T, d store.Driver, want store.Item) {
	t.Helper()
	got, err := d.Get(t.Context(), want.Key)
	require.NoError(t, err)
	require.Equal(t, plain(want), plain(got))
}

func requireAbsent(t *testing.T, d store.Driver, k store.Key) {
	t.Helper()
	_, err := d.Get(t.Context(), k)
	require.ErrorIs(t, err, store.ErrNotFound)
}

// flat is an item that == compares.
type flat struct {
	key     store.Key
	rev     uint64
	body    string
	expires int64
}

func plain(item store.Item) flat {
	return flat{key: item.Key, rev: item.Rev, body: string(item.Body), expires: item.Expires}
}

func plainAll(items []store.Item) []flat {
	all := make([]flat, 0, len(items))
	for _, item := range items {
		all = append(all, plain(item))
	}
	return all
}

// walk lists all that a query selects, page by page, and fails when a page is too long or the pages never end.
func walk(ctx context.Context, t require.TestingT, d store.Driver, q store.Query) []store.Item {
	const manyPages = 1000
	var all []store.Item
	for range manyPages {
		page, err := d.Query(ctx, q)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.Items), q.Limit)
		all = append(all, page.Items...)
		if page.Next == "" {
			return all
		}
		q.After = page.Next
	}
	require.Fail(t, "the pages do not end")
	return nil
}

func sortKeys(items []store.Item) []string {
	sks := make([]string, 0, len(items))
	for _, item := range items {
		sks = append(sks, item.SK)
	}
	return sks
}

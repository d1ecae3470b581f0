package storetest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"boulevard/functions/internal/store"

	"github.com/stretchr/testify/require"
)

// scanAll lists the whole table, and fails when a page is too long or the pages never end. between is called between pages.
func scanAll(t *testing.T, d store.Driver, limit int, between func(next store.Key)) []store.Item {
	t.Helper()
	const manyPages = 1000
	var all []store.Item
	for after, pages := (store.Key{}), 0; pages < manyPages; pages++ {
		items, next, err := d.Scan(t.Context(), after, limit)
		require.NoError(t, err)
		require.LessOrEqual(t, len(items), limit)
		all = append(all, items...)
		if next == (store.Key{}) {
			return all
		}
		between(next)
		after = next
	}
	require.Fail(t, "the scan does not end")
	return nil
}

func testScan(t *testing.T, d store.Driver) {
	require.Empty(t, scanAll(t, d, 10, func(store.Key) {}))
	pks := []string{"GAME#a", "GAME#b", "OPEN", "é", "🎲", "\x00"}
	const each = 7
	want := make([]store.Item, 0, each*len(pks))
	for _, pk := range pks {
		for i := range each {
			item := newItem(pk, fmt.Sprint("PAGE#", i), uint64(i), strings.Repeat(pk, i))
			item.Expires = int64(i)
			want = append(want, item)
		}
	}
	put(t, d, want...)
	for _, limit := range []int{1, 5, len(want), store.MaxLimit} {
		require.ElementsMatch(t, plainAll(want), plainAll(scanAll(t, d, limit, func(store.Key) {})), "%d a page", limit)
	}
	for _, limit := range []int{0, -1, store.MaxLimit + 1} {
		_, _, err := d.Scan(t.Context(), store.Key{}, limit)
		require.ErrorIs(t, err, store.ErrInvalid)
	}
	_, _, err := d.Scan(t.Context(), key("pk", ""), 1)
	require.ErrorIs(t, err, store.ErrInvalid)
}

// testScanAfterGone removes each key that a page ends with, and expects the others all the same.
func testScanAfterGone(t *testing.T, d store.Driver) {
	const items = 12
	want := map[store.Key]bool{}
	for i := range items {
		item := newItem(fmt.Sprint("pk", i%3), strconv.Itoa(i), 1, "body")
		put(t, d, item)
		want[item.Key] = true
	}
	found := scanAll(t, d, 2, func(next store.Key) {
		require.NoError(t, d.Delete(t.Context(), next, store.Condition{}))
	})
	require.Len(t, found, items)
	for _, item := range found {
		require.True(t, want[item.Key])
	}
}

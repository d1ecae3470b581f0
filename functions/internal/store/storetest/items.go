package storetest

import (
	"context"
	"strings"
	"testing"

	"boulevard/functions/internal/store"

	"github.com/stretchr/testify/require"
)

func testRoundTrip(t *testing.T, d store.Driver) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	for name, item := range map[string]store.Item{
		"a body of every byte":    newItem("pk", "bytes", 1, string(every)),
		"an empty body":           newItem("pk", "empty", 1, ""),
		"no body":                 {Key: key("pk", "none"), Rev: 1},
		"a body of 100 KB":        newItem("pk", "large", 1, strings.Repeat(string(every), 400)),
		"the largest body":        newItem("pk", "largest", 1, strings.Repeat("x", store.MaxBody)),
		"the least rev":           newItem("pk", "rev 0", 0, "body"),
		"the greatest rev":        newItem("pk", "rev max", store.MaxRev, "body"),
		"one that expires":        {Key: key("pk", "expires"), Rev: 1, Body: []byte("body"), Expires: 4102444800},
		"keys of the full length": newItem(strings.Repeat("p", store.MaxPK), strings.Repeat("s", store.MaxSK), 1, "body"),
		"keys of many scripts":    newItem("Łódź/東京", "🎲 'quoted' \"twice\" %_\\\x00\x7f", 1, "body"),
	} {
		t.Run(name, func(t *testing.T) {
			put(t, d, item)
			requireItem(t, d, item)
			found := walk(t.Context(), t, d, store.Query{PK: item.PK, From: item.SK, To: item.SK, Limit: 1})
			require.Equal(t, plainAll([]store.Item{item}), plainAll(found))
			require.NoError(t, d.Delete(t.Context(), item.Key, store.Condition{}))
			requireAbsent(t, d, item.Key)
		})
	}
	t.Run("the last of two writes", func(t *testing.T) {
		put(t, d, store.Item{Key: key("pk", "sk"), Rev: 9, Body: []byte("long before"), Expires: 5}, newItem("pk", "sk", 2, "now"))
		requireItem(t, d, newItem("pk", "sk", 2, "now"))
	})
}

func testAbsent(t *testing.T, d store.Driver) {
	requireAbsent(t, d, key("pk", "sk"))
	put(t, d, newItem("pk", "other", 1, ""))
	requireAbsent(t, d, key("pk", "sk"))
	require.NoError(t, d.Delete(t.Context(), key("pk", "sk"), store.Condition{}))
	page, err := d.Query(t.Context(), store.Query{PK: "nobody's", Limit: 10})
	require.NoError(t, err)
	require.Equal(t, store.Page{}, page)
}

func testPartitions(t *testing.T, d store.Driver) {
	put(t, d, newItem("a", "sk", 1, "of a"), newItem("b", "sk", 2, "of b"), newItem("a#sk", "sk", 3, "of a#sk"))
	require.Equal(t, []string{"sk"}, sortKeys(walk(t.Context(), t, d, store.Query{PK: "a", Limit: 10})))
	require.NoError(t, d.Delete(t.Context(), key("a", "sk"), store.Condition{}))
	requireAbsent(t, d, key("a", "sk"))
	requireItem(t, d, newItem("b", "sk", 2, "of b"))
	requireItem(t, d, newItem("a#sk", "sk", 3, "of a#sk"))
}

func testInvalid(t *testing.T, d store.Driver) {
	item := func(change func(*store.Item)) store.Item {
		it := newItem("pk", "sk", 1, "body")
		change(&it)
		return it
	}
	for name, it := range map[string]store.Item{
		"no partition key":     item(func(i *store.Item) { i.PK = "" }),
		"no sort key":          item(func(i *store.Item) { i.SK = "" }),
		"a long partition key": item(func(i *store.Item) { i.PK = strings.Repeat("p", store.MaxPK+1) }),
		"a long sort key":      item(func(i *store.Item) { i.SK = strings.Repeat("s", store.MaxSK+1) }),
		"a key not of text":    item(func(i *store.Item) { i.SK = "\xff" }),
		"a large body":         item(func(i *store.Item) { i.Body = make([]byte, store.MaxBody+1) }),
		"a great rev":          item(func(i *store.Item) { i.Rev = store.MaxRev + 1 }),
		"a time before 1970":   item(func(i *store.Item) { i.Expires = -1 }),
	} {
		t.Run(name, func(t *testing.T) { require.ErrorIs(t, d.Put(t.Context(), it, store.Condition{}), store.ErrInvalid) })
	}
	_, err := d.Get(t.Context(), store.Key{})
	require.ErrorIs(t, err, store.ErrInvalid)
	require.ErrorIs(t, d.Delete(t.Context(), store.Key{}, store.Condition{}), store.ErrInvalid)
	require.ErrorIs(t, d.Delete(t.Context(), key("pk", "sk"), store.IfOlder(store.MaxRev+1)), store.ErrInvalid)
	for _, q := range []store.Query{
		{Limit: 1}, {PK: "pk"}, {PK: "pk", Limit: -1}, {PK: "pk", Limit: store.MaxLimit + 1},
		{PK: "pk", Limit: 1, From: "\xff"}, {PK: "pk", Limit: 1, To: "\xff"}, {PK: "pk", Limit: 1, After: "\xff"},
	} {
		_, err := d.Query(t.Context(), q)
		require.ErrorIs(t, err, store.ErrInvalid, "%+v", q)
	}
}

func testCancelled(t *testing.T, d store.Driver) {
	before := newItem("pk", "sk", 1, "before")
	put(t, d, before)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := d.Get(ctx, before.Key)
	require.ErrorIs(t, err, context.Canceled)
	_, err = d.Query(ctx, store.Query{PK: "pk", Limit: 1})
	require.ErrorIs(t, err, context.Canceled)
	err = d.Put(ctx, newItem("pk", "sk", 2, "after"), store.Condition{})
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, store.ErrOutcomeUnknown)
	err = d.Delete(ctx, before.Key, store.Condition{})
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, store.ErrOutcomeUnknown)
	requireItem(t, d, before)
}

// testExpired pins that no driver hides an expired item: a reader that cares looks at Expires.
func testExpired(t *testing.T, d store.Driver) {
	long := store.Item{Key: key("pk", "sk"), Rev: 1, Body: []byte("gone"), Expires: 1}
	put(t, d, long)
	requireItem(t, d, long)
	require.Len(t, walk(t.Context(), t, d, store.Query{PK: "pk", Limit: 10}), 1)
}

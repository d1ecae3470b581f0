package storetest

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"boulevard/functions/internal/store"

	"github.com/stretchr/testify/require"
)

func testOrder(t *testing.T, d store.Driver) {
	sks := []string{
		"#", "#1", "0", "1", "10", "2", "9", "A", "B", "Z", "_", "a", "a#", "a#1", "aa", "b", "z", "~", "\x00", "\x01", "a\x00b",
		"é", "e", "É", "ß", "Ω", "東", "\uffff", "🎲", "\ue000",
	}
	for _, sk := range sks {
		put(t, d, newItem("pk", sk, 1, sk))
	}
	sort.Strings(sks) // Go compares strings by their bytes
	require.Equal(t, sks, sortKeys(walk(t.Context(), t, d, store.Query{PK: "pk", Limit: store.MaxLimit})))
	require.Equal(t, sks, sortKeys(walk(t.Context(), t, d, store.Query{PK: "pk", Limit: 7})))
	slices.Reverse(sks)
	require.Equal(t, sks, sortKeys(walk(t.Context(), t, d, store.Query{PK: "pk", Limit: 7, Descending: true})))
}

// bounded are queries of the sort keys A, B, B1, C and D, and what each lists.
var bounded = []struct {
	from, to, after string
	descending      bool
	want            string
}{
	{want: "A B B1 C D"},
	{from: "B", want: "B B1 C D"},
	{to: "B", want: "A B"},
	{from: "B", to: "C", want: "B B1 C"},
	{from: "B", to: "B", want: "B"},
	{from: "B0", to: "B9", want: "B1"},
	{from: "C", to: "B"},
	{from: "E"},
	{to: "@"},
	{after: "B", want: "B1 C D"},
	{after: "B0", want: "B1 C D"},
	{from: "B", to: "C", after: "B", want: "B1 C"},
	{from: "B", to: "C", after: "A", want: "B B1 C"},
	{from: "B", to: "C", after: "C"},
	{from: "B", to: "C", after: "D"},
	{after: "D"},
	{descending: true, want: "D C B1 B A"},
	{descending: true, from: "B", to: "C", want: "C B1 B"},
	{descending: true, after: "C", want: "B1 B A"},
	{descending: true, from: "B", to: "C", after: "C", want: "B1 B"},
	{descending: true, from: "B", to: "C", after: "D", want: "C B1 B"},
	{descending: true, from: "B", to: "C", after: "B"},
	{descending: true, from: "B", to: "C", after: "A"},
	{descending: true, from: "C", to: "B"},
}

func testBounds(t *testing.T, d store.Driver) {
	for _, sk := range []string{"A", "B", "B1", "C", "D"} {
		put(t, d, newItem("pk", sk, 1, ""))
	}
	for _, c := range bounded {
		t.Run(fmt.Sprintf("from %q to %q after %q, descending %t", c.from, c.to, c.after, c.descending), func(t *testing.T) {
			found := walk(t.Context(), t, d, store.Query{
				PK: "pk", From: c.from, To: c.to, After: c.after, Limit: 2, Descending: c.descending,
			})
			require.Equal(t, c.want, strings.Join(sortKeys(found), " "))
		})
	}
}

func testPaging(t *testing.T, d store.Driver) {
	const items = 25
	want := make([]string, 0, items)
	for i := range items {
		sk := fmt.Sprintf("PAGE#%03d", i)
		put(t, d, newItem("pk", sk, 1, sk))
		want = append(want, sk)
	}
	for _, limit := range []int{1, 5, 24, 25, 26, store.MaxLimit} {
		t.Run(fmt.Sprintf("%d a page", limit), func(t *testing.T) {
			q := store.Query{PK: "pk", Limit: limit}
			first, err := d.Query(t.Context(), q)
			require.NoError(t, err)
			require.Len(t, first.Items, min(limit, len(want)), "small items fill a page")
			require.Equal(t, want, sortKeys(walk(t.Context(), t, d, q)))
		})
	}
	last, err := d.Query(t.Context(), store.Query{PK: "pk", Limit: 1, Descending: true})
	require.NoError(t, err)
	require.Equal(t, want[24:], sortKeys(last.Items))
}

func testPageAfterGone(t *testing.T, d store.Driver) {
	put(t, d, newItem("pk", "1", 1, ""), newItem("pk", "2", 1, ""), newItem("pk", "3", 1, ""))
	page, err := d.Query(t.Context(), store.Query{PK: "pk", Limit: 2})
	require.NoError(t, err)
	require.NotEmpty(t, page.Next)
	require.NoError(t, d.Delete(t.Context(), key("pk", page.Next), store.Condition{}))
	rest := walk(t.Context(), t, d, store.Query{PK: "pk", Limit: 2, After: page.Next})
	require.Equal(t, []string{"3"}, sortKeys(rest))
}

// testLargePages passes the megabyte that DynamoDB puts into one answer.
func testLargePages(t *testing.T, d store.Driver) {
	const items = 8
	want := make([]store.Item, 0, items)
	for i := range items {
		it := newItem("pk", strconv.Itoa(i), 1, strings.Repeat(strconv.Itoa(i), 300<<10))
		put(t, d, it)
		want = append(want, it)
	}
	for _, limit := range []int{2, store.MaxLimit} {
		found := walk(t.Context(), t, d, store.Query{PK: "pk", Limit: limit})
		require.Equal(t, sortKeys(want), sortKeys(found))
		require.Equal(t, plainAll(want), plainAll(found))
	}
}

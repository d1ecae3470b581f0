package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"boulevard/functions/internal/store"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// model is one partition as a plain map by sort key: too simple to be wrong.
type model map[string]store.Item

func (m model) current(sk string) *store.Item {
	if item, ok := m[sk]; ok {
		return &item
	}
	return nil
}

// list is all that a query selects, its limit aside.
func (m model) list(q store.Query) []store.Item {
	items := []store.Item{}
	for sk, item := range m {
		inside := sk >= q.From && (q.To == "" || sk <= q.To)
		behind := q.After == "" || !q.Descending && sk > q.After || q.Descending && sk < q.After
		if inside && behind {
			items = append(items, item)
		}
	}
	slices.SortFunc(items, func(a, b store.Item) int { return strings.Compare(a.SK, b.SK) })
	if q.Descending {
		slices.Reverse(items)
	}
	return items
}

// testModel lets rapid look for a sequence of calls after which the driver and the model differ, and shorten it.
func testModel(t *testing.T, d store.Driver) {
	var tries atomic.Int64
	rapid.Check(t, func(rt *rapid.T) {
		m := machine{ctx: t.Context(), d: d, pk: fmt.Sprintf("try %d", tries.Add(1)), model: model{}}
		rt.Repeat(map[string]func(*rapid.T){
			"get": m.get, "put": m.put, "delete": m.delete, "query": m.query,
		})
	})
}

type machine struct {
	ctx   context.Context
	d     store.Driver
	pk    string
	model model
}

// The keys leave out characters beyond U+FFFF: dynalite lists them in byte order but checks where a page continues in the
// order of UTF-16, which differs only there. testOrder has them.
var (
	someSK   = rapid.SampledFrom([]string{"A", "A#", "A#1", "B", "a", "é", "東", "\uffee"})
	someMark = rapid.OneOf(rapid.Just(""), someSK, rapid.SampledFrom([]string{"0", "A#0", "AA", "zz"}))
	someRev  = rapid.Uint64Range(0, 4)
	someWhen = rapid.Custom(func(t *rapid.T) store.Condition {
		rev := someRev.Draw(t, "rev of the condition")
		return rapid.SampledFrom([]store.Condition{
			{}, store.IfAbsent(), store.IfRev(rev), store.IfOlder(rev),
		}).Draw(t, "condition")
	})
)

func (m *machine) get(t *rapid.T) {
	sk := someSK.Draw(t, "sk")
	item, err := m.d.Get(m.ctx, key(m.pk, sk))
	want := m.model.current(sk)
	if want == nil {
		require.ErrorIs(t, err, store.ErrNotFound)
		return
	}
	require.NoError(t, err)
	require.Equal(t, plain(*want), plain(item))
}

func (m *machine) put(t *rapid.T) {
	item := store.Item{
		Key:     key(m.pk, someSK.Draw(t, "sk")),
		Rev:     someRev.Draw(t, "rev"),
		Body:    rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "body"),
		Expires: rapid.Int64Range(0, 2).Draw(t, "expires"),
	}
	when, current := someWhen.Draw(t, "when"), m.model.current(item.SK)
	err := m.d.Put(m.ctx, item, when)
	if !when.Holds(current) {
		requireFailed(t, err, current)
		return
	}
	require.NoError(t, err)
	m.model[item.SK] = item
}

func (m *machine) delete(t *rapid.T) {
	sk, when := someSK.Draw(t, "sk"), someWhen.Draw(t, "when")
	current := m.model.current(sk)
	err := m.d.Delete(m.ctx, key(m.pk, sk), when)
	if current != nil && !when.Holds(current) {
		requireFailed(t, err, current)
		return
	}
	require.NoError(t, err)
	delete(m.model, sk)
}

func (m *machine) query(t *rapid.T) {
	q := store.Query{
		PK: m.pk, From: someMark.Draw(t, "from"), To: someMark.Draw(t, "to"), After: someMark.Draw(t, "after"),
		Descending: rapid.Bool().Draw(t, "descending"), Limit: rapid.IntRange(1, 10).Draw(t, "limit"),
	}
	require.Equal(t, plainAll(m.model.list(q)), plainAll(walk(m.ctx, t, m.d, q)), "%+v", q)
}

func requireFailed(t require.TestingT, err error, current *store.Item) {
	var failed *store.ConditionFailed
	require.ErrorAs(t, err, &failed)
	if current == nil {
		require.Nil(t, failed.Current)
		return
	}
	require.NotNil(t, failed.Current)
	require.Equal(t, plain(*current), plain(*failed.Current))
}

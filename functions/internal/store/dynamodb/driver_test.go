package dynamodb_test

import (
	"testing"

	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb/dynamotest"

	"github.com/stretchr/testify/require"
)

func TestSmoke(t *testing.T) {
	d := dynamotest.New(t)
	it := store.Item{Key: store.Key{PK: "p", SK: "s"}, Rev: 3, Body: []byte{}}
	require.NoError(t, d.Put(t.Context(), it, store.IfAbsent()))
	err := d.Put(t.Context(), it, store.IfAbsent())
	t.Logf("%#v", err)
	var f *store.ConditionFailed
	require.ErrorAs(t, err, &f)
	t.Logf("%#v", f.Current)
	p, err := d.Query(t.Context(), store.Query{PK: "p", Limit: 1})
	t.Logf("%#v %v", p, err)
	p, err = d.Query(t.Context(), store.Query{PK: "p", Limit: 2})
	t.Logf("%#v %v", p, err)
}

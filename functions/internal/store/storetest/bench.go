package storetest

import (
	"bytes"
	"strconv"
	"testing"

	"boulevard/functions/internal/store"

	"github.com/stretchr/testify/require"
)

// benchBody is about a four-player game's HEAD: 1 KB.
var benchBody = bytes.Repeat([]byte{0xA5}, 1000)

// BenchmarkPut commits versions of one item, each on the condition of the one before, as a game does.
func BenchmarkPut(b *testing.B, d store.Driver) {
	b.ReportAllocs()
	item := store.Item{Key: key("bench", "HEAD"), Body: benchBody}
	require.NoError(b, d.Put(b.Context(), item, store.Condition{}))
	for b.Loop() {
		before := item.Rev
		item.Rev++
		if err := d.Put(b.Context(), item, store.IfRev(before)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGet reads a thousand items in turn, from as many goroutines as there are processors.
func BenchmarkGet(b *testing.B, d store.Driver) {
	const items = 1000
	for i := range items {
		it := store.Item{Key: key("bench", strconv.Itoa(i)), Rev: 1, Body: benchBody}
		require.NoError(b, d.Put(b.Context(), it, store.Condition{}))
	}
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			if _, err := d.Get(b.Context(), key("bench", strconv.Itoa(i%items))); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

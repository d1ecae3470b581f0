package store_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/store"
)

const expires = 1_790_010_800

func watchers(t *testing.T, table *store.Table, game string) (all []string) {
	t.Helper()
	for after := ""; ; {
		ids, next, err := table.Watchers(t.Context(), game, after)
		require.NoError(t, err)
		all = append(all, ids...)
		if next == "" {
			return all
		}
		after = next
	}
}

func TestSocket_WatchesUntilItUnwatchesOrCloses(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := store.NewTable(driver)
		for _, id := range []string{"one=", "two="} {
			require.NoError(t, table.OpenSocket(t.Context(), id, "ann", expires))
			require.NoError(t, table.Watch(t.Context(), id, []string{"a", "b", "a"}, 2))
		}
		require.Equal(t, []string{"one=", "two="}, watchers(t, table, "a"))
		require.ErrorIs(t, table.Watch(t.Context(), "one=", []string{"b", "c"}, 2), store.ErrTooManyGames)
		require.Empty(t, watchers(t, table, "c"))

		require.NoError(t, table.Unwatch(t.Context(), "one=", []string{"a", "none"}))
		require.NoError(t, table.Watch(t.Context(), "one=", []string{"c"}, 2))
		require.Equal(t, []string{"two="}, watchers(t, table, "a"))
		for range 2 {
			require.NoError(t, table.CloseSocket(t.Context(), "one="))
		}
		require.Equal(t, []string{"two="}, watchers(t, table, "b"))
		require.Empty(t, watchers(t, table, "c"))
		require.ErrorIs(t, table.Watch(t.Context(), "one=", []string{"a"}, 2), store.ErrNotFound)

		item, err := driver.Get(t.Context(), store.Key{PK: "WATCH#a", SK: "two="})
		require.NoError(t, err)
		require.EqualValues(t, expires, item.Expires)
	})
}

func TestSocket_MessagesAtTheSameTime_LoseNothing(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := store.NewTable(driver)
		require.NoError(t, table.OpenSocket(t.Context(), "one=", "ann", expires))
		var done sync.WaitGroup
		for i := range 4 {
			done.Go(func() {
				if err := table.Watch(t.Context(), "one=", []string{fmt.Sprint("game", i)}, 100); err != nil {
					t.Error(err)
				}
			})
		}
		done.Wait()
		require.NoError(t, table.CloseSocket(t.Context(), "one="))
		for i := range 4 {
			require.Empty(t, watchers(t, table, fmt.Sprint("game", i)))
		}
	})
}

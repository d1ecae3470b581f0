package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"boulevard/functions/internal/store"

	"github.com/stretchr/testify/require"
)

const rivals = 8

// together runs do in rivals goroutines and returns what each returned.
func together(do func(i int) error) []error {
	errs := make([]error, rivals)
	var all sync.WaitGroup
	for i := range rivals {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	return errs
}

func testRivals(t *testing.T, d store.Driver) {
	const rounds = 20
	put(t, d, newItem("pk", "sk", 0, "start"))
	for rev := range uint64(rounds) {
		offers := make([]store.Item, rivals)
		errs := together(func(i int) error {
			offers[i] = newItem("pk", "sk", rev+1, fmt.Sprintf("rival %d at %d", i, rev))
			return d.Put(t.Context(), offers[i], store.IfRev(rev))
		})
		requireOneWinner(t, d, offers, errs)
	}
	t.Run("to be the first", func(t *testing.T) {
		offers := make([]store.Item, rivals)
		errs := together(func(i int) error {
			offers[i] = newItem("pk", "new", 1, fmt.Sprintf("rival %d", i))
			return d.Put(t.Context(), offers[i], store.IfAbsent())
		})
		requireOneWinner(t, d, offers, errs)
	})
}

func requireOneWinner(t *testing.T, d store.Driver, offers []store.Item, errs []error) {
	t.Helper()
	var winners []store.Item
	for i, err := range errs {
		if err == nil {
			winners = append(winners, offers[i])
		}
	}
	require.Len(t, winners, 1)
	requireItem(t, d, winners[0])
	for _, err := range errs {
		if err == nil {
			continue
		}
		var failed *store.ConditionFailed
		require.ErrorAs(t, err, &failed)
		require.NotNil(t, failed.Current)
		require.Equal(t, plain(winners[0]), plain(*failed.Current))
	}
}

// testIncrements has everyone count one item up, going on from the item that a lost race brought back.
func testIncrements(t *testing.T, d store.Driver) {
	const each = 10
	put(t, d, newItem("pk", "sk", 0, ""))
	errs := together(func(int) error {
		for range each {
			if err := increment(t.Context(), d); err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(t, errors.Join(errs...))
	requireItem(t, d, newItem("pk", "sk", rivals*each, ""))
}

func increment(ctx context.Context, d store.Driver) error {
	current, err := d.Get(ctx, key("pk", "sk"))
	for err == nil {
		next := newItem("pk", "sk", current.Rev+1, "")
		err = d.Put(ctx, next, store.IfRev(current.Rev))
		var failed *store.ConditionFailed
		if !errors.As(err, &failed) {
			return err
		}
		current, err = *failed.Current, nil
	}
	return err
}

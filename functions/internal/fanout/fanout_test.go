package fanout_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/fanout"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/sqlite"
)

func open(t *testing.T) *sqlite.Driver {
	t.Helper()
	driver, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "boulevard.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, driver.Close()) })
	return driver
}

func newHead() store.Head {
	ann := store.Player{ID: "ann", Name: "Ann"}
	return store.Head{
		ID: "a", Version: 1, Game: "lords-of-vegas", Rules: 1, Status: store.Open, Seats: 2, Players: []store.Player{ann},
		Created: 1_790_000_000_000, Tail: []store.Entry{{Deed: store.Create, Player: &ann}},
	}
}

// D3, for what there is to derive so far: the same change twice, or late, has the effect of one.
func TestD3_SameChangeTwice_OrLate_LeavesWhatTheNewestSays(t *testing.T) {
	t.Parallel()
	table := store.NewTable(open(t))
	consumer := fanout.NewConsumer(table)
	first := newHead()
	second := first
	second.Version = 2
	second.Players = append(second.Players, store.Player{ID: "bob", Name: "Bob"})
	for _, head := range []store.Head{first, first, second, first, second} {
		require.NoError(t, consumer.Follow(t.Context(), head))
	}
	games, _, err := table.OpenGames(t.Context(), "", 10)
	require.NoError(t, err)
	require.Len(t, games, 1)
	require.Len(t, games[0].Players, 2)

	started := second
	started.Version, started.Status = 3, store.Playing
	for range 2 {
		require.NoError(t, consumer.Follow(t.Context(), started))
	}
	games, _, err = table.OpenGames(t.Context(), "", 10)
	require.NoError(t, err)
	require.Empty(t, games)
}

// failing fails what derived items are written with.
type failing struct{ store.Driver }

var errBroken = errors.New("broken")

func (f failing) Put(ctx context.Context, item store.Item, when store.Condition) error {
	if item.PK == "OPEN" {
		return errBroken
	}
	return f.Driver.Put(ctx, item, when)
}

func TestInline_ConsumerFails_TheWriteStands_AndTheLogTells(t *testing.T) {
	t.Parallel()
	var logged bytes.Buffer
	table := store.NewTable(failing{open(t)})
	inline := fanout.Inline{Table: table, Consumer: fanout.NewConsumer(table), Log: slog.New(slog.NewJSONHandler(&logged, nil))}
	require.NoError(t, inline.Create(t.Context(), newHead()))
	stored, err := table.Head(t.Context(), "a")
	require.NoError(t, err)
	require.EqualValues(t, 1, stored.Version)
	require.Contains(t, logged.String(), "change not followed")
}

// follower remembers the versions that it was told of, and fails.
type follower struct{ versions []uint64 }

func (f *follower) Follow(_ context.Context, head store.Head) error {
	f.versions = append(f.versions, head.Version)
	return errBroken
}

func TestFollowers_AreAllTold_ThoughOneFails(t *testing.T) {
	t.Parallel()
	first, second := &follower{}, &follower{}
	require.ErrorIs(t, fanout.Followers{first, second}.Follow(t.Context(), newHead()), errBroken)
	require.Equal(t, []uint64{1}, first.versions)
	require.Equal(t, []uint64{1}, second.versions)
}

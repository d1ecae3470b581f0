package store_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/store"
)

// town is a table with games of every status, and what is derived from them: 0 and 1 are open, 2 and 3 are played, 4 is
// finished, 5 was cancelled. Ann sits at all of them but the last, Bob at 1 to 4.
func town(t *testing.T, driver store.Driver) *store.Table {
	t.Helper()
	table := store.NewTable(driver)
	ann, bob := store.Player{ID: "ann", Name: "Ann"}, store.Player{ID: "bob", Name: "Bob"}
	for i, c := range []struct {
		status  store.Status
		players []store.Player
	}{
		{store.Open, []store.Player{ann}},
		{store.Open, []store.Player{ann, bob}},
		{store.Playing, []store.Player{ann, bob}},
		{store.Playing, []store.Player{ann, bob}},
		{store.Finished, []store.Player{ann, bob}},
		{store.Cancelled, nil},
	} {
		head := store.Head{
			ID: strconv.Itoa(i), Version: 1, Game: "lords-of-vegas", Rules: 1, Status: c.status, Seats: 4, Players: c.players,
			Created: 1_790_000_000_000 + int64(i), Tail: []store.Entry{{Key: keyOf(1)}},
		}
		require.NoError(t, table.Create(t.Context(), head))
		require.NoError(t, table.Derive(t.Context(), nil, &head))
	}
	return table
}

func openKeyOf(game int) store.Key {
	return store.Key{PK: "OPEN", SK: fmt.Sprintf("%d#%d", 1_790_000_000_000+game, game)}
}

func seatKeyOf(player string, game int) store.Key {
	return store.Key{PK: "PLAYER#" + player, SK: fmt.Sprintf("GAME#%d", game)}
}

func TestDifferences_OfAHealthyTable_AreNone(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		found, err := town(t, driver).Differences(t.Context())
		require.NoError(t, err)
		require.Empty(t, found)
	})
}

func TestDifferences_AreExactlyWhatWasMeddledWith_AndRepairMendsThem(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := town(t, driver)
		remove := func(key store.Key) { require.NoError(t, driver.Delete(t.Context(), key, store.Condition{})) }
		write := func(key store.Key, body string) {
			item := store.Item{Key: key, Rev: 99, Body: []byte(body)}
			require.NoError(t, driver.Put(t.Context(), item, store.Condition{}))
		}
		remove(openKeyOf(0))
		write(openKeyOf(1), "altered")
		write(openKeyOf(4), "of a game that is finished")
		write(openKeyOf(9), "of no game")
		remove(seatKeyOf("ann", 2))
		write(seatKeyOf("bob", 3), "altered")
		write(seatKeyOf("bob", 5), "")
		write(store.Key{PK: "OPEN", SK: "of nothing"}, "")
		want := []store.Difference{
			{Fault: store.Missing, Key: openKeyOf(0), Game: "0"},
			{Fault: store.Stale, Key: openKeyOf(1), Game: "1"},
			{Fault: store.Superfluous, Key: openKeyOf(4), Game: "4"},
			{Fault: store.Superfluous, Key: openKeyOf(9), Game: "9"},
			{Fault: store.Superfluous, Key: store.Key{PK: "OPEN", SK: "of nothing"}},
			{Fault: store.Missing, Key: seatKeyOf("ann", 2), Game: "2"},
			{Fault: store.Stale, Key: seatKeyOf("bob", 3), Game: "3"},
			{Fault: store.Superfluous, Key: seatKeyOf("bob", 5), Game: "5"},
		}
		found, err := table.Differences(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, found)

		for _, difference := range found {
			require.NoError(t, table.Repair(t.Context(), difference))
		}
		found, err = table.Differences(t.Context())
		require.NoError(t, err)
		require.Empty(t, found)
		games, _, err := table.OpenGames(t.Context(), "", 10)
		require.NoError(t, err)
		require.Len(t, games, 2)
		require.Equal(t, "1", games[1].ID)
		require.Len(t, games[1].Players, 2)
	})
}

// Whatever could be derived from a head that cannot be read stays as it is.
func TestDifferences_UnreadableHead_IsTold_AndItsItemsAreLeftAlone(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := town(t, driver)
		key := store.Key{PK: "GAME#1", SK: "HEAD"}
		require.NoError(t, driver.Put(t.Context(), store.Item{Key: key, Rev: 2, Body: []byte{0xff}}, store.Condition{}))
		found, err := table.Differences(t.Context())
		require.NoError(t, err)
		require.Equal(t, []store.Difference{{Fault: store.Unreadable, Key: key, Game: "1"}}, found)
		require.ErrorContains(t, table.Repair(t.Context(), found[0]), "nothing can be derived")
	})
}

// moving is a driver under which a game moves on right after a derived item was first written.
type moving struct {
	store.Driver
	move func()
}

func (m *moving) Put(ctx context.Context, item store.Item, when store.Condition) error {
	err := m.Driver.Put(ctx, item, when)
	if item.PK == "OPEN" && m.move != nil {
		move := m.move
		m.move = nil
		move()
	}
	return err
}

func TestRepair_GameThatMovesMeanwhile_IsFollowed(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := town(t, driver)
		require.NoError(t, driver.Delete(t.Context(), openKeyOf(0), store.Condition{}))
		before, err := table.Head(t.Context(), "0")
		require.NoError(t, err)
		busy := &moving{Driver: driver, move: func() {
			after := before
			after.Status = store.Playing
			require.NoError(t, table.Commit(t.Context(), before, &after, store.Entry{Key: keyOf(2)}))
		}}
		difference := store.Difference{Fault: store.Missing, Key: openKeyOf(0), Game: "0"}
		require.NoError(t, store.NewTable(busy).Repair(t.Context(), difference))
		_, err = driver.Get(t.Context(), openKeyOf(0))
		require.ErrorIs(t, err, store.ErrNotFound)
	})
}

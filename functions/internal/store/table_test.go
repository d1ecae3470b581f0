package store_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine/codec"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb/dynamotest"
	"boulevard/functions/internal/store/sqlite"
)

func onEachDriver(t *testing.T, test func(t *testing.T, driver store.Driver)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		driver, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "boulevard.db"))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, driver.Close()) })
		test(t, driver)
	})
	t.Run("dynamodb", func(t *testing.T) {
		t.Parallel()
		test(t, dynamotest.New(t))
	})
}

// created is a game that has just been made.
func created(t *testing.T, table *store.Table) store.Head {
	t.Helper()
	ann := store.Player{ID: "01KBANNANNANNANNANNANNANNA", Name: "Ann"}
	head := store.Head{
		ID: "a", Version: 1, Game: "lords-of-vegas", Rules: 1, Options: map[string]string{"risers": "off"},
		Status: store.Open, Seats: 4, Players: []store.Player{ann}, Created: 1_790_000_000_000, SecretKey: "0badcafe",
		Tail: []store.Entry{{Deed: store.Create, Player: &ann, Key: keyOf(1)}},
	}
	require.NoError(t, table.Create(t.Context(), head))
	return head
}

func keyOf(version uint64) store.KeyHash {
	return store.KeyHash{byte(version), byte(version >> 8), 3, 4, 5, 6, 7, 8}
}

// played commits a play on head, which leads to a state of the given size.
func played(t *testing.T, table *store.Table, head store.Head, size int) store.Head {
	t.Helper()
	after := head
	after.Status, after.State = store.Playing, bytes.Repeat([]byte{byte(head.Version)}, size)
	entry := store.Entry{Action: []byte{1, 0x83, 0x62, 'A', '2', 3}, Key: keyOf(head.Version + 1), After: int64(head.Version) * 9e6}
	require.NoError(t, table.Commit(t.Context(), head, &after, entry))
	return after
}

func TestCommit_ReadsBackAsWritten(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := store.NewTable(driver)
		head := created(t, table)
		for range 20 {
			head = played(t, table, head, 300)
			stored, err := table.Head(t.Context(), "a")
			require.NoError(t, err)
			require.Equal(t, head, stored)
		}
	})
}

func TestCommit_OnAnOldVersion_BringsTheWinnerBack(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := store.NewTable(driver)
		old := created(t, table)
		winner := played(t, table, old, 10)
		after := old
		err := table.Commit(t.Context(), old, &after, store.Entry{Key: keyOf(9)})
		var moved *store.Moved
		require.ErrorAs(t, err, &moved)
		require.Equal(t, winner, moved.Head)

		err = table.Create(t.Context(), old)
		require.ErrorAs(t, err, &moved)
		require.Equal(t, winner, moved.Head)
	})
}

func TestHead_OfNoGame_IsNotFound(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		_, err := store.NewTable(driver).Head(t.Context(), "none")
		require.ErrorIs(t, err, store.ErrNotFound)
	})
}

func TestJournal_EveryEntryIsInOnePageOrTheTail_InOrder(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := store.NewTable(driver)
		head := created(t, table)
		states := map[uint64][]byte{1: nil}
		for range 200 {
			head = played(t, table, head, 300)
			states[head.Version] = head.State
		}
		version := uint64(1)
		for version < head.First() {
			page, found, err := table.PageWith(t.Context(), "a", version)
			require.NoError(t, err)
			require.True(t, found)
			require.Equal(t, version, page.First())
			require.Equal(t, states[page.Last], page.State)
			for _, entry := range page.Entries {
				require.Equal(t, keyOf(version), entry.Key)
				version++
			}
		}
		for _, entry := range head.Tail {
			require.Equal(t, keyOf(version), entry.Key)
			version++
		}
		require.Equal(t, head.Version+1, version)

		_, found, err := table.PageWith(t.Context(), "a", head.First())
		require.NoError(t, err)
		require.False(t, found, "what is in the tail is in no page")
		_, found, err = table.PageWith(t.Context(), "b", 1)
		require.NoError(t, err)
		require.False(t, found)
	})
}

// D2: a game of 5,000 actions.
func TestD2_LongGame_StaysWithinItsSize_AndItsWrites(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		writes := &counting{Driver: driver}
		table := store.NewTable(writes)
		head := created(t, table)
		for range 5000 {
			head = played(t, table, head, 300)
			require.LessOrEqual(t, head.Size(), 1024)
		}
		require.LessOrEqual(t, writes.largest, 2048, "a page is no larger than two write units")
		require.Less(t, writes.count, 5000*12/10)
	})
}

// A large state does not fit beside a journal: then the page comes rarely enough to be worth its writes.
func TestCommit_LargeState_TurnsPagesSeldom(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		writes := &counting{Driver: driver}
		table := store.NewTable(writes)
		head := created(t, table)
		for range 100 {
			head = played(t, table, head, 4000)
		}
		require.LessOrEqual(t, writes.count, 1+100+100/4+1)
	})
}

// A crash between the page and the head, or a lost race, leaves a page that is true.
func TestCommit_PageWithoutItsHead_IsHarmless(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		cut := &cutting{Driver: driver}
		table := store.NewTable(cut)
		head := created(t, table)
		for range 60 {
			cut.armed = true
			after := head
			err := table.Commit(t.Context(), head, &after, store.Entry{Key: keyOf(head.Version + 1)})
			require.ErrorIs(t, err, store.ErrUnavailable)
			cut.armed = false
			stored, err := table.Head(t.Context(), "a")
			require.NoError(t, err)
			require.Equal(t, head, stored)
			head = played(t, table, head, 300)
		}
		for version := uint64(1); version < head.First(); version++ {
			page, found, err := table.PageWith(t.Context(), "a", version)
			require.NoError(t, err)
			require.True(t, found)
			require.Equal(t, keyOf(version), page.Entries[version-page.First()].Key)
		}
	})
}

// V3, for the head: what a newer build put there survives an older one's commits.
func TestV3_KeysOfANewerHead_SurviveACommit(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := store.NewTable(driver)
		created(t, table)
		key := store.Key{PK: "GAME#a", SK: "HEAD"}
		item, err := driver.Get(t.Context(), key)
		require.NoError(t, err)
		newer := codec.Foreign{}
		require.NoError(t, codec.Decode(item.Body, &newer))
		newer[uint64(99)] = []byte{0x18, 0x2a}
		item.Body, err = codec.Encode(newer)
		require.NoError(t, err)
		require.NoError(t, driver.Put(t.Context(), item, store.IfRev(1)))

		head, err := table.Head(t.Context(), "a")
		require.NoError(t, err)
		played(t, table, head, 100)
		item, err = driver.Get(t.Context(), key)
		require.NoError(t, err)
		kept := codec.Foreign{}
		require.NoError(t, codec.Decode(item.Body, &kept))
		require.Equal(t, newer[uint64(99)], kept[uint64(99)])
	})
}

func FuzzHeadOf(f *testing.F) {
	f.Add(uint64(1), []byte{0xa0})
	f.Add(uint64(3), []byte{0xa1, 0x01, 0x63, 'a', 'b', 'c'})
	f.Fuzz(func(t *testing.T, rev uint64, body []byte) {
		head, err := store.HeadOf(store.Item{Key: store.Key{PK: "GAME#a", SK: "HEAD"}, Rev: rev, Body: body})
		if err == nil {
			require.LessOrEqual(t, head.First(), head.Version)
			require.NotZero(t, head.First())
		}
	})
}

package store_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/store"
)

const noon = int64(1_790_000_000_000)

func queued(player string, at int64, version uint64, channel string) store.Notice {
	return store.Notice{
		NoticeKey: store.NoticeKey{Player: player, At: at, Game: "g", Version: version, Channel: channel},
		Kinds:     []string{"your_turn"}, State: store.Queued, Changed: at,
	}
}

func TestNotice_AddedTwice_IsOne(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := store.NewTable(driver)
		n := queued("ann", noon, 7, "mail")
		require.NoError(t, table.AddNotice(t.Context(), n))
		stored, err := table.Notice(t.Context(), n.NoticeKey)
		require.NoError(t, err)
		stored.State = store.Sent
		require.NoError(t, table.ChangeNotice(t.Context(), &stored))

		require.NoError(t, table.AddNotice(t.Context(), n))
		again, err := table.Notice(t.Context(), n.NoticeKey)
		require.NoError(t, err)
		require.Equal(t, store.Sent, again.State, "what has become of it stays")
	})
}

// The record that says so makes one sender the sender.
func TestNotice_ClaimedByMany_IsOneSenders(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := store.NewTable(driver)
		n := queued("ann", noon, 7, "mail")
		require.NoError(t, table.AddNotice(t.Context(), n))
		var claimed atomic.Int64
		var senders sync.WaitGroup
		read, err := table.Notice(t.Context(), n.NoticeKey)
		require.NoError(t, err)
		for range 8 {
			senders.Go(func() {
				mine := read
				mine.State = store.Sent
				if table.ChangeNotice(t.Context(), &mine) == nil {
					claimed.Add(1)
				}
			})
		}
		senders.Wait()
		require.EqualValues(t, 1, claimed.Load())
		read, err = table.Notice(t.Context(), n.NoticeKey)
		require.NoError(t, err)
		read.State = store.Accepted
		require.NoError(t, table.ChangeNotice(t.Context(), &read))
		read.State = store.Failed
		require.NoError(t, table.ChangeNotice(t.Context(), &read), "whoever wrote last may go on")
	})
}

func TestNotices_AreListedNewestFirst_AndByVersion(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := store.NewTable(driver)
		for _, n := range []store.Notice{
			queued("ann", noon, 7, "mail"), queued("ann", noon, 7, "push"), queued("ann", noon+1, 8, "push"), queued("bob", noon, 7, "mail"),
		} {
			require.NoError(t, table.AddNotice(t.Context(), n))
		}
		list, next, err := table.Notices(t.Context(), "ann", "", 2)
		require.NoError(t, err)
		require.Len(t, list, 2)
		require.Equal(t, []uint64{8, 7}, []uint64{list[0].Version, list[1].Version})
		list, _, err = table.Notices(t.Context(), "ann", next, 2)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, "mail", list[0].Channel)

		same, err := table.NoticesOf(t.Context(), queued("ann", noon, 7, "").NoticeKey)
		require.NoError(t, err)
		require.Len(t, same, 2)
	})
}

func TestDue_IsListedUntilItIsDropped(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := store.NewTable(driver)
		late, soon := queued("ann", noon, 7, "mail"), queued("bob", noon, 7, "push")
		late.Due, soon.Due = noon+2000, noon+1000
		require.NoError(t, table.AddNotice(t.Context(), late))
		require.NoError(t, table.AddNotice(t.Context(), soon))
		due, err := table.DueNotices(t.Context(), noon+999, 10)
		require.NoError(t, err)
		require.Empty(t, due)
		due, err = table.DueNotices(t.Context(), noon+1000, 10)
		require.NoError(t, err)
		require.Len(t, due, 1)
		require.Equal(t, soon.NoticeKey, due[0].NoticeKey)
		require.NoError(t, table.DropDue(t.Context(), due[0]))
		due, err = table.DueNotices(t.Context(), noon+5000, 10)
		require.NoError(t, err)
		require.Len(t, due, 1)
		require.Equal(t, late.NoticeKey, due[0].NoticeKey)
	})
}

// Stream records and items need not be trusted.
func TestNotice_ThatMakesNoSense_IsRefused(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]store.Key{
		"no notice":   {PK: "GAME#g", SK: "HEAD"},
		"few parts":   {PK: "NOTICE#ann", SK: "0000000000001#g"},
		"no time":     {PK: "NOTICE#ann", SK: "then#g#0000000007#mail"},
		"no version":  {PK: "NOTICE#ann", SK: "0000000000001#g#seven#mail"},
		"minus seven": {PK: "NOTICE#ann", SK: "0000000000001#g#-7#mail"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := store.NoticeOf(store.Item{Key: key, Body: []byte{0xa0}})
			require.Error(t, err)
		})
	}
	_, err := store.NoticeOf(store.Item{Key: store.Key{PK: "NOTICE#ann", SK: "0000000000001#g#0000000007#mail"}, Body: []byte{0xa0}})
	require.Error(t, err, "it has no state")
}

func FuzzNoticeOf(f *testing.F) {
	f.Add("NOTICE#ann", "0000000000001#g#0000000007#mail", []byte{0xa2, 1, 0x81, 0x61, 'x', 2, 1})
	f.Fuzz(func(t *testing.T, pk, sk string, body []byte) {
		n, err := store.NoticeOf(store.Item{Key: store.Key{PK: pk, SK: sk}, Body: body})
		if err == nil {
			require.NotEmpty(t, n.Kinds)
			require.NotEmpty(t, n.State.String())
		}
	})
}

func TestContact_ChangedByMany_LosesNothing(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := store.NewTable(driver)
		var writers sync.WaitGroup
		for _, id := range []string{"a", "b", "c", "d"} {
			writers.Go(func() {
				_, err := table.ChangeContact(t.Context(), "ann", func(c *store.Contact) error {
					c.Channels = append(c.Channels, store.ContactChannel{ID: id})
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		writers.Wait()
		contact, err := table.Contact(t.Context(), "ann")
		require.NoError(t, err)
		require.Len(t, contact.Channels, 4)
		contact, err = table.Contact(t.Context(), "bob")
		require.NoError(t, err)
		require.Equal(t, store.Contact{Player: "bob"}, contact)
	})
}

func TestSeen_NeverGoesBack(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := store.NewTable(driver)
		for _, version := range []uint64{3, 7, 5} {
			require.NoError(t, table.SetSeen(t.Context(), "ann", "g", version, time.UnixMilli(noon)))
		}
		seen, err := table.Seen(t.Context(), "ann", "g")
		require.NoError(t, err)
		require.EqualValues(t, 7, seen)
		seen, err = table.Seen(t.Context(), "ann", "another")
		require.NoError(t, err)
		require.Zero(t, seen)
	})
}

func TestPlayerSockets_AreThoseThatHaveNotRunOut(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, driver store.Driver) {
		table := store.NewTable(driver)
		require.NoError(t, table.OpenSocket(t.Context(), "one=", "ann", expires))
		require.NoError(t, table.OpenSocket(t.Context(), "two=", "ann", expires+10))
		require.NoError(t, table.OpenSocket(t.Context(), "bobs=", "bob", expires))
		sockets, err := table.PlayerSockets(t.Context(), "ann", expires)
		require.NoError(t, err)
		require.Equal(t, []string{"two="}, sockets)
		require.NoError(t, table.CloseSocket(t.Context(), "two="))
		sockets, err = table.PlayerSockets(t.Context(), "ann", 0)
		require.NoError(t, err)
		require.Equal(t, []string{"one="}, sockets)
	})
}

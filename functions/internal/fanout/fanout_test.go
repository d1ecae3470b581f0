package fanout_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
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

// buffer is a log that tests read while it is written.
type buffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.String()
}

func newLog() (*slog.Logger, *buffer) {
	text := &buffer{}
	return slog.New(slog.NewJSONHandler(text, nil)), text
}

var (
	ann = store.Player{ID: "ann", Name: "Ann"}
	bob = store.Player{ID: "bob", Name: "Bob"}
)

func newHead(id string) store.Head {
	return store.Head{
		ID: id, Version: 1, Game: "lords-of-vegas", Rules: 1, Status: store.Open, Seats: 2, Players: []store.Player{ann},
		Created: 1_790_000_000_000, Tail: []store.Entry{{Deed: store.Create, Player: &ann}},
	}
}

// next is the head after an entry, with the players and status that it led to.
func next(head store.Head, status store.Status, entry store.Entry, players ...store.Player) store.Head {
	head.Version++
	head.Status, head.Players, head.Tail = status, players, []store.Entry{entry}
	return head
}

// life is all the heads of a game: Ann opens it, Bob joins, leaves and joins again, they play, and it ends.
func life(id string) []store.Head {
	heads := []store.Head{newHead(id)}
	add := func(status store.Status, entry store.Entry, players ...store.Player) {
		heads = append(heads, next(heads[len(heads)-1], status, entry, players...))
	}
	add(store.Open, store.Entry{Deed: store.Join, Player: &bob}, ann, bob)
	add(store.Open, store.Entry{Deed: store.Leave, Player: &bob}, ann)
	add(store.Playing, store.Entry{Deed: store.Join, Player: &bob}, ann, bob)
	add(store.Playing, store.Entry{Seat: 1}, ann, bob)
	add(store.Finished, store.Entry{Seat: 0}, ann, bob)
	return heads
}

// changes are those that lead through the heads of a game, as the table tells them.
func changes(t *testing.T, heads []store.Head) []store.Change {
	t.Helper()
	driver := open(t)
	table := store.NewTable(driver)
	require.NoError(t, table.Create(t.Context(), heads[0]))
	for i, head := range heads[1:] {
		require.NoError(t, table.Commit(t.Context(), heads[i], &head, head.Tail...))
	}
	all, err := driver.Changes(t.Context(), 0, store.MaxLimit)
	require.NoError(t, err)
	require.Len(t, all, len(heads))
	return all
}

// derived is what the lists say: the open games with their numbers of players, and the games of Ann and Bob.
type derived struct {
	open     map[string]int
	ann, bob []string
}

func derivedIn(t *testing.T, table *store.Table) derived {
	t.Helper()
	games, _, err := table.OpenGames(t.Context(), "", 10)
	require.NoError(t, err)
	found := derived{open: map[string]int{}}
	for _, game := range games {
		found.open[game.ID] = len(game.Players)
	}
	found.ann, _, err = table.PlayerGames(t.Context(), ann.ID, "", 10)
	require.NoError(t, err)
	found.bob, _, err = table.PlayerGames(t.Context(), bob.ID, "", 10)
	require.NoError(t, err)
	return found
}

// saying are the lists when there is one game, at the given point of its life.
func saying(heads int) derived {
	one, none := []string{"a"}, []string{}
	return []derived{
		{open: map[string]int{}, ann: none, bob: none},
		{open: map[string]int{"a": 1}, ann: one, bob: none},
		{open: map[string]int{"a": 2}, ann: one, bob: one},
		{open: map[string]int{"a": 1}, ann: one, bob: none},
		{open: map[string]int{}, ann: one, bob: one},
		{open: map[string]int{}, ann: one, bob: one},
		{open: map[string]int{}, ann: none, bob: none},
	}[heads]
}

func TestChanged_ListsFollowTheHeads(t *testing.T) {
	t.Parallel()
	table := store.NewTable(open(t))
	consumer := fanout.NewConsumer(table)
	for i, change := range changes(t, life("a")) {
		require.NoError(t, consumer.Changed(t.Context(), change))
		require.Equal(t, saying(i+1), derivedIn(t, table), "after %d changes", i+1)
	}
}

// D3: what was taken in before may come again, at any point, with all that follows it.
func TestD3_ChangesThatComeAgain_LeaveWhatTheNewestSays(t *testing.T) {
	t.Parallel()
	all := changes(t, life("a"))
	for end := 1; end <= len(all); end++ {
		for start := range end {
			table := store.NewTable(open(t))
			consumer := fanout.NewConsumer(table)
			for _, change := range append(all[:end:end], all[start:end]...) {
				require.NoError(t, consumer.Changed(t.Context(), change))
				require.NoError(t, consumer.Changed(t.Context(), change))
			}
			require.Equal(t, saying(end), derivedIn(t, table), "%d changes, again from %d", end, start)
		}
	}
}

func TestChanged_RemovedGame_IsInNoList(t *testing.T) {
	t.Parallel()
	table := store.NewTable(open(t))
	consumer := fanout.NewConsumer(table)
	change := changes(t, life("a"))[1]
	require.NoError(t, consumer.Changed(t.Context(), change))
	require.Equal(t, map[string]int{"a": 2}, derivedIn(t, table).open)
	require.NoError(t, consumer.Changed(t.Context(), store.Change{Old: change.New}))
	require.Equal(t, saying(0), derivedIn(t, table))
}

func TestChanged_OtherItems_ConcernNobody(t *testing.T) {
	t.Parallel()
	item := &store.Item{Key: store.Key{PK: "OPEN", SK: "1#a"}, Rev: 1, Body: []byte("?")}
	consumer := fanout.NewConsumer(store.NewTable(broken{}))
	for _, change := range []store.Change{{}, {New: item}, {Old: item, New: item}, {Old: item}} {
		require.NoError(t, consumer.Changed(t.Context(), change))
	}
}

// poisoned are changes that nothing can be made of.
func poisoned(t *testing.T) map[string]store.Change {
	t.Helper()
	good := changes(t, life("a"))[1]
	bad := func(item store.Item) *store.Item {
		item.Body = []byte{0xff}
		return &item
	}
	longName := newHead("a")
	longName.Players = []store.Player{{ID: string(bytes.Repeat([]byte("x"), store.MaxPK)), Name: "Ann"}}
	other := changes(t, life("b"))[1]
	return map[string]store.Change{
		"an old image that is no head":      {Old: bad(*good.Old), New: good.New},
		"a new image that is no head":       {Old: good.Old, New: bad(*good.New)},
		"images of two games":               {Old: other.Old, New: good.New},
		"a player that no table could name": changes(t, []store.Head{longName})[0],
	}
}

func TestChanged_Poison_IsToldApart(t *testing.T) {
	t.Parallel()
	for name, change := range poisoned(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := fanout.NewConsumer(store.NewTable(open(t))).Changed(t.Context(), change)
			var poison *fanout.PoisonError
			require.ErrorAs(t, err, &poison)
			require.Equal(t, store.Key{PK: "GAME#a", SK: "HEAD"}, poison.Key)
		})
	}
	var poison *fanout.PoisonError
	err := fanout.NewConsumer(store.NewTable(broken{})).Changed(t.Context(), changes(t, life("a"))[0])
	require.ErrorIs(t, err, errBroken)
	require.NotErrorAs(t, err, &poison, "a table that fails may be well again later")
}

var errBroken = errors.New("broken")

// broken is a driver that fails whatever is derived.
type broken struct{ store.Driver }

func (b broken) Put(ctx context.Context, item store.Item, when store.Condition) error {
	if store.IsHead(item.Key) {
		return b.Driver.Put(ctx, item, when)
	}
	return errBroken
}

// accepting is a driver that takes every write.
type accepting struct{ store.Driver }

func (accepting) Put(context.Context, store.Item, store.Condition) error { return nil }

func (accepting) Delete(context.Context, store.Key, store.Condition) error { return nil }

func TestInline_ListsFollowTheHeads(t *testing.T) {
	t.Parallel()
	table := store.NewTable(open(t))
	log, logged := newLog()
	inline := fanout.Inline{Table: table, Consumer: fanout.NewConsumer(table), Log: log}
	heads := life("a")
	require.NoError(t, inline.Create(t.Context(), heads[0]))
	for i, head := range heads[1:] {
		require.Equal(t, saying(i+1), derivedIn(t, table))
		require.NoError(t, inline.Commit(t.Context(), heads[i], &head, head.Tail...))
	}
	require.Equal(t, saying(len(heads)), derivedIn(t, table))
	require.Empty(t, logged.String())
}

func TestInline_ConsumerFails_TheWriteStands_AndTheLogTells(t *testing.T) {
	t.Parallel()
	log, logged := newLog()
	table := store.NewTable(broken{open(t)})
	inline := fanout.Inline{Table: table, Consumer: fanout.NewConsumer(table), Log: log}
	require.NoError(t, inline.Create(t.Context(), newHead("a")))
	stored, err := table.Head(t.Context(), "a")
	require.NoError(t, err)
	require.EqualValues(t, 1, stored.Version)
	require.Contains(t, logged.String(), "change not followed")
}

// follower remembers the versions that it was told of, and fails.
type follower struct{ versions []uint64 }

func (f *follower) Follow(_ context.Context, _, head *store.Head) error {
	f.versions = append(f.versions, head.Version)
	return errBroken
}

func TestFollowers_AreAllTold_ThoughOneFails(t *testing.T) {
	t.Parallel()
	table := store.NewTable(open(t))
	first, second := &follower{}, &follower{}
	consumer := fanout.NewConsumer(table, first, second)
	require.ErrorIs(t, consumer.Changed(t.Context(), changes(t, life("a"))[0]), errBroken)
	require.Equal(t, []uint64{1}, first.versions)
	require.Equal(t, []uint64{1}, second.versions)
	require.Equal(t, saying(1), derivedIn(t, table))
}

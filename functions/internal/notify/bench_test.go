package notify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/fanout"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb/dynamotest"
)

// BenchmarkFanout measures all that follows from a change of a game, in random games of four players with a webhook each:
// the derived items, the ledger, and the deliveries to a receiver on this machine. The units are what the table says it
// consumed, the command's own not among them.
func BenchmarkFanout(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) {
		benchmarkFanout(b, drivers["sqlite"](b), &dynamotest.Capacity{})
	})
	b.Run("dynamodb", func(b *testing.B) {
		used := &dynamotest.Capacity{}
		options := dynamotest.Options(b)
		options.OnCapacity = used.Add
		benchmarkFanout(b, dynamotest.Create(b, options), used)
		b.ReportMetric(used.Written()/float64(b.N), "wru/change")
		b.ReportMetric(used.Read()/float64(b.N), "rru/change")
	})
}

func benchmarkFanout(b *testing.B, driver store.Driver, used *dynamotest.Capacity) {
	b.Helper()
	table := &stream{Driver: driver}
	bench := setup(b, table)
	bench.planner.Queue, bench.sender.Queue = notify.Streamed, notify.Streamed
	bench.host = bench.planner.Host // nothing follows of itself
	consumer := fanout.NewConsumer(bench.table, bench.planner)
	var m *match
	seed, notices := uint64(0), 0
	for b.Loop() {
		b.StopTimer()
		if m == nil || m.game.Status != store.Playing {
			seed++
			m = bench.benchGame(seed)
		}
		change := store.Change{Old: head(b, driver, m.game)}
		m.play()
		change.New = head(b, driver, m.game)
		used.Count(true)
		b.StartTimer()
		require.NoError(b, consumer.Changed(b.Context(), change))
		batch := table.take()
		response, err := bench.sender.Handle(b.Context(), batch)
		b.StopTimer()
		used.Count(false)
		require.NoError(b, err)
		require.Empty(b, response.BatchItemFailures)
		notices += len(batch.Records)
		b.StartTimer()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "changes/s")
	b.ReportMetric(float64(notices)/float64(b.N), "notices/change")
}

// benchGame is a game whose players can all be told.
func (b *bundle) benchGame(seed uint64) *match {
	b.tb.Helper()
	players := b.people(4)
	for _, p := range players {
		b.hook(p, newReceiver(b.tb), 0, notify.JSON)
	}
	return b.started(players, seed)
}

// head is the item of a game's head.
func head(tb testing.TB, driver store.Driver, game *host.Game) *store.Item {
	tb.Helper()
	item, err := driver.Get(tb.Context(), store.Key{PK: "GAME#" + game.ID, SK: "HEAD"})
	require.NoError(tb, err)
	return &item
}

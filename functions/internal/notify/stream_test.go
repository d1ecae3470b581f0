package notify_test

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/store"
)

// stream is a table that tells which notices were added to it, as the table's stream does in the cloud.
type stream struct {
	store.Driver

	mutex sync.Mutex
	added []events.DynamoDBEventRecord
}

// Put writes an item.
func (s *stream) Put(ctx context.Context, item store.Item, when store.Condition) error {
	err := s.Driver.Put(ctx, item, when)
	if err == nil && when.Kind() == store.KindAbsent && store.IsNotice(item.Key) {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.added = append(s.added, recordOf(len(s.added)+1, item))
	}
	return err
}

// take is the batch of what was added since the last one.
func (s *stream) take() events.DynamoDBEvent {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	batch := events.DynamoDBEvent{Records: s.added}
	s.added = nil
	return batch
}

func recordOf(number int, item store.Item) events.DynamoDBEventRecord {
	return events.DynamoDBEventRecord{Change: events.DynamoDBStreamRecord{
		SequenceNumber: strconv.Itoa(number),
		NewImage: map[string]events.DynamoDBAttributeValue{
			"pk": events.NewStringAttribute(item.PK), "sk": events.NewStringAttribute(item.SK),
			"rev":  events.NewNumberAttribute(strconv.FormatUint(item.Rev, 10)),
			"body": events.NewBinaryAttribute(item.Body),
		},
	}}
}

// D3 and N1: a batch that comes twice sends once, and a poisoned record is named while the rest is sent.
func TestD3_StreamOfNotices_TwiceAndWithPoison(t *testing.T) {
	t.Parallel()
	table := &stream{Driver: drivers["dynamodb"](t)}
	b := setup(t, table)
	b.planner.Queue, b.sender.Queue = notify.Streamed, notify.Streamed
	r := newReceiver(t)
	players := b.people(2)
	b.hook(players[0], r, 0, notify.JSON)
	b.started(players, 1)
	b.started(players, 2)
	b.sweep()
	require.Empty(t, r.take(), "nothing is listed as due: the stream tells of it")

	batch := table.take()
	require.Len(t, batch.Records, 2)
	poison := recordOf(99, store.Item{Key: store.Key{PK: "NOTICE#x", SK: "nonsense"}, Body: []byte{1}})
	other := recordOf(100, store.Item{Key: store.Key{PK: "GAME#x", SK: "HEAD"}, Body: []byte{1}})
	nobody := recordOf(101, store.Item{Key: store.Key{PK: "NOTICE#x", SK: "0000000000001#g#0000000001#c"}, Body: []byte{1}})
	batch.Records = append([]events.DynamoDBEventRecord{poison, other, nobody}, batch.Records...)
	encoded, err := json.Marshal(batch) // as it comes to the function
	require.NoError(t, err)
	for range 2 {
		var batch events.DynamoDBEvent
		require.NoError(t, json.Unmarshal(encoded, &batch))
		response, err := b.sender.Handle(t.Context(), batch)
		require.NoError(t, err)
		require.Equal(t, []events.DynamoDBBatchItemFailure{{ItemIdentifier: "99"}}, response.BatchItemFailures)
	}
	require.Len(t, r.take(), 2)
}

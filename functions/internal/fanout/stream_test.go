package fanout_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/fanout"
	"boulevard/functions/internal/store"
)

type attributes = map[string]events.DynamoDBAttributeValue

// imageOf is an item as a stream carries it.
func imageOf(item *store.Item) attributes {
	if item == nil {
		return nil
	}
	return attributes{
		"pk": events.NewStringAttribute(item.PK), "sk": events.NewStringAttribute(item.SK),
		"rev":  events.NewNumberAttribute(strconv.FormatUint(item.Rev, 10)),
		"body": events.NewBinaryAttribute(item.Body),
	}
}

// records are changes as a shard carries them, numbered from 1.
func records(t *testing.T, changes ...store.Change) []events.DynamoDBEventRecord {
	t.Helper()
	all := make([]events.DynamoDBEventRecord, len(changes))
	for i, change := range changes {
		all[i].Change = events.DynamoDBStreamRecord{
			OldImage: imageOf(change.Old), NewImage: imageOf(change.New), SequenceNumber: strconv.Itoa(i + 1),
		}
	}
	encoded, err := json.Marshal(all) // as they come to the function
	require.NoError(t, err)
	var decoded []events.DynamoDBEventRecord
	require.NoError(t, json.Unmarshal(encoded, &decoded))
	return decoded
}

// source delivers a shard as the function's event source does: it sends again what a batch says has failed, halves a batch
// of which nothing was done, and puts a record that fails alone, time and again, into the dead-letter queue.
type source struct {
	stream fanout.Stream
	// twice delivers every batch once more before anything else.
	twice      bool
	deadLetter []string
}

func (s *source) deliver(t *testing.T, batch []events.DynamoDBEventRecord) {
	t.Helper()
	for len(batch) > 0 {
		failed := s.send(t, batch)
		if s.twice {
			failed = s.send(t, batch)
		}
		switch {
		case failed < 0:
			return
		case failed > 0:
			batch = batch[failed:]
		case len(batch) > 1:
			s.deliver(t, batch[:len(batch)/2])
			batch = batch[len(batch)/2:]
		default:
			s.deadLetter = append(s.deadLetter, batch[0].Change.SequenceNumber)
			return
		}
	}
}

// send says which record of the batch failed, -1 for none.
func (s *source) send(t *testing.T, batch []events.DynamoDBEventRecord) int {
	t.Helper()
	response, err := s.stream.Handle(t.Context(), events.DynamoDBEvent{Records: batch})
	if err != nil {
		return 0 // all of it
	}
	if len(response.BatchItemFailures) == 0 {
		return -1
	}
	failed := slices.IndexFunc(batch, func(r events.DynamoDBEventRecord) bool {
		return r.Change.SequenceNumber == response.BatchItemFailures[0].ItemIdentifier
	})
	require.NotEqual(t, -1, failed, "what failed was in the batch")
	return failed
}

// mixed are the changes of two games and a poisoned one in some order between the games. Each game's own come in order.
func mixed(a, b []store.Change, poison store.Change, order string) []store.Change {
	var all []store.Change
	for _, from := range order {
		switch from {
		case 'a':
			all, a = append(all, a[0]), a[1:]
		case 'b':
			all, b = append(all, b[0]), b[1:]
		case '!':
			all = append(all, poison)
		}
	}
	return all
}

// D3: batches that come twice, in another order between games, with a poisoned record in them.
func TestD3_StreamBatches_Twice_InAnyOrderBetweenGames_WithPoison_LeaveTheSame(t *testing.T) {
	t.Parallel()
	a, b := changes(t, life("a"))[:2], changes(t, life("b"))[:4]
	bad := store.Item{Key: store.Key{PK: "GAME#c", SK: "HEAD"}, Rev: 1, Body: []byte{0xff}}
	want := derived{open: map[string]int{"a": 2}, ann: []string{"a", "b"}, bob: []string{"a", "b"}}
	for _, order := range []string{"aabbbb!", "bbbb!aa", "!abbabb", "bab!bab", "b!bbbaa"} {
		for _, twice := range []bool{false, true} {
			t.Run(order+" "+strconv.FormatBool(twice), func(t *testing.T) {
				t.Parallel()
				table := store.NewTable(open(t))
				log, logged := newLog()
				s := &source{stream: fanout.Stream{Handler: fanout.NewConsumer(table), Log: log}, twice: twice}
				all := mixed(a, b, store.Change{New: &bad}, order)
				s.deliver(t, records(t, all...))
				require.Equal(t, want, derivedIn(t, table))
				poisoned := slices.IndexFunc(all, func(c store.Change) bool { return c.New == &bad })
				require.Equal(t, []string{strconv.Itoa(poisoned + 1)}, s.deadLetter)
				require.Contains(t, logged.String(), "change not followed")
			})
		}
	}
}

func TestStream_TableFails_TheBatchIsDoneUpToThere(t *testing.T) {
	t.Parallel()
	log, _ := newLog()
	handler := &recording{fail: map[uint64]error{0: errBroken}} // records of a stream have no Seq: the first one fails
	stream := fanout.Stream{Handler: handler, Log: log}
	batch := records(t, changes(t, life("a"))...)
	_, err := stream.Handle(t.Context(), events.DynamoDBEvent{Records: batch})
	require.ErrorIs(t, err, errBroken)
	require.Empty(t, handler.seen, "what follows waits")

	response, err := stream.Handle(t.Context(), events.DynamoDBEvent{Records: batch})
	require.NoError(t, err)
	require.Empty(t, response.BatchItemFailures)
	require.Len(t, handler.seen, len(batch))
}

// Whatever a record holds, it is done or named.
func FuzzStream(f *testing.F) {
	f.Add([]byte(`{"Records":[{"dynamodb":{"SequenceNumber":"1","NewImage":{"pk":{"S":"GAME#a"},"sk":{"S":"HEAD"},
		"rev":{"N":"1"},"body":{"B":"oA=="}}}}]}`))
	f.Add([]byte(`{"Records":[{"dynamodb":{"OldImage":{"pk":{"NULL":true},"sk":{"M":{}},"rev":{"L":[]},"body":{"BS":[]}}}}]}`))
	f.Add([]byte(`{"Records":[{}]}`))
	log, _ := newLog()
	stream := fanout.Stream{Handler: fanout.NewConsumer(store.NewTable(accepting{})), Log: log}
	f.Fuzz(func(t *testing.T, data []byte) {
		var event events.DynamoDBEvent
		if json.Unmarshal(data, &event) != nil {
			return
		}
		response, err := stream.Handle(t.Context(), event)
		if err != nil {
			require.NotEmpty(t, event.Records)
			return
		}
		require.LessOrEqual(t, len(response.BatchItemFailures), min(1, len(event.Records)))
	})
}

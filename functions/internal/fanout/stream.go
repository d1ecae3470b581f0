package fanout

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"boulevard/functions/internal/store/dynamodb"
)

// Stream takes in the batches of a DynamoDB stream: one shard's at a time, so that the changes of one game come in order.
type Stream struct {
	Handler Handler
	Log     *slog.Logger
	// Observe is told how long after its write a change was taken in. It may be nil.
	Observe func(context.Context, time.Duration)
}

// Handle takes in a batch up to the first record that fails, which it names: what is before it is done, and the function's
// event source sends the rest again. Where nothing was done the batch as a whole has failed. It halves a batch that fails
// (BisectBatchOnFunctionError), so a poisoned record ends up alone, in the dead-letter queue, and those behind it go on.
func (s Stream) Handle(ctx context.Context, event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	for i, record := range event.Records {
		if err := s.take(ctx, record); err != nil {
			s.Log.ErrorContext(ctx, "change not followed", "record", record.Change.SequenceNumber, "error", err)
			if i == 0 {
				return events.DynamoDBEventResponse{}, err
			}
			failed := events.DynamoDBBatchItemFailure{ItemIdentifier: record.Change.SequenceNumber}
			return events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{failed}}, nil
		}
	}
	return events.DynamoDBEventResponse{}, nil
}

func (s Stream) take(ctx context.Context, record events.DynamoDBEventRecord) error {
	change, err := dynamodb.ChangeOf(record)
	if err != nil {
		return &PoisonError{Err: err}
	}
	if err := s.Handler.Changed(ctx, change); err != nil {
		return err
	}
	if s.Observe != nil {
		s.Observe(ctx, time.Since(record.Change.ApproximateCreationDateTime.Time))
	}
	return nil
}

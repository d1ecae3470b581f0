package deadletter

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
)

// Batch names records of a stream, as a message in the queue does.
type Batch struct {
	Stream string `json:"streamArn"`           //nolint:tagliatelle // the names are theirs
	Shard  string `json:"shardId"`             //nolint:tagliatelle // the names are theirs
	First  string `json:"startSequenceNumber"` //nolint:tagliatelle // the names are theirs
	Size   int32  `json:"batchSize"`           //nolint:tagliatelle // the names are theirs
}

// ErrForgotten says that the stream does not hold the records any more: it keeps them for a day.
var ErrForgotten = errors.New("deadletter: the stream has forgotten these records")

// Streams reads the streams of tables.
type Streams struct{ client *dynamodbstreams.Client }

// ConnectStreams reads streams of the region and account that the environment names, or of another server.
func ConnectStreams(endpoint string) *Streams {
	settings := dynamodbstreams.Options{Region: os.Getenv("AWS_REGION"), Credentials: dynamodb.EnvironmentCredentials()}
	if endpoint != "" {
		settings.BaseEndpoint = &endpoint
	}
	return &Streams{client: dynamodbstreams.New(settings)}
}

// Changes reads the records of a batch, or fails with ErrForgotten.
func (s *Streams) Changes(ctx context.Context, batch Batch) ([]store.Change, error) {
	iterator, err := s.client.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn: &batch.Stream, ShardId: &batch.Shard, SequenceNumber: &batch.First,
		ShardIteratorType: types.ShardIteratorTypeAtSequenceNumber,
	})
	if err != nil {
		return nil, forgotten(err)
	}
	read, err := s.client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{
		ShardIterator: iterator.ShardIterator, Limit: aws.Int32(max(1, batch.Size)),
	})
	if err != nil {
		return nil, forgotten(err)
	}
	changes := make([]store.Change, 0, len(read.Records))
	for _, record := range read.Records {
		change, err := changeOf(record)
		if err != nil {
			return changes, err
		}
		changes = append(changes, change)
	}
	return changes, nil
}

func forgotten(err error) error {
	var trimmed *types.TrimmedDataAccessException
	var gone *types.ResourceNotFoundException
	if errors.As(err, &trimmed) || errors.As(err, &gone) {
		return fmt.Errorf("%w: %w", ErrForgotten, err)
	}
	return err
}

// changeOf reads a record in the form that the stream itself has.
func changeOf(record types.Record) (store.Change, error) {
	if record.Dynamodb == nil {
		return store.Change{}, errors.New("deadletter: a record of nothing")
	}
	return dynamodb.ChangeOf(events.DynamoDBEventRecord{Change: events.DynamoDBStreamRecord{
		OldImage: eventForm(record.Dynamodb.OldImage), NewImage: eventForm(record.Dynamodb.NewImage),
	}})
}

// eventForm has the types that functions are handed instead of the stream's own, as far as an item of this table has them.
func eventForm(image map[string]types.AttributeValue) map[string]events.DynamoDBAttributeValue {
	attributes := make(map[string]events.DynamoDBAttributeValue, len(image))
	for name, value := range image {
		switch value := value.(type) {
		case *types.AttributeValueMemberS:
			attributes[name] = events.NewStringAttribute(value.Value)
		case *types.AttributeValueMemberN:
			attributes[name] = events.NewNumberAttribute(value.Value)
		case *types.AttributeValueMemberB:
			attributes[name] = events.NewBinaryAttribute(value.Value)
		}
	}
	return attributes
}

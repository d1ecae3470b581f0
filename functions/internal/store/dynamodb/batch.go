package dynamodb

import (
	"context"
	"errors"
	"fmt"
	"os"

	"boulevard/functions/internal/store"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// Batch names records of a stream, as a message in a dead-letter queue does.
type Batch struct {
	Stream string `json:"streamArn"`           //nolint:tagliatelle // the names are theirs
	Shard  string `json:"shardId"`             //nolint:tagliatelle // the names are theirs
	First  string `json:"startSequenceNumber"` //nolint:tagliatelle // the names are theirs
	Size   int32  `json:"batchSize"`           //nolint:tagliatelle // the names are theirs
}

// ErrForgotten says that the stream does not hold the records any more: it keeps them for a day.
var ErrForgotten = errors.New("dynamodb: the stream has forgotten these records")

// Streams reads the streams of tables.
type Streams struct{ client *dynamodbstreams.Client }

// ConnectStreams reads streams of the region and account that the environment names, or of another server.
func ConnectStreams(endpoint string) *Streams {
	settings := dynamodbstreams.Options{Region: os.Getenv("AWS_REGION"), Credentials: EnvironmentCredentials()}
	if endpoint != "" {
		settings.BaseEndpoint = &endpoint
	}
	return &Streams{client: dynamodbstreams.New(settings)}
}

// Changes reads the records of a batch, or fails with ErrForgotten.
func (s *Streams) Changes(ctx context.Context, batch Batch) ([]store.Change, error) {
	iterator, err := s.client.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn: &batch.Stream, ShardId: &batch.Shard, SequenceNumber: &batch.First,
		ShardIteratorType: streamtypes.ShardIteratorTypeAtSequenceNumber,
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
	var trimmed *streamtypes.TrimmedDataAccessException
	var gone *streamtypes.ResourceNotFoundException
	if errors.As(err, &trimmed) || errors.As(err, &gone) {
		return fmt.Errorf("%w: %w", ErrForgotten, err)
	}
	return err
}

// changeOf reads a record in the form that the stream itself has.
func changeOf(record streamtypes.Record) (change store.Change, err error) {
	if record.Dynamodb == nil {
		return change, errors.New("dynamodb: a record of nothing")
	}
	for _, side := range []struct {
		image map[string]streamtypes.AttributeValue
		item  **store.Item
	}{{record.Dynamodb.OldImage, &change.Old}, {record.Dynamodb.NewImage, &change.New}} {
		if len(side.image) == 0 {
			continue
		}
		item, err := decode(tableForm(side.image))
		if err != nil {
			return store.Change{}, err
		}
		*side.item = &item
	}
	return change, nil
}

// tableForm has the types of the table's attributes instead of the stream's, as far as an item of this table has them.
func tableForm(image map[string]streamtypes.AttributeValue) map[string]types.AttributeValue {
	attributes := make(map[string]types.AttributeValue, len(image))
	for name, value := range image {
		switch value := value.(type) {
		case *streamtypes.AttributeValueMemberS:
			attributes[name] = &types.AttributeValueMemberS{Value: value.Value}
		case *streamtypes.AttributeValueMemberN:
			attributes[name] = &types.AttributeValueMemberN{Value: value.Value}
		case *streamtypes.AttributeValueMemberB:
			attributes[name] = &types.AttributeValueMemberB{Value: value.Value}
		}
	}
	return attributes
}

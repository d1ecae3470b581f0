package cloudtest

import (
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	awsdynamodb "github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/store"
)

// Image is an item as the table's stream carries it.
type Image = map[string]events.DynamoDBAttributeValue

// Images are the items of the table whose keys are wanted, as they are written, in no order.
func (p Place) Images(t *testing.T, wanted func(store.Key) bool) []Image {
	t.Helper()
	table := p.driver.Table()
	page, err := p.driver.Client().Scan(t.Context(), &awsdynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	require.Empty(t, page.LastEvaluatedKey, "a table of a test is small")
	var images []Image
	for _, item := range page.Items {
		image := make(Image, len(item))
		for name, value := range item {
			image[name] = attributeOf(t, value)
		}
		if wanted(store.Key{PK: image["pk"].String(), SK: image["sk"].String()}) {
			images = append(images, image)
		}
	}
	return images
}

func attributeOf(t *testing.T, value types.AttributeValue) events.DynamoDBAttributeValue {
	t.Helper()
	switch value := value.(type) {
	case *types.AttributeValueMemberS:
		return events.NewStringAttribute(value.Value)
	case *types.AttributeValueMemberN:
		return events.NewNumberAttribute(value.Value)
	case *types.AttributeValueMemberB:
		return events.NewBinaryAttribute(value.Value)
	default:
		require.Fail(t, "the driver writes no such attribute", "%T", value)
		return events.DynamoDBAttributeValue{}
	}
}

// Change is what became of an item: nil before it was there.
type Change struct{ Old, New Image }

// Batch are changes as the table's stream delivers them, numbered from 1.
func Batch(changes ...Change) events.DynamoDBEvent {
	batch := events.DynamoDBEvent{Records: make([]events.DynamoDBEventRecord, len(changes))}
	for i, change := range changes {
		name := "MODIFY"
		if change.Old == nil {
			name = "INSERT"
		}
		batch.Records[i] = events.DynamoDBEventRecord{
			EventName: name, EventSource: "aws:dynamodb", EventVersion: "1.1", Change: events.DynamoDBStreamRecord{
				ApproximateCreationDateTime: events.SecondsEpochTime{Time: time.Now()},
				Keys:                        Image{"pk": change.New["pk"], "sk": change.New["sk"]},
				OldImage:                    change.Old, NewImage: change.New,
				SequenceNumber: strconv.Itoa(i + 1), StreamViewType: "NEW_AND_OLD_IMAGES",
			},
		}
	}
	return batch
}

package dynamodb

import (
	"errors"
	"fmt"

	"boulevard/functions/internal/store"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ChangeOf reads a record of the table's stream, which carries both images. The table may hold what this program did not
// write, so nothing is taken for granted.
func ChangeOf(record events.DynamoDBEventRecord) (change store.Change, err error) {
	if change.Old, err = imageOf(record.Change.OldImage); err != nil {
		return store.Change{}, fmt.Errorf("dynamodb: old image: %w", err)
	}
	if change.New, err = imageOf(record.Change.NewImage); err != nil {
		return store.Change{}, fmt.Errorf("dynamodb: new image: %w", err)
	}
	if change.Old == nil && change.New == nil {
		return store.Change{}, errors.New("dynamodb: a record without images")
	}
	if change.Old != nil && change.New != nil && change.Old.Key != change.New.Key {
		return store.Change{}, fmt.Errorf("dynamodb: a record of two items, %q and %q", change.Old.Key, change.New.Key)
	}
	return change, nil
}

// imageOf decodes one side of a change; one that is absent is no item.
func imageOf(image map[string]events.DynamoDBAttributeValue) (*store.Item, error) {
	if len(image) == 0 {
		return nil, nil //nolint:nilnil // a change of no item on this side
	}
	attributes := make(map[string]types.AttributeValue, len(image))
	for name, value := range image {
		if attribute := attributeOf(value); attribute != nil {
			attributes[name] = attribute
		}
	}
	item, err := decode(attributes)
	if err != nil {
		return nil, err
	}
	return &item, nil
}

// attributeOf is the driver's type of a stream's attribute, nil for the types that an item of this table never has.
func attributeOf(value events.DynamoDBAttributeValue) types.AttributeValue {
	if value == (events.DynamoDBAttributeValue{}) { // its type would be taken for bytes, which are not there
		return nil
	}
	switch value.DataType() {
	case events.DataTypeString:
		return &types.AttributeValueMemberS{Value: value.String()}
	case events.DataTypeNumber:
		return &types.AttributeValueMemberN{Value: value.Number()}
	case events.DataTypeBinary:
		return &types.AttributeValueMemberB{Value: value.Binary()}
	default:
		return nil
	}
}

package dynamodb

import (
	"fmt"
	"strconv"

	"boulevard/functions/internal/store"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// The attributes of an item.
const (
	attrPK   = "pk"
	attrSK   = "sk"
	attrRev  = "rev"
	attrBody = "body"
	attrTTL  = "ttl"
)

func encodeKey(key store.Key) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		attrPK: &types.AttributeValueMemberS{Value: key.PK},
		attrSK: &types.AttributeValueMemberS{Value: key.SK},
	}
}

func encode(item store.Item) map[string]types.AttributeValue {
	attributes := encodeKey(item.Key)
	body := item.Body
	if body == nil {
		body = []byte{} // nil would be sent as no value at all
	}
	attributes[attrBody] = &types.AttributeValueMemberB{Value: body}
	attributes[attrRev] = &types.AttributeValueMemberN{Value: strconv.FormatUint(item.Rev, 10)}
	if item.Expires != 0 {
		attributes[attrTTL] = &types.AttributeValueMemberN{Value: strconv.FormatInt(item.Expires, 10)}
	}
	return attributes
}

// decode reads an item back. The table may hold what this program did not write, so nothing is taken for granted. Streams
// carry the same attributes in a type of their own.
func decode(attributes map[string]types.AttributeValue) (item store.Item, err error) {
	if item.Key, err = decodeKey(attributes); err != nil {
		return store.Item{}, err
	}
	rev, err := number(attributes, attrRev)
	if err != nil {
		return store.Item{}, fmt.Errorf("item %q: %w", item.Key, err)
	}
	body, ok := attributes[attrBody].(*types.AttributeValueMemberB)
	if !ok {
		return store.Item{}, fmt.Errorf("item %q: %w", item.Key, foreign(attributes, attrBody))
	}
	if attributes[attrTTL] != nil {
		if item.Expires, err = number(attributes, attrTTL); err != nil {
			return store.Item{}, fmt.Errorf("item %q: %w", item.Key, err)
		}
	}
	item.Rev, item.Body = uint64(rev), body.Value
	return item, nil
}

func decodeKey(attributes map[string]types.AttributeValue) (key store.Key, err error) {
	if key.PK, err = text(attributes, attrPK); err != nil {
		return store.Key{}, err
	}
	if key.SK, err = text(attributes, attrSK); err != nil {
		return store.Key{}, err
	}
	return key, nil
}

func text(attributes map[string]types.AttributeValue, name string) (string, error) {
	s, ok := attributes[name].(*types.AttributeValueMemberS)
	if !ok {
		return "", foreign(attributes, name)
	}
	return s.Value, nil
}

// number reads a whole number from 0 to store.MaxRev.
func number(attributes map[string]types.AttributeValue, name string) (int64, error) {
	n, ok := attributes[name].(*types.AttributeValueMemberN)
	if !ok {
		return 0, foreign(attributes, name)
	}
	v, err := strconv.ParseInt(n.Value, 10, 64)
	if err != nil || v < 0 {
		return 0, fmt.Errorf("attribute %s is %q, not a count", name, n.Value)
	}
	return v, nil
}

func foreign(attributes map[string]types.AttributeValue, name string) error {
	return fmt.Errorf("attribute %s is missing or of a foreign type: %T", name, attributes[name])
}

package dynamodb_test

import (
	"encoding/json"
	"testing"

	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"
)

type image = map[string]events.DynamoDBAttributeValue

func recordOf(before, after image) events.DynamoDBEventRecord {
	return events.DynamoDBEventRecord{Change: events.DynamoDBStreamRecord{OldImage: before, NewImage: after}}
}

func imageOf(sk, rev string, more ...string) image {
	attributes := image{
		"pk": events.NewStringAttribute("GAME#a"), "sk": events.NewStringAttribute(sk),
		"rev": events.NewNumberAttribute(rev), "body": events.NewBinaryAttribute([]byte("body")),
	}
	for _, expires := range more {
		attributes["ttl"] = events.NewNumberAttribute(expires)
	}
	return attributes
}

func TestChangeOf_ReadsBothImages(t *testing.T) {
	t.Parallel()
	key := store.Key{PK: "GAME#a", SK: "HEAD"}
	old := &store.Item{Key: key, Rev: 1, Body: []byte("body")}
	next := &store.Item{Key: key, Rev: 2, Body: []byte("body"), Expires: 1000}
	before, after := imageOf("HEAD", "1"), imageOf("HEAD", "2", "1000")
	after["note"] = events.NewMapAttribute(image{}) // what a newer build may add
	for name, c := range map[string]struct {
		record events.DynamoDBEventRecord
		want   store.Change
	}{
		"created": {recordOf(nil, after), store.Change{New: next}},
		"changed": {recordOf(before, after), store.Change{Old: old, New: next}},
		"removed": {recordOf(before, nil), store.Change{Old: old}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			change, err := dynamodb.ChangeOf(c.record)
			require.NoError(t, err)
			require.Equal(t, c.want, change)
		})
	}
}

func TestChangeOf_ForeignRecord_IsAnError(t *testing.T) {
	t.Parallel()
	without := func(name string, value ...events.DynamoDBAttributeValue) image {
		attributes := imageOf("HEAD", "1")
		delete(attributes, name)
		for _, v := range value {
			attributes[name] = v
		}
		return attributes
	}
	for name, record := range map[string]events.DynamoDBEventRecord{
		"no image":              recordOf(nil, nil),
		"no key":                recordOf(nil, without("pk")),
		"a key that is nothing": recordOf(nil, without("sk", events.DynamoDBAttributeValue{})),
		"a key of null":         recordOf(nil, without("sk", events.NewNullAttribute())),
		"no rev":                recordOf(without("rev"), nil),
		"a rev of text":         recordOf(nil, without("rev", events.NewStringAttribute("1"))),
		"a rev below zero":      recordOf(nil, imageOf("HEAD", "-1")),
		"a body that is absent": recordOf(nil, without("body", events.DynamoDBAttributeValue{})),
		"a ttl of many digits":  recordOf(nil, imageOf("HEAD", "1", "1e30")),
		"two items":             recordOf(imageOf("HEAD", "1"), imageOf("PAGE#1", "1")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			change, err := dynamodb.ChangeOf(record)
			require.Error(t, err)
			require.Equal(t, store.Change{}, change)
		})
	}
}

func FuzzChangeOf(f *testing.F) {
	f.Add([]byte(`{"dynamodb":{"NewImage":{"pk":{"S":"a"},"sk":{"S":"b"},"rev":{"N":"1"},"body":{"B":"oA=="},"ttl":{"N":"5"}}}}`))
	f.Add([]byte(`{"dynamodb":{"OldImage":{"pk":{"NULL":true},"sk":{"M":{}},"rev":{"L":[]},"body":{"BS":[]}}}}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var record events.DynamoDBEventRecord
		if json.Unmarshal(data, &record) != nil {
			return
		}
		change, err := dynamodb.ChangeOf(record)
		if err == nil {
			require.True(t, change.Old != nil || change.New != nil)
		}
	})
}

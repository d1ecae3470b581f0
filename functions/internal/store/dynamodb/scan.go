package dynamodb

import (
	"context"
	"errors"
	"fmt"

	"boulevard/functions/internal/store"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Scan lists the items of the whole table in the order of its own, strongly consistent.
func (d *Driver) Scan(ctx context.Context, after store.Key, limit int) (items []store.Item, next store.Key, err error) {
	if err := errors.Join(store.CheckScan(after, limit), ctx.Err()); err != nil {
		return nil, store.Key{}, fmt.Errorf("dynamodb: scan: %w", err)
	}
	input := &dynamodb.ScanInput{
		TableName:              &d.table,
		Limit:                  aws.Int32(int32(limit)), // CheckScan has bounded it
		ConsistentRead:         aws.Bool(true),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	if after != (store.Key{}) {
		input.ExclusiveStartKey = encodeKey(after)
	}
	var sent attempts
	out, err := d.client.Scan(ctx, input, sent.watch)
	if err != nil {
		return nil, store.Key{}, readError(ctx, "scan", err, &sent)
	}
	d.observe("Scan", out.ConsumedCapacity)
	if items, err = decodeAll(out.Items); err != nil {
		return nil, store.Key{}, fmt.Errorf("dynamodb: scan: %w", err)
	}
	if out.LastEvaluatedKey == nil {
		return items, store.Key{}, nil
	}
	if next, err = decodeKey(out.LastEvaluatedKey); err != nil {
		return nil, store.Key{}, fmt.Errorf("dynamodb: scan: %w", err)
	}
	return items, next, nil
}

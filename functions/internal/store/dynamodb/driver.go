// Package dynamodb is the table of the cloud: a [store.Driver] over one DynamoDB table with the string keys pk and sk.
//
// An item has the attributes pk, sk, rev (number), body (binary) and, where it expires, ttl (number, unix seconds), which
// is the table's TTL attribute. DynamoDB removes expired items late, so whoever reads an item that can expire looks at its
// Expires himself.
//
// Failures are told apart by what is known of the write. The SDK repeats what failed in passing: throttling, contention,
// server errors, lost connections, with jittered backoff, at most [Options.Attempts] times, under a budget shared by the
// whole client. After that:
//   - the table refused every attempt: nothing was written, [store.ErrThrottled];
//   - no connection was ever had: nothing was written, [store.ErrUnavailable];
//   - an attempt was sent and got no answer, or a server error: [store.ErrOutcomeUnknown]; for a read it is
//     [store.ErrUnavailable];
//   - an attempt landed, its answer was lost, and the repeated attempt met its own write: *[store.ConditionFailed] whose
//     Current is the very item that was put.
package dynamodb

import (
	"context"
	"errors"
	"fmt"

	"boulevard/functions/internal/store"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Driver keeps items in one DynamoDB table. It is safe for concurrent use.
type Driver struct {
	client     *dynamodb.Client
	table      string
	onCapacity func(op string, units float64)
}

var _ store.Driver = (*Driver)(nil)

// New returns the driver of a table that the client reaches. What is retried, and how often, is the client's: see
// [Connect] for one that is set up for this driver. The observer is told the capacity units that each answered call
// consumed, with the operation's name such as "PutItem"; it may be nil and is called from many goroutines.
func New(client *dynamodb.Client, table string, onCapacity func(op string, units float64)) *Driver {
	if onCapacity == nil {
		onCapacity = func(string, float64) {}
	}
	return &Driver{client: client, table: table, onCapacity: onCapacity}
}

// Table is the table's name.
func (d *Driver) Table() string { return d.table }

// Client is the client that the driver calls, for what is not a driver's: the table's streams, export and tests.
func (d *Driver) Client() *dynamodb.Client { return d.client }

// Get reads one item, strongly consistent, or fails with store.ErrNotFound.
func (d *Driver) Get(ctx context.Context, key store.Key) (store.Item, error) {
	if err := errors.Join(key.Check(), ctx.Err()); err != nil {
		return store.Item{}, fmt.Errorf("dynamodb: get: %w", err)
	}
	var sent attempts
	out, err := d.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName:              &d.table,
		Key:                    encodeKey(key),
		ConsistentRead:         aws.Bool(true),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, sent.watch)
	if err != nil {
		return store.Item{}, readError(ctx, "get", err, &sent)
	}
	d.observe("GetItem", out.ConsumedCapacity)
	if out.Item == nil {
		return store.Item{}, store.ErrNotFound
	}
	item, err := decode(out.Item)
	if err != nil {
		return store.Item{}, fmt.Errorf("dynamodb: get: %w", err)
	}
	return item, nil
}

// Put writes one item if the condition holds.
func (d *Driver) Put(ctx context.Context, item store.Item, when store.Condition) error {
	if err := errors.Join(item.Check(), when.Check(), ctx.Err()); err != nil {
		return fmt.Errorf("dynamodb: put: %w", err)
	}
	expr, err := build(putCondition(when))
	if err != nil {
		return fmt.Errorf("dynamodb: put: %w", err)
	}
	var sent attempts
	out, err := d.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:                           &d.table,
		Item:                                encode(item),
		ConditionExpression:                 expr.Condition(),
		ExpressionAttributeNames:            expr.Names(),
		ExpressionAttributeValues:           expr.Values(),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	}, sent.watch)
	if err != nil {
		return d.writeError(ctx, "put", err, item.Key, &sent)
	}
	d.observe("PutItem", out.ConsumedCapacity)
	return nil
}

// Delete removes one item if the condition holds.
func (d *Driver) Delete(ctx context.Context, key store.Key, when store.Condition) error {
	if err := errors.Join(key.Check(), when.Check(), ctx.Err()); err != nil {
		return fmt.Errorf("dynamodb: delete: %w", err)
	}
	expr, err := build(deleteCondition(when))
	if err != nil {
		return fmt.Errorf("dynamodb: delete: %w", err)
	}
	var sent attempts
	out, err := d.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName:                           &d.table,
		Key:                                 encodeKey(key),
		ConditionExpression:                 expr.Condition(),
		ExpressionAttributeNames:            expr.Names(),
		ExpressionAttributeValues:           expr.Values(),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	}, sent.watch)
	if err != nil {
		return absentIsDone(d.writeError(ctx, "delete", err, key, &sent))
	}
	d.observe("DeleteItem", out.ConsumedCapacity)
	return nil
}

// absentIsDone forgives a failed removal when the item that was in the way has gone meanwhile.
func absentIsDone(err error) error {
	var failed *store.ConditionFailed
	if errors.As(err, &failed) && failed.Current == nil {
		return nil
	}
	return err
}

func (d *Driver) observe(op string, consumed *types.ConsumedCapacity) {
	if consumed != nil {
		d.onCapacity(op, aws.ToFloat64(consumed.CapacityUnits))
	}
}

// build renders a condition; a nil one always holds and has no expression.
func build(condition *expression.ConditionBuilder) (expression.Expression, error) {
	if condition == nil {
		return expression.Expression{}, nil
	}
	return expression.NewBuilder().WithCondition(*condition).Build()
}

func putCondition(when store.Condition) *expression.ConditionBuilder {
	rev, absent := expression.Name(attrRev), expression.AttributeNotExists(expression.Name(attrPK))
	var c expression.ConditionBuilder
	switch when.Kind() {
	case store.KindAbsent:
		c = absent
	case store.KindRev:
		c = rev.Equal(expression.Value(when.Rev()))
	case store.KindOlder:
		c = absent.Or(rev.LessThan(expression.Value(when.Rev())))
	case store.KindAlways:
		return nil
	}
	return &c
}

// deleteCondition also holds for an absent item: what a lost answer may have removed already is removed.
func deleteCondition(when store.Condition) *expression.ConditionBuilder {
	c := putCondition(when)
	if when.Kind() == store.KindRev {
		absent := expression.AttributeNotExists(expression.Name(attrPK)).Or(*c)
		return &absent
	}
	return c
}

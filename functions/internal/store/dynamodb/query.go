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

// Query lists items of one partition in the order of their sort keys, strongly consistent. It asks for exactly Limit
// items, as each one read is paid for: so a full page names a next one, which may turn out empty.
func (d *Driver) Query(ctx context.Context, query store.Query) (store.Page, error) {
	if err := errors.Join(query.Check(), ctx.Err()); err != nil {
		return store.Page{}, fmt.Errorf("dynamodb: query: %w", err)
	}
	if isEmpty(query) {
		return store.Page{}, nil
	}
	expr, err := expression.NewBuilder().WithKeyCondition(keyCondition(query)).Build()
	if err != nil {
		return store.Page{}, fmt.Errorf("dynamodb: query: %w", err)
	}
	var sent attempts
	out, err := d.client.Query(ctx, &dynamodb.QueryInput{
		TableName:                 &d.table,
		KeyConditionExpression:    expr.KeyCondition(),
		ExpressionAttributeNames:  expr.Names(),
		ExpressionAttributeValues: expr.Values(),
		ExclusiveStartKey:         startKey(query),
		Limit:                     aws.Int32(int32(query.Limit)), // Check has bounded it
		ScanIndexForward:          aws.Bool(!query.Descending),
		ConsistentRead:            aws.Bool(true),
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}, sent.watch)
	if err != nil {
		return store.Page{}, readError(ctx, "query", err, &sent)
	}
	d.observe("Query", out.ConsumedCapacity)
	page, err := decodePage(out)
	if err != nil {
		return store.Page{}, fmt.Errorf("dynamodb: query: %w", err)
	}
	return page, nil
}

func decodePage(out *dynamodb.QueryOutput) (page store.Page, err error) {
	if page.Items, err = decodeAll(out.Items); err != nil {
		return store.Page{}, err
	}
	if out.LastEvaluatedKey != nil {
		page.Next, err = text(out.LastEvaluatedKey, attrSK)
	}
	return page, err
}

func decodeAll(all []map[string]types.AttributeValue) (items []store.Item, err error) {
	for _, attributes := range all {
		item, err := decode(attributes)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// isEmpty reports whether the query's bounds leave no sort key. DynamoDB refuses such a query rather than answer it.
func isEmpty(q store.Query) bool {
	if q.To != "" && q.From > q.To {
		return true
	}
	if q.After == "" {
		return false
	}
	if q.Descending {
		return q.After <= q.From
	}
	return q.To != "" && q.After >= q.To
}

func keyCondition(q store.Query) expression.KeyConditionBuilder {
	partition, sk := expression.Key(attrPK).Equal(expression.Value(q.PK)), expression.Key(attrSK)
	switch {
	case q.From != "" && q.To != "":
		return partition.And(sk.Between(expression.Value(q.From), expression.Value(q.To)))
	case q.From != "":
		return partition.And(sk.GreaterThanEqual(expression.Value(q.From)))
	case q.To != "":
		return partition.And(sk.LessThanEqual(expression.Value(q.To)))
	default:
		return partition
	}
}

// startKey is where the query continues: nil from its start. DynamoDB refuses a key before the query's bounds, where
// continuing means the same as starting.
func startKey(q store.Query) map[string]types.AttributeValue {
	before := !q.Descending && q.After < q.From || q.Descending && q.To != "" && q.After > q.To
	if q.After == "" || before {
		return nil
	}
	return encodeKey(store.Key{PK: q.PK, SK: q.After})
}

package dynamodb

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"

	"boulevard/functions/internal/store"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// contention are the answers to a write that met another one under way. The SDK does not repeat them of itself.
var contention = map[string]struct{}{
	"TransactionConflictException":     {},
	"ReplicatedWriteConflictException": {},
}

// attempts remembers, over all the attempts of one call, whether one was sent whose outcome is not known. The last error
// alone does not tell: a throttled attempt may follow one that landed and whose answer was lost.
type attempts struct{ unknown bool }

// watch is an option of a call.
func (a *attempts) watch(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
		return stack.Finalize.Insert(middleware.FinalizeMiddlewareFunc("WatchAttempts", a.attempt), "Retry", middleware.After)
	})
}

func (a *attempts) attempt(
	ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler,
) (middleware.FinalizeOutput, middleware.Metadata, error) {
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	out, metadata, err := next.HandleFinalize(ctx, in)
	if err != nil && connected.Load() && !refused(err) {
		a.unknown = true
	}
	return out, metadata, err
}

// refused reports whether the table answered that it did not do what it was asked.
func refused(err error) bool {
	var response *smithyhttp.ResponseError
	if !errors.As(err, &response) {
		return false
	}
	status := response.HTTPStatusCode()
	return status >= http.StatusBadRequest && status < http.StatusInternalServerError
}

// throttled reports whether the last answer was that the load, or another write, was in the way.
func throttled(err error) bool {
	var failure smithy.APIError
	if !errors.As(err, &failure) {
		return false
	}
	_, throttle := retry.DefaultThrottleErrorCodes[failure.ErrorCode()]
	_, contended := contention[failure.ErrorCode()]
	return throttle || contended
}

// unsent reports whether the last attempt had no connection.
func unsent(err error) bool {
	var failure *smithyhttp.RequestSendError
	return errors.As(err, &failure)
}

func readError(ctx context.Context, op string, err error, sent *attempts) error {
	switch {
	case throttled(err):
		return fmt.Errorf("dynamodb: %s: %w: %w", op, store.ErrThrottled, err)
	case ctx.Err() != nil && !sent.unknown:
		return fmt.Errorf("dynamodb: %s: %w", op, ctx.Err())
	case refused(err):
		return fmt.Errorf("dynamodb: %s: %w", op, err)
	case sent.unknown, unsent(err):
		return fmt.Errorf("dynamodb: %s: %w: %w", op, store.ErrUnavailable, err)
	default:
		return fmt.Errorf("dynamodb: %s: %w", op, err)
	}
}

func (d *Driver) writeError(ctx context.Context, op string, err error, key store.Key, sent *attempts) error {
	var failed *types.ConditionalCheckFailedException
	switch {
	case errors.As(err, &failed):
		return d.conditionFailed(ctx, op, failed, key, sent)
	case sent.unknown:
		return fmt.Errorf("dynamodb: %s: %w: %w", op, store.ErrOutcomeUnknown, err)
	default:
		return readError(ctx, op, err, sent)
	}
}

// conditionFailed brings the item that was in the way. DynamoDB returns it with the failure. No item means that there was
// none, or that this server never returns it, so it is read: which may find what was written after the failure.
func (d *Driver) conditionFailed(
	ctx context.Context, op string, failed *types.ConditionalCheckFailedException, key store.Key, sent *attempts,
) error {
	current, err := d.current(ctx, failed, key)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return &store.ConditionFailed{}
	case err != nil && sent.unknown:
		return fmt.Errorf("dynamodb: %s: %w: %w", op, store.ErrOutcomeUnknown, err)
	case err != nil:
		return fmt.Errorf("dynamodb: %s: condition failed, the item in the way: %w", op, err)
	default:
		return &store.ConditionFailed{Current: &current}
	}
}

func (d *Driver) current(
	ctx context.Context, failed *types.ConditionalCheckFailedException, key store.Key,
) (store.Item, error) {
	if failed.Item != nil {
		return decode(failed.Item)
	}
	return d.Get(ctx, key)
}

package dynamodb_test

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
	"boulevard/functions/internal/store/dynamodb/dynamotest"
	"boulevard/functions/internal/store/storetest/faultproxy"

	"github.com/stretchr/testify/require"
)

// faulty is a table that is reached through a proxy that breaks, and directly.
type faulty struct {
	proxy          *faultproxy.Proxy
	broken, direct *dynamodb.Driver
}

func setup(t *testing.T, change ...func(*dynamodb.Options)) faulty {
	t.Helper()
	proxy := faultproxy.Start(t, dynamotest.Endpoint(t))
	options := dynamotest.Options(t)
	direct := dynamotest.Create(t, options)
	options.Endpoint = proxy.URL()
	for _, f := range change {
		f(&options)
	}
	broken, err := dynamodb.Connect(options)
	require.NoError(t, err)
	return faulty{proxy: proxy, broken: broken, direct: direct}
}

// impatient is for faults that outlast every attempt.
func impatient(o *dynamodb.Options) { o.Timeout = 20 * time.Millisecond }

var mine = store.Item{Key: store.Key{PK: "pk", SK: "sk"}, Rev: 2, Body: []byte("mine")}

func (f faulty) requireThere(t *testing.T, want store.Item) {
	t.Helper()
	got, err := f.direct.Get(t.Context(), want.Key)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func (f faulty) requireAbsent(t *testing.T) {
	t.Helper()
	_, err := f.direct.Get(t.Context(), mine.Key)
	require.ErrorIs(t, err, store.ErrNotFound)
}

// R8: the answer to a write that landed is lost, and the repeated attempt finds its own write in the way.
func TestWriteWhoseAnswerWasLostComesBackAsTheItemInTheWay(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]faultproxy.Fault{
		"the connection closes":        faultproxy.LoseAnswer(),
		"the client stops waiting":     faultproxy.HangAfter(),
		"the server breaks afterwards": faultproxy.BreakAfter(http.StatusInternalServerError),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t, func(o *dynamodb.Options) { o.Timeout = time.Second })
			f.proxy.Inject("PutItem", 1, fault)
			requireFailedOn(t, f.broken.Put(t.Context(), mine, store.IfAbsent()), mine)
			require.Equal(t, 2, f.proxy.Seen("PutItem"))

			next := mine
			next.Rev, next.Body = 3, []byte("mine again")
			f.proxy.Inject("PutItem", 1, fault)
			requireFailedOn(t, f.broken.Put(t.Context(), next, store.IfRev(2)), next)
			f.requireThere(t, next)
		})
	}
}

func requireFailedOn(t *testing.T, err error, current store.Item) {
	t.Helper()
	var failed *store.ConditionFailed
	require.ErrorAs(t, err, &failed)
	require.NotNil(t, failed.Current)
	require.Equal(t, current, *failed.Current)
}

func TestWriteWithoutConditionAndRemovalMayLoseAnAnswerUnnoticed(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.proxy.Inject("PutItem", 1, faultproxy.LoseAnswer())
	require.NoError(t, f.broken.Put(t.Context(), mine, store.Condition{}))
	f.proxy.Inject("DeleteItem", 1, faultproxy.LoseAnswer())
	require.NoError(t, f.broken.Delete(t.Context(), mine.Key, store.IfRev(mine.Rev)))
	require.Equal(t, 2, f.proxy.Seen("DeleteItem"))
	require.Zero(t, f.proxy.Seen("GetItem"), "the condition itself allows for an absent item")
	f.requireAbsent(t)
}

// D1: when nothing but silence comes back, a write's outcome is not known, whether it happened or not.
func TestSilence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  faultproxy.Fault
		landed bool
	}{
		"answers are lost":               {faultproxy.LoseAnswer(), true},
		"requests are lost":              {faultproxy.LoseRequest(), false},
		"the server hangs before":        {faultproxy.HangBefore(), false},
		"the server fails with 500":      {faultproxy.Break(http.StatusInternalServerError), false},
		"the server fails with 503":      {faultproxy.Break(http.StatusServiceUnavailable), false},
		"the server fails after writing": {faultproxy.BreakAfter(http.StatusInternalServerError), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			if name == "the server hangs before" {
				f = setup(t, impatient)
			}
			for _, op := range []string{"PutItem", "DeleteItem", "GetItem", "Query"} {
				f.proxy.Inject(op, faultproxy.Always, c.fault)
			}
			require.ErrorIs(t, f.broken.Put(t.Context(), mine, store.Condition{}), store.ErrOutcomeUnknown)
			require.Equal(t, dynamodb.DefaultAttempts, f.proxy.Seen("PutItem"))
			requireLanded(t, f, c.landed)

			_, err := f.broken.Get(t.Context(), mine.Key)
			require.ErrorIs(t, err, store.ErrUnavailable)
			_, err = f.broken.Query(t.Context(), store.Query{PK: "pk", Limit: 1})
			require.ErrorIs(t, err, store.ErrUnavailable)
			require.ErrorIs(t, f.broken.Delete(t.Context(), mine.Key, store.Condition{}), store.ErrOutcomeUnknown)
		})
	}
}

func requireLanded(t *testing.T, f faulty, landed bool) {
	t.Helper()
	if landed {
		f.requireThere(t, mine)
	} else {
		f.requireAbsent(t)
	}
}

func TestPassingFaultsAreRetried(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]faultproxy.Fault{
		"requests are lost": faultproxy.LoseRequest(),
		"500":               faultproxy.Break(http.StatusInternalServerError),
		"throttling":        faultproxy.Refuse("ProvisionedThroughputExceededException"),
		"contention":        faultproxy.Refuse("TransactionConflictException"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			for _, op := range []string{"PutItem", "DeleteItem", "GetItem", "Query"} {
				f.proxy.Inject(op, dynamodb.DefaultAttempts-1, fault)
			}
			require.NoError(t, f.broken.Put(t.Context(), mine, store.IfAbsent()))
			got, err := f.broken.Get(t.Context(), mine.Key)
			require.NoError(t, err)
			require.Equal(t, mine, got)
			page, err := f.broken.Query(t.Context(), store.Query{PK: "pk", Limit: 1})
			require.NoError(t, err)
			require.Len(t, page.Items, 1)
			require.NoError(t, f.broken.Delete(t.Context(), mine.Key, store.IfRev(mine.Rev)))
			require.Equal(t, dynamodb.DefaultAttempts, f.proxy.Seen("PutItem"))
		})
	}
}

// D1: throttling and contention are retried within a bound, and then told as what they are: nothing was written.
func TestLastingThrottlingAndContentionAreTold(t *testing.T) {
	t.Parallel()
	for _, code := range []string{
		"ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded",
		"TransactionConflictException", "ReplicatedWriteConflictException",
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			for _, op := range []string{"PutItem", "DeleteItem", "GetItem", "Query"} {
				f.proxy.Inject(op, faultproxy.Always, faultproxy.Refuse(code))
			}
			require.ErrorIs(t, f.broken.Put(t.Context(), mine, store.IfAbsent()), store.ErrThrottled)
			require.ErrorIs(t, f.broken.Delete(t.Context(), mine.Key, store.Condition{}), store.ErrThrottled)
			_, err := f.broken.Get(t.Context(), mine.Key)
			require.ErrorIs(t, err, store.ErrThrottled)
			_, err = f.broken.Query(t.Context(), store.Query{PK: "pk", Limit: 1})
			require.ErrorIs(t, err, store.ErrThrottled)
			require.Equal(t, dynamodb.DefaultAttempts, f.proxy.Seen("PutItem"))
			f.requireAbsent(t)
		})
	}
}

// The budget that all calls share runs out when the table refuses for long: then calls fail at once, still as throttled.
func TestRetriesEndWhenTheSharedBudgetIsSpent(t *testing.T) {
	t.Parallel()
	f := setup(t, func(o *dynamodb.Options) { o.MaxBackoff = time.Microsecond })
	f.proxy.Inject("GetItem", faultproxy.Always, faultproxy.Refuse("ThrottlingException"))
	const calls = 100
	for range calls {
		_, err := f.broken.Get(t.Context(), mine.Key)
		require.ErrorIs(t, err, store.ErrThrottled)
	}
	require.Less(t, f.proxy.Seen("GetItem"), 3*calls)
}

// What the last attempt met does not hide that an earlier one may have landed.
func TestThrottlingAfterALostAnswerIsNoProofThatNothingWasWritten(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.proxy.Inject("PutItem", 1, faultproxy.LoseAnswer())
	f.proxy.AfterNext("PutItem", func() {
		f.proxy.Inject("PutItem", faultproxy.Always, faultproxy.Refuse("ThrottlingException"))
	})
	require.ErrorIs(t, f.broken.Put(t.Context(), mine, store.IfAbsent()), store.ErrOutcomeUnknown)
	f.requireThere(t, mine)
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	f := setup(t, func(o *dynamodb.Options) { o.Endpoint = "http://" + listener.Addr().String() })
	require.ErrorIs(t, f.broken.Put(t.Context(), mine, store.Condition{}), store.ErrUnavailable)
	_, err = f.broken.Get(t.Context(), mine.Key)
	require.ErrorIs(t, err, store.ErrUnavailable)
}

func TestContextThatEndsUnderWay(t *testing.T) {
	t.Parallel()
	f := setup(t)
	ctx, cancel := context.WithCancel(t.Context())
	f.proxy.Inject("PutItem", faultproxy.Always, faultproxy.HangAfter())
	f.proxy.AfterNext("PutItem", cancel)
	err := f.broken.Put(ctx, mine, store.Condition{})
	require.ErrorIs(t, err, store.ErrOutcomeUnknown)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, f.proxy.Seen("PutItem"), "nobody waits for more attempts")
	f.requireThere(t, mine)

	ctx, cancel = context.WithCancel(t.Context())
	f.proxy.Inject("GetItem", faultproxy.Always, faultproxy.HangAfter())
	f.proxy.AfterNext("GetItem", cancel)
	_, err = f.broken.Get(ctx, mine.Key)
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorIs(t, err, context.Canceled)
}

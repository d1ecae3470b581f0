package dynamodb_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
	"boulevard/functions/internal/store/dynamodb/dynamotest"
	"boulevard/functions/internal/store/storetest/faultproxy"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsdynamodb "github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// requirePlain requires a failure that no wait and no second look would mend.
func requirePlain(t *testing.T, err error) {
	t.Helper()
	require.Error(t, err)
	for _, class := range []error{
		store.ErrThrottled, store.ErrUnavailable, store.ErrOutcomeUnknown, store.ErrNotFound, store.ErrInvalid,
	} {
		require.NotErrorIs(t, err, class)
	}
	var failed *store.ConditionFailed
	require.NotErrorAs(t, err, &failed)
}

func TestWhatNoRetryMendsIsToldAtOnce(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"AccessDeniedException", "UnrecognizedClientException", "ValidationException"} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.proxy.Inject("PutItem", faultproxy.Always, faultproxy.Refuse(code))
			f.proxy.Inject("GetItem", faultproxy.Always, faultproxy.Refuse(code))
			requirePlain(t, f.broken.Put(t.Context(), mine, store.Condition{}))
			_, err := f.broken.Get(t.Context(), mine.Key)
			requirePlain(t, err)
			require.Equal(t, 1, f.proxy.Seen("PutItem"))
			require.Equal(t, 1, f.proxy.Seen("GetItem"))
		})
	}
	t.Run("a table that is not there", func(t *testing.T) {
		t.Parallel()
		d, err := dynamodb.Connect(dynamotest.Options(t))
		require.NoError(t, err)
		requirePlain(t, d.Put(t.Context(), mine, store.Condition{}))
		_, err = d.Get(t.Context(), mine.Key)
		requirePlain(t, err)
	})
	t.Run("no credentials", func(t *testing.T) {
		t.Parallel()
		none := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{}, errors.New("no credentials")
		})
		f := setup(t, func(o *dynamodb.Options) { o.Credentials = none })
		requirePlain(t, f.broken.Put(t.Context(), mine, store.Condition{}))
		require.Zero(t, f.proxy.Seen("PutItem"))
	})
}

// The table may hold what another program wrote.
func TestForeignItemsAreErrors(t *testing.T) {
	t.Parallel()
	s := func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
	n := func(v string) types.AttributeValue { return &types.AttributeValueMemberN{Value: v} }
	b := &types.AttributeValueMemberB{Value: []byte("body")}
	for name, attributes := range map[string]map[string]types.AttributeValue{
		"no rev":              {"body": b},
		"a rev of text":       {"rev": s("1"), "body": b},
		"a rev with decimals": {"rev": n("1.5"), "body": b},
		"a rev below zero":    {"rev": n("-1"), "body": b},
		"a rev too great":     {"rev": n("1e30"), "body": b},
		"no body":             {"rev": n("1")},
		"a body of text":      {"rev": n("1"), "body": s("body")},
		"a ttl of text":       {"rev": n("1"), "body": b, "ttl": s("tomorrow")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, table := dynamotest.New(t), ""
			table = d.Table()
			attributes["pk"], attributes["sk"] = s("pk"), s("sk")
			_, err := d.Client().PutItem(t.Context(), &awsdynamodb.PutItemInput{TableName: &table, Item: attributes})
			require.NoError(t, err)
			_, err = d.Get(t.Context(), mine.Key)
			requirePlain(t, err)
			_, err = d.Query(t.Context(), store.Query{PK: "pk", Limit: 10})
			requirePlain(t, err)
			requirePlain(t, d.Put(t.Context(), mine, store.IfAbsent()))
		})
	}
}

// DynamoDB returns the item in the way with the failure, and then it is not read again.
func TestItemInTheWayIsTakenFromTheFailure(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","Item":
			{"pk":{"S":"pk"},"sk":{"S":"sk"},"rev":{"N":"2"},"body":{"B":"bWluZQ=="}}}`))
	}))
	t.Cleanup(server.Close)
	options := dynamotest.Options(t)
	options.Endpoint = server.URL
	d, err := dynamodb.Connect(options)
	require.NoError(t, err)
	requireFailedOn(t, d.Put(t.Context(), mine, store.IfAbsent()), mine)
	requireFailedOn(t, d.Delete(t.Context(), mine.Key, store.IfRev(9)), mine)
	require.EqualValues(t, 2, requests.Load())
}

// Where the server does not return it, the item in the way is read, and much can happen in between.
func TestItemInTheWayIsReadWhereItDoesNotComeBack(t *testing.T) {
	t.Parallel()
	gone := func(t *testing.T, f faulty) func() {
		t.Helper()
		return func() { require.NoError(t, f.direct.Delete(t.Context(), mine.Key, store.Condition{})) }
	}
	t.Run("a put says that it has gone meanwhile", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		require.NoError(t, f.direct.Put(t.Context(), mine, store.Condition{}))
		f.proxy.AfterNext("PutItem", gone(t, f))
		var failed *store.ConditionFailed
		require.ErrorAs(t, f.broken.Put(t.Context(), mine, store.IfAbsent()), &failed)
		require.Nil(t, failed.Current)
	})
	t.Run("a delete is done when it has gone meanwhile", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		require.NoError(t, f.direct.Put(t.Context(), mine, store.Condition{}))
		f.proxy.AfterNext("DeleteItem", gone(t, f))
		require.NoError(t, f.broken.Delete(t.Context(), mine.Key, store.IfRev(9)))
	})
	t.Run("nothing was written when the read fails", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		require.NoError(t, f.direct.Put(t.Context(), mine, store.Condition{}))
		f.proxy.Inject("GetItem", faultproxy.Always, faultproxy.Break(http.StatusInternalServerError))
		require.ErrorIs(t, f.broken.Put(t.Context(), mine, store.IfAbsent()), store.ErrUnavailable)
	})
	t.Run("the outcome is unknown when the answer was lost and the read fails", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.proxy.Inject("PutItem", 1, faultproxy.LoseAnswer())
		f.proxy.Inject("GetItem", faultproxy.Always, faultproxy.Break(http.StatusInternalServerError))
		require.ErrorIs(t, f.broken.Put(t.Context(), mine, store.IfAbsent()), store.ErrOutcomeUnknown)
	})
}

func TestCapacityIsObserved(t *testing.T) {
	t.Parallel()
	units := map[string]float64{}
	options := dynamotest.Options(t)
	options.OnCapacity = func(op string, u float64) { units[op] += u }
	d := dynamotest.Create(t, options)
	small, large := mine, mine
	small.Body = []byte(strings.Repeat("x", 1000)) // with keys and attribute names below 1 KB: one write unit
	large.SK, large.Body = "large", []byte(strings.Repeat("x", 9000))
	require.NoError(t, d.Put(t.Context(), small, store.IfAbsent()))
	require.InDelta(t, 1, units["PutItem"], 0)
	require.NoError(t, d.Put(t.Context(), large, store.IfAbsent()))
	require.InDelta(t, 1+9, units["PutItem"], 0)
	_, err := d.Get(t.Context(), large.Key)
	require.NoError(t, err)
	require.InDelta(t, 3, units["GetItem"], 0)
	_, err = d.Query(t.Context(), store.Query{PK: "pk", Limit: 10})
	require.NoError(t, err)
	require.InDelta(t, 3, units["Query"], 0)
	require.NoError(t, d.Delete(t.Context(), small.Key, store.Condition{}))
	require.InDelta(t, 1, units["DeleteItem"], 0)
}

func TestConnectNeedsATableAndARegion(t *testing.T) {
	t.Setenv("AWS_REGION", "")
	_, err := dynamodb.Connect(dynamodb.Options{Table: "table"})
	require.Error(t, err)
	_, err = dynamodb.Connect(dynamodb.Options{Region: "eu-central-1"})
	require.Error(t, err)
	t.Setenv("AWS_REGION", "eu-central-1")
	_, err = dynamodb.Connect(dynamodb.Options{Table: "table"})
	require.NoError(t, err)
}

func TestCredentialsAreThoseOfTheEnvironment(t *testing.T) {
	f := setup(t, func(o *dynamodb.Options) { o.Credentials = nil })
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	requirePlain(t, f.broken.Put(t.Context(), mine, store.Condition{}))
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_SESSION_TOKEN", "token")
	require.NoError(t, f.broken.Put(t.Context(), mine, store.Condition{}))
}

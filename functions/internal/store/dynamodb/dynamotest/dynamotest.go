// Package dynamotest gives tests and benchmarks a table on a real DynamoDB-compatible server.
//
// The server is dynalite, started once per test program, or the one that BOULEVARD_DYNAMODB_ENDPOINT names. A machine
// without either fails the test: a store that was not tried is not known to work.
package dynamotest

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"boulevard/functions/internal/store/dynamodb"
	"boulevard/functions/internal/store/dynamodb/dynalite"

	"github.com/aws/aws-sdk-go-v2/credentials"
	awsdynamodb "github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/oklog/ulid/v2"
	"github.com/stretchr/testify/require"
)

// shared is the server of this test program. It ends with the program.
var shared = sync.OnceValues(func() (string, error) {
	if endpoint := os.Getenv("BOULEVARD_DYNAMODB_ENDPOINT"); endpoint != "" {
		return endpoint, nil
	}
	endpoint, _, err := dynalite.Serve(context.Background())
	return endpoint, err
})

// Endpoint is the URL of the server, which it starts when no test has before.
func Endpoint(tb testing.TB) string {
	tb.Helper()
	endpoint, err := shared()
	require.NoError(tb, err)
	return endpoint
}

// Options are those of a table of its own name on the server, not created yet. The waits between attempts are short, as
// nothing is gained from patience with a server on this machine.
func Options(tb testing.TB) dynamodb.Options {
	tb.Helper()
	return dynamodb.Options{
		Table:       "test-" + ulid.Make().String(),
		Region:      "us-east-1",
		Endpoint:    Endpoint(tb),
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
		MaxBackoff:  5 * time.Millisecond,
		Timeout:     20 * time.Second, // a busy machine is no failure of the server
	}
}

// New is the driver of a fresh table, which is deleted after the test.
func New(tb testing.TB) *dynamodb.Driver {
	tb.Helper()
	return Create(tb, Options(tb))
}

// Create is New with options of the caller's, begun from [Options].
func Create(tb testing.TB, options dynamodb.Options) *dynamodb.Driver {
	tb.Helper()
	driver, err := dynamodb.Connect(options)
	require.NoError(tb, err)
	require.NoError(tb, driver.CreateTable(tb.Context()))
	tb.Cleanup(func() {
		table := driver.Table()
		_, err := driver.Client().DeleteTable(context.WithoutCancel(tb.Context()), &awsdynamodb.DeleteTableInput{TableName: &table})
		require.NoError(tb, err)
	})
	return driver
}

package dynamodb_test

import (
	"testing"

	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb/dynamotest"
	"boulevard/functions/internal/store/storetest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Driver { return dynamotest.New(t) })
}

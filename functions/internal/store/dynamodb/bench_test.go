package dynamodb_test

import (
	"testing"

	"boulevard/functions/internal/store/dynamodb/dynamotest"
	"boulevard/functions/internal/store/storetest"
)

func BenchmarkPut(b *testing.B) { storetest.BenchmarkPut(b, dynamotest.New(b)) }

func BenchmarkGet(b *testing.B) { storetest.BenchmarkGet(b, dynamotest.New(b)) }

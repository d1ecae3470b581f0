package sqlite_test

import (
	"testing"

	"boulevard/functions/internal/store/storetest"
)

func BenchmarkPut(b *testing.B) { storetest.BenchmarkPut(b, openNew(b)) }

func BenchmarkGet(b *testing.B) { storetest.BenchmarkGet(b, openNew(b)) }

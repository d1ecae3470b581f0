package sqlite_test

import (
	"path/filepath"
	"testing"

	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/sqlite"
	"boulevard/functions/internal/store/storetest"

	"github.com/stretchr/testify/require"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Driver { return openNew(t) })
}

// openNew opens a table in a new file and closes it after the test.
func openNew(tb testing.TB) *sqlite.Driver {
	tb.Helper()
	d, err := sqlite.Open(tb.Context(), filepath.Join(tb.TempDir(), "new & odd?#%.db"))
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, d.Close()) })
	return d
}

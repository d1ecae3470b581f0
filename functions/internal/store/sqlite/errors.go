package sqlite

import (
	"errors"
	"fmt"

	"boulevard/functions/internal/store"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// primary strips what SQLite adds to a result code to tell where it arose.
const primary = 0xff

// classify tells the kinds of failures apart. Nothing was written in any of them: the transaction was not committed.
func classify(err error) error {
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		return err
	}
	switch failure.Code() & primary {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("sqlite: %w: %w", store.ErrThrottled, err)
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY,
		sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PROTOCOL:
		return fmt.Errorf("sqlite: %w: %w", store.ErrUnavailable, err)
	default:
		return fmt.Errorf("sqlite: %w", err)
	}
}

// commitFailed classifies the failure of a commit. A full disk or a lock says that it did not happen; a failing disk may
// have kept it none the less.
func commitFailed(err error) error {
	if failure, ok := errors.AsType[*sqlite.Error](err); ok {
		switch failure.Code() & primary {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL:
			return classify(err)
		}
	}
	return fmt.Errorf("sqlite: %w: %w", store.ErrOutcomeUnknown, err)
}

package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// migrations lead from one PRAGMA user_version to the next. Only ever append: files of every version are out there.
//
// TEXT compares by the bytes of its UTF-8 (collation BINARY), as DynamoDB does. Items live in the key's own tree (WITHOUT
// ROWID), so one lookup finds an item and a partition is read in order.
var migrations = []string{
	`CREATE TABLE items (
		pk      TEXT    NOT NULL COLLATE BINARY,
		sk      TEXT    NOT NULL COLLATE BINARY,
		rev     INTEGER NOT NULL,
		body    BLOB    NOT NULL,
		expires INTEGER NOT NULL,
		PRIMARY KEY (pk, sk)
	) WITHOUT ROWID, STRICT;
	CREATE INDEX items_expires ON items (expires) WHERE expires > 0`,

	// The feed. Triggers write it, so that no statement can forget it, and in the same transaction. They pass over what
	// nobody derives anything from, as the filter of a stream does: what is not a game's head. The newest change is never
	// removed, so no number comes twice; AUTOINCREMENT would write one more page with every command.
	`CREATE TABLE changes (
		seq         INTEGER PRIMARY KEY,
		pk          TEXT NOT NULL,
		sk          TEXT NOT NULL,
		old_rev     INTEGER,
		old_body    BLOB,
		old_expires INTEGER,
		new_rev     INTEGER,
		new_body    BLOB,
		new_expires INTEGER
	) STRICT;
	CREATE TABLE cursors (
		name TEXT    PRIMARY KEY,
		seq  INTEGER NOT NULL
	) WITHOUT ROWID, STRICT;
	CREATE TRIGGER head_created AFTER INSERT ON items WHEN NEW.sk = 'HEAD' AND NEW.pk GLOB 'GAME#*' BEGIN
		INSERT INTO changes (pk, sk, new_rev, new_body, new_expires)
			VALUES (NEW.pk, NEW.sk, NEW.rev, NEW.body, NEW.expires);
	END;
	CREATE TRIGGER head_changed AFTER UPDATE ON items WHEN NEW.sk = 'HEAD' AND NEW.pk GLOB 'GAME#*' BEGIN
		INSERT INTO changes (pk, sk, old_rev, old_body, old_expires, new_rev, new_body, new_expires)
			VALUES (NEW.pk, NEW.sk, OLD.rev, OLD.body, OLD.expires, NEW.rev, NEW.body, NEW.expires);
	END;
	CREATE TRIGGER head_removed AFTER DELETE ON items WHEN OLD.sk = 'HEAD' AND OLD.pk GLOB 'GAME#*' BEGIN
		INSERT INTO changes (pk, sk, old_rev, old_body, old_expires)
			VALUES (OLD.pk, OLD.sk, OLD.rev, OLD.body, OLD.expires);
	END`,
}

// migrate brings the file to this build's version, under the write lock so that two processes opening a new file agree.
func migrate(ctx context.Context, conn *sql.Conn) (err error) {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, _ = conn.ExecContext(ctx, "ROLLBACK") // the first error is the one to tell
		}
	}()
	var version int
	if err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version > len(migrations) {
		return fmt.Errorf("the file has version %d and this build knows %d: use a newer build", version, len(migrations))
	}
	for _, step := range migrations[version:] {
		if _, err := conn.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(migrations))); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return err
}

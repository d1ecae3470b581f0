package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// exportFormat is the first line of an export.
type exportFormat struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

var thisExport = exportFormat{Format: "boulevard-items", Version: 1}

// exported is an item on a line of its own.
type exported struct {
	PK      string `json:"pk"`
	SK      string `json:"sk"`
	Rev     uint64 `json:"rev"`
	Body    []byte `json:"body,omitempty"`
	Expires int64  `json:"expires,omitempty"`
}

// ErrNoExport says that what was to be imported is no export of a table.
var ErrNoExport = errors.New("store: not an export of a table")

// Export writes all items of a table, a line each, and says how many. Games may be played meanwhile: every item is one that
// was there, and a game's head comes before its pages, so that none of those is missed.
func (t *Table) Export(ctx context.Context, to io.Writer) (int, error) {
	encoder := json.NewEncoder(to)
	if err := encoder.Encode(thisExport); err != nil {
		return 0, err
	}
	count := 0
	var failed error
	err := t.scan(ctx, func(item Item) {
		if failed == nil {
			failed = encoder.Encode(exported{PK: item.PK, SK: item.SK, Rev: item.Rev, Body: item.Body, Expires: item.Expires})
			count++
		}
	})
	return count, errors.Join(err, failed)
}

// Import writes the items of an export, unless the table has newer ones, and says how many it wrote. It can be repeated.
func (t *Table) Import(ctx context.Context, from io.Reader) (int, error) {
	decoder := json.NewDecoder(from)
	decoder.DisallowUnknownFields()
	var format exportFormat
	if err := decoder.Decode(&format); err != nil || format != thisExport {
		return 0, fmt.Errorf("%w of version %d", ErrNoExport, thisExport.Version)
	}
	for count := 0; ; {
		var line exported
		err := decoder.Decode(&line)
		if errors.Is(err, io.EOF) {
			return count, nil
		}
		if err != nil {
			return count, fmt.Errorf("%w: item %d: %w", ErrNoExport, count+1, err)
		}
		wrote, err := t.importItem(ctx, line)
		if err != nil {
			return count, err
		}
		if wrote {
			count++
		}
	}
}

func (t *Table) importItem(ctx context.Context, line exported) (wrote bool, err error) {
	item := Item{Key: Key{PK: line.PK, SK: line.SK}, Rev: line.Rev, Body: line.Body, Expires: line.Expires}
	err = t.driver.Put(ctx, item, IfOlder(item.Rev))
	if _, newer := errors.AsType[*ConditionFailed](err); newer {
		return false, nil
	}
	return err == nil, err
}

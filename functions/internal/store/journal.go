package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// PageWith is the page that holds the entry of version. Versions of the tail are in none.
func (t *Table) PageWith(ctx context.Context, id string, version uint64) (JournalPage, bool, error) {
	found, err := t.driver.Query(ctx, Query{PK: gamePart(id), From: pageSort(version), To: lastPage, Limit: 1})
	if err != nil || len(found.Items) == 0 {
		return JournalPage{}, false, err
	}
	page, err := pageOf(found.Items[0])
	if err != nil || page.First() > version {
		return JournalPage{}, false, err
	}
	return page, true, nil
}

// lastPage sorts behind every page: ':' follows '9'.
const lastPage = pagePrefix + ":"

func pageOf(item Item) (JournalPage, error) {
	last, err := strconv.ParseUint(strings.TrimPrefix(item.SK, pagePrefix), 10, 64)
	if err != nil {
		return JournalPage{}, fmt.Errorf("store: item %s %s is no page", item.PK, item.SK)
	}
	page := JournalPage{Last: last}
	if err := decode(item, &page); err != nil {
		return JournalPage{}, err
	}
	if uint64(len(page.Entries)) > last {
		return JournalPage{}, fmt.Errorf("store: page %d of %s has too many entries", last, item.PK)
	}
	return page, nil
}

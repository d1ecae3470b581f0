package store

import (
	"context"
	"fmt"
	"strconv"

	"boulevard/engine/codec"
)

// Buried is a change that nobody could take in. It waits for an operator, who may have a newer build.
type Buried struct {
	Change
	// Why is what was wrong with it.
	Why string

	key Key
}

// buried is its item.
type buried struct {
	PK  string       `cbor:"1,keyasint"`
	SK  string       `cbor:"2,keyasint"`
	Old *buriedImage `cbor:"3,keyasint,omitempty"`
	New *buriedImage `cbor:"4,keyasint,omitempty"`
	Why string       `cbor:"5,keyasint"`
}

type buriedImage struct {
	_       struct{} `cbor:",toarray"`
	Rev     uint64
	Body    []byte
	Expires int64
}

const buriedPart = "BURIED"

// Bury keeps a change that nobody could take in.
func (t *Table) Bury(ctx context.Context, change Change, why error) error {
	key := change.Key()
	b := buried{PK: key.PK, SK: key.SK, Old: imageOf(change.Old), New: imageOf(change.New), Why: why.Error()}
	body, err := codec.Encode(b)
	if err != nil {
		return err
	}
	return t.driver.Put(ctx, Item{Key: Key{PK: buriedPart, SK: fmt.Sprintf("%020d", change.Seq)}, Rev: 1, Body: body}, Condition{})
}

func imageOf(item *Item) *buriedImage {
	if item == nil {
		return nil
	}
	return &buriedImage{Rev: item.Rev, Body: item.Body, Expires: item.Expires}
}

func (i *buriedImage) item(key Key) *Item {
	if i == nil {
		return nil
	}
	return &Item{Key: key, Rev: i.Rev, Body: i.Body, Expires: i.Expires}
}

// Buried lists changes that nobody could take in, the oldest first, from behind a cursor.
func (t *Table) Buried(ctx context.Context, after string) (list []Buried, next string, err error) {
	page, err := t.driver.Query(ctx, Query{PK: buriedPart, Limit: MaxLimit, After: after})
	if err != nil {
		return nil, "", err
	}
	for _, item := range page.Items {
		var b buried
		if err := decode(item, &b); err != nil {
			return nil, "", err
		}
		key := Key{PK: b.PK, SK: b.SK}
		seq, err := strconv.ParseUint(item.SK, 10, 64)
		if err != nil {
			return nil, "", err
		}
		list = append(list, Buried{
			Change: Change{Seq: seq, Old: b.Old.item(key), New: b.New.item(key)}, Why: b.Why, key: item.Key,
		})
	}
	return list, page.Next, nil
}

// Unbury forgets a change that was taken in after all.
func (t *Table) Unbury(ctx context.Context, b Buried) error {
	return t.driver.Delete(ctx, b.key, Condition{})
}

package storetest

import (
	"slices"
	"testing"

	"boulevard/functions/internal/store"

	"github.com/stretchr/testify/require"
)

// there is what may be in the way of a write: every condition below compares with rev 5.
var there = map[string]*store.Item{
	"absent":   nil,
	"older":    {Key: key("pk", "sk"), Rev: 4, Body: []byte("old")},
	"same rev": {Key: key("pk", "sk"), Rev: 5, Body: []byte("same")},
	"newer":    {Key: key("pk", "sk"), Rev: 10, Body: []byte("new"), Expires: 4102444800},
}

var conditions = map[string]store.Condition{
	"always":    {},
	"if absent": store.IfAbsent(),
	"if rev":    store.IfRev(5),
	"if older":  store.IfOlder(5),
}

func testPutConditions(t *testing.T, d store.Driver) {
	holds := map[string][]string{
		"always":    {"absent", "older", "same rev", "newer"},
		"if absent": {"absent"},
		"if rev":    {"same rev"},
		"if older":  {"absent", "older"},
	}
	written := newItem("pk", "sk", 7, "written")
	eachCondition(t, d, func(t *testing.T, name, state string, current *store.Item) {
		err := d.Put(t.Context(), written, conditions[name])
		if slices.Contains(holds[name], state) {
			require.NoError(t, err)
			requireItem(t, d, written)
			return
		}
		requireRefused(t, d, err, current)
	})
}

func testDeleteConditions(t *testing.T, d store.Driver) {
	holds := map[string][]string{
		"always":    {"absent", "older", "same rev", "newer"},
		"if absent": {"absent"},
		"if rev":    {"absent", "same rev"}, // removing an absent item is done already
		"if older":  {"absent", "older"},
	}
	eachCondition(t, d, func(t *testing.T, name, state string, current *store.Item) {
		err := d.Delete(t.Context(), key("pk", "sk"), conditions[name])
		if slices.Contains(holds[name], state) {
			require.NoError(t, err)
			requireAbsent(t, d, key("pk", "sk"))
			return
		}
		requireRefused(t, d, err, current)
	})
}

// eachCondition tries a write under every condition with every item in its way.
func eachCondition(t *testing.T, d store.Driver, try func(t *testing.T, name, state string, current *store.Item)) {
	t.Helper()
	for name := range conditions {
		for state, current := range there {
			t.Run(name+", "+state, func(t *testing.T) {
				require.NoError(t, d.Delete(t.Context(), key("pk", "sk"), store.Condition{}))
				if current != nil {
					put(t, d, *current)
				}
				try(t, name, state, current)
			})
		}
	}
}

// requireRefused requires that the write failed, brought what was in the way, and changed nothing.
func requireRefused(t *testing.T, d store.Driver, err error, current *store.Item) {
	t.Helper()
	requireFailed(t, err, current)
	if current == nil {
		requireAbsent(t, d, key("pk", "sk"))
		return
	}
	requireItem(t, d, *current)
}

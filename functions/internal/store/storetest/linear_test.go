package storetest

import (
	"testing"

	"boulevard/functions/internal/store"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"
)

// The check is worth something only if it sees what a broken driver would do.
func TestLinearizabilityCheckSeesBrokenDrivers(t *testing.T) {
	t.Parallel()
	item := newItem("pk", "sk", 1, "first")
	rival := newItem("pk", "sk", 1, "second")
	first := call{kind: callPut, item: item, when: store.IfAbsent()}
	second := call{kind: callPut, item: rival, when: store.IfAbsent()}
	read := call{kind: callGet, item: store.Item{Key: item.Key}}
	remove := call{kind: callDelete, item: store.Item{Key: item.Key}, when: store.IfRev(1)}
	for name, c := range map[string]struct {
		history []porcupine.Operation
		want    bool
	}{
		"one of two wins":       {want: true, history: atOnce(op(first, answer{held: true}), op(second, answer{}))},
		"two win":               {history: atOnce(op(first, answer{held: true}), op(second, answer{held: true}))},
		"none wins":             {history: atOnce(op(first, answer{}), op(second, answer{}))},
		"a read sees the write": {want: true, history: inTurn(op(first, answer{held: true}), op(read, answer{found: plain(item)}))},
		"a read is stale":       {history: inTurn(op(first, answer{held: true}), op(read, answer{}))},
		"a removal comes back": {history: inTurn(
			op(first, answer{held: true}), op(remove, answer{held: true}), op(read, answer{found: plain(item)}))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, porcupine.CheckOperations(oneItem, c.history))
		})
	}
}

func op(in call, out answer) porcupine.Operation { return porcupine.Operation{Input: in, Output: out} }

func atOnce(ops ...porcupine.Operation) []porcupine.Operation {
	for i := range ops {
		ops[i].ClientId, ops[i].Call, ops[i].Return = i, 0, 1
	}
	return ops
}

func inTurn(ops ...porcupine.Operation) []porcupine.Operation {
	for i := range ops {
		ops[i].ClientId, ops[i].Call, ops[i].Return = i, int64(2*i), int64(2*i+1)
	}
	return ops
}

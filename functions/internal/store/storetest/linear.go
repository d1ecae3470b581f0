package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"boulevard/functions/internal/store"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"
)

// call is one call of a driver on one item.
type call struct {
	kind callKind
	item store.Item // of a put; of the others only the key
	when store.Condition
}

type callKind int

const (
	callGet callKind = iota
	callPut
	callDelete
)

// answer is what a call told: whether the condition held and, of a read, what was there.
type answer struct {
	held  bool
	found flat // the zero flat for an absent item
}

const (
	callsPerRival = 40
	checkTimeout  = time.Minute
)

// testLinearizable has rivals read and write a few items at random, each going on from what it last saw, and asks whether
// one order of all the calls explains all the answers.
func testLinearizable(t *testing.T, d store.Driver) {
	start := time.Now()
	histories := make([][]porcupine.Operation, rivals)
	errs := together(func(i int) error {
		r := &rival{id: i, d: d, random: rand.New(rand.NewPCG(1, uint64(i))), seen: map[store.Key]uint64{}, start: start}
		for range callsPerRival {
			if err := r.step(t.Context()); err != nil {
				return err
			}
		}
		histories[i] = r.history
		return nil
	})
	require.NoError(t, errors.Join(errs...))
	var history []porcupine.Operation
	for _, h := range histories {
		history = append(history, h...)
	}
	require.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(oneItem, history, checkTimeout))
}

// oneItem is what a driver promises of one item; items are independent of each other.
var oneItem = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byKey := map[store.Key][]porcupine.Operation{}
		for _, op := range history {
			k := op.Input.(call).item.Key
			byKey[k] = append(byKey[k], op)
		}
		parts := make([][]porcupine.Operation, 0, len(byKey))
		for _, part := range byKey {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return flat{} },
	Step: func(state, input, output any) (bool, any) {
		now, in, out := state.(flat), input.(call), output.(answer)
		switch in.kind {
		case callGet:
			return out.found == now, now
		case callPut:
			return judge(holds(in.when, now), out.held, now, plain(in.item))
		default: // removing an absent item is done already
			return judge(now == flat{} || holds(in.when, now), out.held, now, flat{})
		}
	},
}

// judge says whether a write may have told that its condition held, and what is there after it.
func judge(held, told bool, before, after flat) (bool, flat) {
	if held && told {
		return true, after
	}
	return held == told, before
}

func holds(c store.Condition, now flat) bool {
	if now == (flat{}) {
		return c.Holds(nil)
	}
	return c.Holds(&store.Item{Rev: now.rev})
}

// rival is one caller and what it saw.
type rival struct {
	id, calls int
	d         store.Driver
	random    *rand.Rand
	seen      map[store.Key]uint64
	start     time.Time
	history   []porcupine.Operation
}

func (r *rival) step(ctx context.Context) error {
	r.calls++
	k := key("pk", string(rune('a'+r.random.IntN(3))))
	item := store.Item{Key: k, Rev: r.seen[k] + 1, Body: fmt.Appendf(nil, "%d of rival %d", r.calls, r.id)}
	switch r.random.IntN(8) {
	case 0, 1:
		return r.get(ctx, k)
	case 2, 3, 4:
		return r.write(ctx, call{kind: callPut, item: item, when: store.IfRev(r.seen[k])})
	case 5:
		return r.write(ctx, call{kind: callPut, item: item, when: store.IfAbsent()})
	case 6:
		return r.write(ctx, call{kind: callPut, item: item, when: store.IfOlder(item.Rev)})
	default:
		return r.write(ctx, call{kind: callDelete, item: store.Item{Key: k}, when: store.IfRev(r.seen[k])})
	}
}

func (r *rival) get(ctx context.Context, k store.Key) error {
	called := time.Since(r.start)
	item, err := r.d.Get(ctx, k)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	r.record(call{kind: callGet, item: store.Item{Key: k}}, answer{found: plain(item)}, called)
	r.seen[k] = item.Rev
	return nil
}

func (r *rival) write(ctx context.Context, in call) (err error) {
	called := time.Since(r.start)
	if in.kind == callPut {
		err = r.d.Put(ctx, in.item, in.when)
	} else {
		err = r.d.Delete(ctx, in.item.Key, in.when)
	}
	var failed *store.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	r.record(in, answer{held: err == nil}, called)
	r.seen[in.item.Key] = in.item.Rev
	if failed == nil {
		return nil
	}
	// What was in the way is a read of its own: some servers do not return it, and then it is read a moment later.
	var current store.Item
	if failed.Current != nil {
		current = *failed.Current
	}
	r.record(call{kind: callGet, item: store.Item{Key: in.item.Key}}, answer{found: plain(current)}, called)
	r.seen[in.item.Key] = current.Rev
	return nil
}

func (r *rival) record(in call, out answer, called time.Duration) {
	r.history = append(r.history, porcupine.Operation{
		ClientId: r.id, Input: in, Call: int64(called), Output: out, Return: int64(time.Since(r.start)),
	})
}

package rest_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb/dynamotest"
	"boulevard/functions/internal/store/storetest/faultproxy"
)

// failing is a driver that, while it is armed, fails the writes of heads: before or after they have happened.
type failing struct {
	store.Driver
	before, after error
	// times is how many writes still fail.
	times atomic.Int32
}

func (f *failing) Put(ctx context.Context, item store.Item, when store.Condition) error {
	armed := store.IsHead(item.Key) && f.times.Add(-1) >= 0
	if armed && f.before != nil {
		return f.before
	}
	err := f.Driver.Put(ctx, item, when)
	if armed && err == nil {
		return f.after
	}
	return err
}

// onEachFailingDriver is onEachDriver with a driver that will fail when it is armed.
func onEachFailingDriver(t *testing.T, before, after error, test func(t *testing.T, b *bundle, f *failing)) {
	t.Helper()
	for name, open := range drivers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &failing{Driver: open(t), before: before, after: after}
			test(t, setup(t, f), f)
		})
	}
}

// R8: a write that landed but whose answer was lost.
func TestR8_LandedWriteWithALostAnswer_IsRecognisedAsOnesOwn(t *testing.T) {
	t.Parallel()
	onEachFailingDriver(t, nil, store.ErrOutcomeUnknown, func(t *testing.T, b *bundle, f *failing) {
		game, players := b.started("Ann", "Bob")
		f.times.Store(1)
		after := draw(game, players)
		require.Equal(t, game.Version+1, after.Version)

		f.times.Store(1)
		again, once := players[0], newKey()
		body := map[string]any{"game": "lords-of-vegas", "seats": 2}
		again.post("/v1/games", body, once).problem(http.StatusServiceUnavailable, "outcome_unknown")
		created := again.post("/v1/games", body, once).expect(http.StatusCreated).game()
		require.EqualValues(t, 1, created.Version)
	})
}

// R8, with a connection that really breaks: the SDK sends the write again by itself, and meets its own.
func TestR8_DroppedConnection_PhantomConflict_IsASuccess(t *testing.T) {
	t.Parallel()
	options := dynamotest.Options(t)
	proxy := faultproxy.Start(t, options.Endpoint)
	options.Endpoint = proxy.URL()
	b := setup(t, dynamotest.Create(t, options))
	game, players := b.started("Ann", "Bob")
	for _, fault := range []faultproxy.Fault{
		faultproxy.LoseAnswer(), faultproxy.LoseRequest(), faultproxy.BreakAfter(http.StatusInternalServerError),
	} {
		// The second write is the head's: a page may come first, and be lost as harmlessly.
		proxy.Inject("PutItem", 1, fault)
		after := b.playOn(game, players)
		require.Equal(t, game.Version+1, after.Version)
		game = after
	}
	_, err := b.host.Check(t.Context(), game.ID)
	require.NoError(t, err)
}

// D1: what the table can fail by is told apart.
func TestD1_UnknownOutcome_NothingLanded_IsDoneOnce(t *testing.T) {
	t.Parallel()
	onEachFailingDriver(t, store.ErrOutcomeUnknown, nil, func(t *testing.T, b *bundle, f *failing) {
		game, players := b.started("Ann", "Bob")
		f.times.Store(1)
		after := draw(game, players)
		require.Equal(t, game.Version+1, after.Version)
	})
}

func TestD1_ThrottledOrUnavailable_IsToldSo_AndChangesNothing(t *testing.T) {
	t.Parallel()
	for _, cause := range []error{store.ErrThrottled, store.ErrUnavailable} {
		onEachFailingDriver(t, cause, nil, func(t *testing.T, b *bundle, f *failing) {
			game, players := b.started("Ann", "Bob")
			active := players[game.Turn.Value]
			f.times.Store(1)
			active.post(actions(game.ID), action("draw", struct{}{}), ifMatch(game.Version), newKey()).
				problem(http.StatusServiceUnavailable, "unavailable")
			require.Equal(t, game.Version, active.game(game.ID).Version)
			draw(game, players)
		})
	}
}

func TestD1_ThrottlingTable_IsAskedAgain(t *testing.T) {
	t.Parallel()
	options := dynamotest.Options(t)
	proxy := faultproxy.Start(t, options.Endpoint)
	options.Endpoint = proxy.URL()
	b := setup(t, dynamotest.Create(t, options))
	game, players := b.started("Ann", "Bob")
	proxy.Inject("PutItem", 2, faultproxy.Refuse("ProvisionedThroughputExceededException"))
	game = draw(game, players)
	proxy.Inject("PutItem", 2, faultproxy.Refuse("TransactionConflictException"))
	game = b.playOn(game, players)

	proxy.Inject("GetItem", faultproxy.Always, faultproxy.Break(http.StatusServiceUnavailable))
	players[0].get("/v1/games/"+game.ID).problem(http.StatusServiceUnavailable, "unavailable")
	proxy.Clear()
	require.Equal(t, game.Version, players[0].game(game.ID).Version)
}

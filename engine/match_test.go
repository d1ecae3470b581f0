package engine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

func act(tb testing.TB, match engine.Match, move engine.Move) []engine.Event {
	tb.Helper()
	events, refusal := match.Act(move, engine.NewDice(engine.Seed{}, 1))
	require.Nil(tb, refusal)
	return events
}

func TestMatch_RefusesWhatItDoesNotWaitFor(t *testing.T) {
	t.Parallel()
	match := newPile(t, 3)
	check := func(move engine.Move) string {
		t.Helper()
		before, err := match.Snapshot()
		require.NoError(t, err)
		events, refusal := match.Act(move, engine.NewDice(engine.Seed{}, 1))
		require.Nil(t, events)
		require.NotNil(t, refusal)
		after, err := match.Snapshot()
		require.NoError(t, err)
		require.Equal(t, before, after)
		return refusal.Code
	}
	assert.Equal(t, engine.NotAsked, check(engine.Move{Seat: 1, Action: &take{Stones: 1}}))
	assert.Equal(t, engine.NotAsked, check(engine.Move{Seat: engine.NoSeat, Action: &take{Stones: 1}}))
	assert.Equal(t, engine.UnknownAction, check(engine.Move{Action: stranger{}}))
	assert.Equal(t, engine.UnknownAction, check(engine.Move{}))
	assert.Equal(t, engine.PromptClosed, check(engine.Move{Seat: 1, Action: &answer{}, Prompt: 1}))
	assert.Equal(t, engine.PromptClosed, check(engine.Move{Action: &take{Stones: 1}, Prompt: 1}))
	assert.Equal(t, "wrong_stones", check(engine.Move{Action: &take{Stones: 4}}))

	act(t, match, engine.Move{Action: &ask{}})
	assert.Equal(t, []engine.Seat{1}, match.Asked())
	assert.Empty(t, match.Choices(0), "the turn waits")
	assert.Len(t, match.Choices(1), 2)
	assert.Equal(t, engine.PromptOpen, check(engine.Move{Action: &take{Stones: 1}}))
	assert.Equal(t, engine.NotAsked, check(engine.Move{Seat: 1, Action: &take{Stones: 1}}))
	assert.Equal(t, engine.PromptClosed, check(engine.Move{Seat: 2, Action: &answer{}, Prompt: 1}))
	assert.Equal(t, engine.PromptClosed, check(engine.Move{Seat: 1, Action: &answer{}}))
	assert.Equal(t, engine.PromptClosed, check(engine.Move{Seat: 1, Action: &answer{}, Prompt: 2}))

	act(t, match, engine.Move{Seat: 1, Action: &answer{Yes: true}, Prompt: 1})
	assert.Equal(t, engine.NoSeat, match.Turn())
	assert.Empty(t, match.Asked())
	require.NotNil(t, match.Outcome())
	assert.Equal(t, engine.GameOver, check(engine.Move{Action: &take{Stones: 1}}))
	assert.Equal(t, engine.GameOver, check(engine.Move{Seat: 1, Action: &answer{}, Prompt: 1}))
}

func TestVisible_EventsForSomeOnly(t *testing.T) {
	t.Parallel()
	events := act(t, newPile(t, 3), engine.Move{Action: &ask{}})
	assert.Len(t, engine.Visible(events, 0), 1)
	assert.Len(t, engine.Visible(events, 1), 1)
	assert.Empty(t, engine.Visible(events, 2))
	assert.Empty(t, engine.Visible(events, engine.NoSeat))
	public := act(t, newPile(t, 3), engine.Move{Action: &take{Stones: 1}})
	assert.Len(t, engine.Visible(public, engine.NoSeat), 1)
}

func TestChoice_FilledTakesFromTheDomain(t *testing.T) {
	t.Parallel()
	choice := newPile(t, 2).Choices(0)[0]
	for n := range 3 {
		action := choice.Filled(func(most int) int {
			require.Equal(t, 3, most)
			return n
		})
		assert.Equal(t, &take{Stones: int8(n + 1)}, action)
	}
}

func TestRefusal_ErrorNamesTheArgumentsInOrder(t *testing.T) {
	t.Parallel()
	refusal := engine.Refuse("not_enough_money", "Taking", engine.Args{"needed": 6, "have": 4})
	assert.EqualError(t, refusal, "not_enough_money have=4 needed=6")
}

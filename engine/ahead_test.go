package engine_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// wavedAt lets seat 0 wave to seat 1 in the moves that make those versions.
func wavedAt(t *testing.T, versions ...uint64) engine.Match {
	t.Helper()
	match := newPile(t, 3)
	for _, version := range versions {
		_, refusal := match.Act(engine.Move{Seat: 0, Action: new(wave)}, engine.NewDice(engine.Seed{}, version))
		require.Nil(t, refusal)
	}
	return match
}

func TestOffers_ComeWithoutBeingAsked_AndBlockNothing(t *testing.T) {
	t.Parallel()
	match := wavedAt(t, 4)
	assert.Equal(t, []engine.Seat{0}, match.Asked(), "an optional prompt waits for nobody")
	assert.Empty(t, match.Choices(1))
	prompt := engine.NewPromptID(4, 1)
	assert.Equal(t, []engine.Choice{{Action: new(wave)}, {Action: new(waveBack), Prompt: prompt}}, match.Offers(1))
	assert.Empty(t, match.Offers(engine.NoSeat))
	act(t, match, engine.Move{Seat: 0, Action: new(ask)})
	assert.Equal(t, []engine.Seat{1}, match.Asked())
	act(t, match, engine.Move{Seat: 2, Action: new(wave)})
	act(t, match, engine.Move{Seat: 1, Action: new(waveBack), Prompt: prompt})
	act(t, match, engine.Move{Seat: 1, Action: &answer{Yes: true}, Prompt: match.Prompts()[0].ID})
	assert.Empty(t, match.Offers(1), "the game is over")
	assert.Equal(t, engine.GameOver, match.Check(engine.Move{Seat: 2, Action: new(wave)}).Code)
}

func TestAnytime_AnswersNoPrompt(t *testing.T) {
	t.Parallel()
	match := wavedAt(t, 4)
	move := engine.Move{Seat: 1, Action: new(wave), Prompt: engine.NewPromptID(4, 1)}
	assert.Equal(t, engine.PromptClosed, match.Check(move).Code)
}

// An answer knows which of a seat's prompts of one kind it answers.
func TestAnswer_KnowsItsPrompt(t *testing.T) {
	t.Parallel()
	for _, answered := range []uint64{4, 9} {
		match := wavedAt(t, 4, 9)
		prompt := engine.NewPromptID(answered, 1)
		shared := new(waveBack)
		events := act(t, match, engine.Move{Seat: 1, Action: shared, Prompt: prompt})
		assert.Equal(t, prompt, events[0].Args)
		assert.Equal(t, new(waveBack), shared, "an action that was offered is not changed")
		require.Len(t, match.Prompts(), 1)
		assert.NotEqual(t, prompt, match.Prompts()[0].ID)
		again := match.Check(engine.Move{Seat: 1, Action: shared, Prompt: prompt})
		assert.Equal(t, engine.PromptClosed, again.Code)
	}
}

func TestPreview_IsWhatTheMoveDoes_AndChangesNothing(t *testing.T) {
	t.Parallel()
	match := wavedAt(t, 4)
	before, err := match.Snapshot()
	require.NoError(t, err)
	for _, move := range []engine.Move{
		{Action: &take{Stones: 2}}, {Action: new(ask)}, {Seat: 2, Action: new(wave)},
		{Seat: 1, Action: new(waveBack), Prompt: engine.NewPromptID(4, 1)},
	} {
		preview, refusal := match.Preview(move)
		require.Nil(t, refusal)
		assert.Empty(t, preview.Stopped)
		after, err := match.Snapshot()
		require.NoError(t, err)
		require.Equal(t, before, after)

		acted, err := pileGame().Restore(before)
		require.NoError(t, err)
		events, refusal := acted.Act(move, engine.NewDice(engine.Seed{}, 5))
		require.Nil(t, refusal)
		assert.Equal(t, events, preview.Events)
		want, err := acted.Snapshot()
		require.NoError(t, err)
		got, err := preview.After.Snapshot()
		require.NoError(t, err)
		assert.Equal(t, want, got, "version 5 is the first that no open prompt is named by")
	}
}

func TestPreview_StopsBeforeChancesAndSecrets(t *testing.T) {
	t.Parallel()
	match := newPile(t, 3)
	preview, refusal := match.Preview(engine.Move{Action: new(roll)})
	require.Nil(t, refusal)
	assert.Equal(t, engine.Preview{
		Events: []engine.Event{{Code: "rolling", Rule: "Taking"}}, Stopped: engine.StoppedByDice,
	}, preview)
	preview, refusal = match.Preview(engine.Move{Action: new(peek)})
	require.Nil(t, refusal)
	assert.Equal(t, engine.Preview{Stopped: engine.StoppedByHidden}, preview)
	_, refusal = match.Preview(engine.Move{Action: &take{Stones: 9}})
	assert.Equal(t, "wrong_stones", refusal.Code)
	_, refusal = match.Preview(engine.Move{Seat: 1, Action: new(roll)})
	assert.Equal(t, engine.NotAsked, refusal.Code)
}

func TestObey_AnswersWhatIsAskedOfTheSeat(t *testing.T) {
	t.Parallel()
	match := newPile(t, 3)
	orders := []engine.Order{new(hasty), &meek{Unto: 10}}
	obey := func(seat engine.Seat) any {
		move, ok := match.Obey(seat, orders)
		if !ok {
			return nil
		}
		require.Nil(t, match.Check(move))
		return move
	}
	assert.Nil(t, obey(0), "there is too much left to be hasty")
	act(t, match, engine.Move{Action: new(ask)})
	assert.Nil(t, obey(0), "the turn waits")
	assert.Equal(t, engine.Move{Seat: 1, Action: &answer{Yes: true}, Prompt: match.Prompts()[0].ID}, obey(1))
	assert.Nil(t, obey(2))
	_, ok := match.Obey(1, nil)
	assert.False(t, ok)

	match = newPile(t, 2)
	for seat := range engine.Seat(3) {
		act(t, match, engine.Move{Seat: seat % 2, Action: &take{Stones: 3}})
	}
	assert.Equal(t, engine.Move{Seat: 1, Action: &take{Stones: 1}}, obey(1))
	assert.Nil(t, obey(0))
}

func TestOrders_ParseAndComeBack(t *testing.T) {
	t.Parallel()
	order, refusal := pileGame().ParseOrder("meek", json.RawMessage(`{"unto":4}`))
	require.Nil(t, refusal)
	entry, err := pileGame().EncodeOrder(order)
	require.NoError(t, err)
	decoded, err := pileGame().DecodeOrder(entry)
	require.NoError(t, err)
	assert.Equal(t, &meek{Unto: 4}, decoded)
	for text, code := range map[string]string{
		`{"unto":-1}`: "bad_order", `{"upto":4}`: engine.BadArgument, `{"unto":"4"}`: engine.BadArgument, `[`: engine.BadArgument,
	} {
		_, refusal := pileGame().ParseOrder("meek", []byte(text))
		require.NotNil(t, refusal, text)
		assert.Equal(t, code, refusal.Code, text)
	}
	_, refusal = pileGame().ParseOrder("bold", nil)
	assert.Equal(t, engine.UnknownOrder, refusal.Code)
	for _, entry := range [][]byte{nil, {2}, {0}, {0, 0x81, 0x20}, {0, 0x81, 0x61, 0x41}} {
		_, err := pileGame().DecodeOrder(entry)
		assert.Error(t, err, "%v", entry)
	}
}

// What a deal is made of only its game knows, so that nobody fills one at random.
func TestChoice_FilledLeavesADealEmpty(t *testing.T) {
	t.Parallel()
	choice := engine.Choice{Action: new(wave), Fill: []engine.Param{{Name: "steps", Kind: engine.Deal}}}
	assert.Equal(t, new(wave), choice.Filled(nil))
}

package engine_test

import (
	"maps"
	"strconv"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// newerState is pileState as a newer build has it.
type newerState struct {
	Left   int             `cbor:"1,keyasint"`
	Seats  int             `cbor:"2,keyasint"`
	Turn   engine.Seat     `cbor:"3,keyasint"`
	Asked  bool            `cbor:"4,keyasint,omitempty"`
	Prompt engine.PromptID `cbor:"5,keyasint,omitempty"`
	Winner engine.Seat     `cbor:"6,keyasint"`
	// What follows is unknown to pileState; keys before, between and behind its own are.
	Colors [][2]int       `cbor:"7,keyasint"`
	Zero   string         `cbor:"0,keyasint"`
	Below  map[string]int `cbor:"-3,keyasint"`
	Named  []byte         `cbor:"named"`
}

func newer(tb testing.TB) (newerState, []byte) {
	tb.Helper()
	state := newerState{
		Left: 10, Seats: 3, Winner: engine.NoSeat, Colors: [][2]int{{1, 2}, {3, 4}}, Zero: "red",
		Below: map[string]int{"b": 1, "a": 2}, Named: []byte{0xff},
	}
	return state, canonical(tb, state)
}

// canonical encodes as the engine does.
func canonical(tb testing.TB, state any) []byte {
	tb.Helper()
	mode, err := cbor.CoreDetEncOptions().EncMode()
	require.NoError(tb, err)
	data, err := mode.Marshal(state)
	require.NoError(tb, err)
	return data
}

func snapshotOf(tb testing.TB, match engine.Match) []byte {
	tb.Helper()
	data, err := match.Snapshot()
	require.NoError(tb, err)
	return data
}

// V3: what an older build does not know survives what it does, to the byte that a newer build would have written.
func TestV3_FieldsUnknownToThisBuild_SurviveAnAct(t *testing.T) {
	t.Parallel()
	state, data := newer(t)
	match, err := pileGame().Restore(data)
	require.NoError(t, err)
	require.Equal(t, data, snapshotOf(t, match))
	for _, stones := range []int8{2, 3, 1} {
		act(t, match, engine.Move{Seat: match.Turn(), Action: &take{Stones: stones}})
		state.Left -= int(stones)
		state.Winner, state.Turn = state.Turn, (state.Turn+1)%3
		require.Equal(t, canonical(t, state), snapshotOf(t, match))
		match, err = pileGame().Restore(snapshotOf(t, match))
		require.NoError(t, err)
	}
	act(t, match, engine.Move{Seat: match.Turn(), Action: &ask{}})
	state.Asked, state.Prompt = true, 1
	require.Equal(t, canonical(t, state), snapshotOf(t, match), "known fields that were absent come between unknown ones")
}

func TestV3_FieldsUnknownToThisBuild_AreInAPreviewToo(t *testing.T) {
	t.Parallel()
	_, data := newer(t)
	match, err := pileGame().Restore(data)
	require.NoError(t, err)
	move := engine.Move{Action: &take{Stones: 2}}
	preview, refusal := match.Preview(move)
	require.Nil(t, refusal)
	require.Equal(t, data, snapshotOf(t, match))
	act(t, match, move)
	assert.Equal(t, snapshotOf(t, match), snapshotOf(t, preview.After))
}

// What cannot be kept is refused: an older build must not lose it.
func TestV3_UnknownThingsThatCannotBeKept_AreRefused(t *testing.T) {
	t.Parallel()
	own := map[any]any{1: 10, 2: 3, 3: 0, 6: -1}
	with := func(key, value any) map[any]any {
		state := map[any]any{key: value}
		maps.Copy(state, own)
		return state
	}
	crowd := with(7, 7)
	for i := range 65 {
		crowd["key"+strconv.Itoa(i)] = i
	}
	for what, state := range map[string]any{
		"odd key": with(1.5, 1), "boolean key": with(true, 1), "bytes as key": with(cbor.ByteString("1"), 1),
		"too many keys": crowd, "unknown and impossible": map[any]any{1: 10, 2: 9, 7: 7}, "wrong type": with(4, 7),
	} {
		_, err := pileGame().Restore(canonical(t, state))
		require.Error(t, err, what)
	}
	_, err := pileGame().Restore(canonical(t, with("key", 1)))
	require.NoError(t, err)
	twice := append([]byte{0xa6}, canonical(t, own)[1:]...)
	_, err = pileGame().Restore(append(twice, 7, 7, 7, 8))
	require.Error(t, err, "the same unknown key twice")
}

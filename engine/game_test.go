package engine_test

import (
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

func pileGame() engine.Game { return engine.Bind[pileState, pileAction](pile{}) }

func newPile(tb testing.TB, seats int) engine.Match {
	tb.Helper()
	setup, refusal := pileGame().Resolve(seats, nil)
	require.Nil(tb, refusal)
	match, events, err := pileGame().New(setup, engine.NewDice(engine.Seed{}, 0))
	require.NoError(tb, err)
	require.Len(tb, events, 1)
	return match
}

func TestResolve_GivesEveryOptionAValue(t *testing.T) {
	t.Parallel()
	setup, refusal := pileGame().Resolve(2, nil)
	require.Nil(t, refusal)
	assert.Equal(t, engine.Setup{Seats: 2, Options: engine.Options{"stones": "ten"}}, setup)
	chosen := engine.Options{"stones": "five"}
	setup, refusal = pileGame().Resolve(4, chosen)
	require.Nil(t, refusal)
	assert.Equal(t, engine.Options{"stones": "five"}, setup.Options)
}

func TestResolve_Refusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		seats  int
		chosen engine.Options
		code   string
	}{
		{1, nil, engine.BadSeats}, {5, nil, engine.BadSeats}, {-1, nil, engine.BadSeats},
		{2, engine.Options{"stones": "six"}, engine.BadOption}, {2, engine.Options{"stones": ""}, engine.BadOption},
		{2, engine.Options{"": "ten"}, engine.BadOption}, {2, engine.Options{"stones": "ten", "rocks": "1"}, engine.BadOption},
	} {
		_, refusal := pileGame().Resolve(test.seats, test.chosen)
		require.NotNil(t, refusal)
		assert.Equal(t, test.code, refusal.Code)
	}
	_, _, err := pileGame().New(engine.Setup{Seats: 9}, engine.NewDice(engine.Seed{}, 0))
	assert.Error(t, err)
}

func TestParseAction_Refusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ kind, args, code string }{
		{"steal", `{}`, engine.UnknownAction},
		{"", `{}`, engine.UnknownAction},
		{"take", `{"stones":"2"}`, engine.BadArgument},
		{"take", `{"stones":2.5}`, engine.BadArgument},
		{"take", `{"stones":300}`, engine.BadArgument},
		{"take", `{"stones":1e99}`, engine.BadArgument},
		{"take", `{"stone":2}`, engine.BadArgument},
		{"take", `{"stones":2} {}`, engine.BadArgument},
		{"take", `{"stones":2`, engine.BadArgument},
		{"take", `[2]`, engine.BadArgument},
		{"take", `2`, engine.BadArgument},
		{"take", ` `, engine.BadArgument},
		{"take", "\xff", engine.BadArgument},
		{"take", strings.Repeat("[", 20000), engine.BadArgument},
		{"answer", `{"yes":1}`, engine.BadArgument},
	} {
		_, refusal := pileGame().ParseAction(test.kind, []byte(test.args))
		require.NotNil(t, refusal, test.args)
		assert.Equal(t, test.code, refusal.Code, test.args)
	}
}

func TestParseAction_AbsentArgumentsAreZero(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"", "{}", "null"} {
		action, refusal := pileGame().ParseAction("take", []byte(args))
		require.Nil(t, refusal)
		assert.Equal(t, &take{}, action)
		assert.Equal(t, "wrong_stones", newPile(t, 2).Check(engine.Move{Action: action}).Code)
	}
}

func TestJournal_ActionsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	for _, action := range []engine.Action{&take{Stones: -3}, &ask{}, &answer{Yes: true}} {
		entry, err := pileGame().EncodeAction(action)
		require.NoError(t, err)
		decoded, err := pileGame().DecodeAction(entry)
		require.NoError(t, err)
		assert.Equal(t, action, decoded)
	}
	for _, entry := range [][]byte{nil, {}, {9}, {0}, {0, 0xff}, {0, 0x81}, {0, 0x81, 0x61, 0x41}, {0, 0x81, 2, 2}} {
		_, err := pileGame().DecodeAction(entry)
		assert.Error(t, err, "%v", entry)
	}
}

func TestRestore_RefusesGarbage(t *testing.T) {
	t.Parallel()
	snapshot, err := newPile(t, 3).Snapshot()
	require.NoError(t, err)
	for n := range snapshot {
		_, err := pileGame().Restore(snapshot[:n])
		require.Error(t, err, "cut after %d bytes", n)
	}
	for _, data := range [][]byte{nil, {0xf6}, {0x80}, {0xa0}, append(snapshot, 0), {0x9f, 0xff}, {0xbf, 0xff}, {0xc1, 1}} {
		_, err := pileGame().Restore(data)
		require.Error(t, err, "%v", data)
	}
	for _, state := range []pileState{{Seats: 9, Left: 3}, {Seats: 2, Left: -1}, {Seats: 2, Turn: 2, Left: 1}} {
		data, err := cbor.Marshal(state)
		require.NoError(t, err)
		_, err = pileGame().Restore(data)
		require.ErrorContains(t, err, "impossible pile")
	}
}

func TestCatalogue_FindsGamesByVersion(t *testing.T) {
	t.Parallel()
	catalogue := engine.Catalogue{pileGame()}
	_, ok := catalogue.Find("pile", 3)
	assert.True(t, ok)
	_, ok = catalogue.Find("pile", 2)
	assert.False(t, ok)
	latest, ok := catalogue.Latest("pile")
	require.True(t, ok)
	assert.Equal(t, 3, latest.Info().Version)
	_, ok = catalogue.Latest("heap")
	assert.False(t, ok)
}

func FuzzDecodeAction(f *testing.F) {
	f.Add([]byte{0, 0x81, 2})
	f.Add([]byte{2, 0x81, 0xf5})
	f.Fuzz(func(t *testing.T, entry []byte) {
		action, err := pileGame().DecodeAction(entry)
		if err != nil {
			return
		}
		_, err = pileGame().EncodeAction(action)
		require.NoError(t, err)
		_, _ = newPile(t, 2).Act(engine.Move{Action: action}, engine.NewDice(engine.Seed{}, 1))
	})
}

func FuzzRestore(f *testing.F) {
	snapshot, err := newPile(f, 3).Snapshot()
	require.NoError(f, err)
	f.Add(snapshot)
	f.Fuzz(func(t *testing.T, data []byte) {
		match, err := pileGame().Restore(data)
		if err != nil {
			return
		}
		for seat := engine.NoSeat; seat < 5; seat++ {
			match.Choices(seat)
		}
		_, err = match.Snapshot()
		require.NoError(t, err)
	})
}

func FuzzParseAction(f *testing.F) {
	f.Add("take", []byte(`{"stones":2}`))
	f.Add("answer", []byte(`{"yes":true}`))
	f.Fuzz(func(t *testing.T, kind string, args []byte) {
		action, refusal := pileGame().ParseAction(kind, args)
		require.NotEqual(t, action == nil, refusal == nil)
		if refusal == nil {
			_, _ = newPile(t, 2).Act(engine.Move{Action: action}, engine.NewDice(engine.Seed{}, 1))
		}
	})
}

package record_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/catalogue"
	"boulevard/engine/record"
	"boulevard/engine/record/recordtest"
)

// parsed is a recorded game after it was written and read.
func parsed(tb testing.TB, g record.Game) record.Game {
	tb.Helper()
	again, err := record.Parse(recordtest.Document(tb, g))
	require.NoError(tb, err)
	return again
}

// first is a game of the catalogue, played by as few as possible.
func first(tb testing.TB, n uint64) record.Game {
	tb.Helper()
	game := catalogue.All()[0]
	return recordtest.Play(tb, game, recordtest.Setups(tb, game)[0], n)
}

// S5, U2, V2: every game of the catalogue, exported, plays again to the byte, whatever was taken back on the way.
func TestReplay_GamesOfTheCatalogue_PlayAgainToTheByte(t *testing.T) {
	t.Parallel()
	for _, game := range catalogue.All() {
		for i, setup := range recordtest.Setups(t, game) {
			t.Run(fmt.Sprint(game.Info().ID, i), func(t *testing.T) {
				t.Parallel()
				g := recordtest.Play(t, game, setup, uint64(i))
				require.NoError(t, record.Verify(parsed(t, g)))
				result, err := record.Replay(catalogue.All(), parsed(t, g))
				require.NoError(t, err)
				assert.Equal(t, g.State, result.State)
				assert.NotNil(t, result.Outcome)
				assert.Positive(t, result.Plays)
				assert.Equal(t, len(g.Entries), result.Plays+result.Undos+count(g, "create", "join", "leave", "order"))
			})
		}
	}
}

func count(g record.Game, kinds ...string) int {
	n := 0
	for _, entry := range g.Entries {
		for _, kind := range kinds {
			if entry.Kind == kind {
				n++
			}
		}
	}
	return n
}

// U2: a game whose actions were taken back and made again has been played.
func TestU2_RecordedGames_HaveUndos(t *testing.T) {
	t.Parallel()
	undos := 0
	for n := range uint64(5) {
		result, err := record.Replay(catalogue.All(), first(t, n))
		require.NoError(t, err)
		undos += result.Undos
	}
	assert.Positive(t, undos)
}

// A game's kinds of actions must not be those of the host's entries, or a replay would pass over them.
func TestReplay_NoActionIsNamedAsAHostsEntry(t *testing.T) {
	t.Parallel()
	for _, game := range catalogue.All() {
		for _, action := range game.Actions() {
			assert.NotContains(t, []string{"create", "join", "leave", "start", "undo", "order"}, action.Kind)
		}
	}
}

// V2: whoever breaks a recorded game reads which one, and what to do.
func TestV2_OtherState_SaysWhichRulesToRaise(t *testing.T) {
	t.Parallel()
	g := first(t, 1)
	g.State = append(slices.Clip(g.State), 0)
	_, err := record.Replay(catalogue.All(), g)
	var replay *record.ReplayError
	require.ErrorAs(t, err, &replay)
	assert.Equal(t, g.Version, replay.Version)
	require.ErrorContains(t, err, g.ID)
	require.ErrorContains(t, err, fmt.Sprintf("%s, rules version %d", g.Game, g.Rules))
	require.ErrorContains(t, err, "without raising the version of the rules")
}

func TestV1_RulesThatTheBuildLacks_AreNamed(t *testing.T) {
	t.Parallel()
	g := first(t, 1)
	g.Rules = 99
	_, err := record.Replay(catalogue.All(), g)
	require.ErrorContains(t, err, "version 99 of the rules of "+g.Game)
	_, err = record.Replay(engine.Catalogue{}, g)
	require.ErrorContains(t, err, "the rules of "+g.Game+", which this build does not have")
}

// A roll that is right but that the rules did not ask for, or asked for and is not there, is found by playing again.
func TestReplay_MissingLastRoll_IsNamed(t *testing.T) {
	t.Parallel()
	g := first(t, 2)
	start := startOf(g)
	rolls, last := g.Entries[start].Rolls, len(g.Entries[start].Rolls)-1
	missing := rolls[last]
	g.Entries[start].Rolls = rolls[:last]
	require.NoError(t, record.Verify(g), "without the rules nothing is wrong with it")
	_, err := record.Replay(catalogue.All(), g)
	var roll *record.RollError
	require.ErrorAs(t, err, &roll)
	assert.Equal(t, record.RollError{Version: g.Entries[start].Version, Index: last, Want: missing}, *roll)
	assert.ErrorContains(t, err, fmt.Sprintf("the document has none, but it has to be [%d,%d]", missing[0], missing[1]))
}

// startOf is the entry that set up the match.
func startOf(g record.Game) int {
	for i, entry := range g.Entries {
		if entry.Starts {
			return i
		}
	}
	return -1
}

func TestReplay_WhatNoHostWrites_IsRefused(t *testing.T) {
	t.Parallel()
	seat := 0
	for what, change := range map[string]func(g *record.Game){
		"two starts":       func(g *record.Game) { g.Entries[startOf(*g)+1].Starts = true },
		"no start":         func(g *record.Game) { g.Entries = g.Entries[:startOf(*g)] },
		"nothing":          func(g *record.Game) { g.Entries = nil },
		"seatless action":  func(g *record.Game) { g.Entries[startOf(*g)+1].Seat = nil },
		"action too early": func(g *record.Game) { g.Entries[0] = record.Entry{Version: 1, Kind: "draw", Seat: &seat} },
		"undo of nothing":  func(g *record.Game) { g.Entries[startOf(*g)+1] = undo(*g, 1) },
		"undo of itself":   func(g *record.Game) { g.Entries[startOf(*g)+1] = undo(*g, g.Entries[startOf(*g)+1].Version) },
		"undo of to come":  func(g *record.Game) { g.Entries[startOf(*g)+1] = undo(*g, g.Version) },
		"too few players":  func(g *record.Game) { g.Players = g.Players[:1] },
		"other options":    func(g *record.Game) { g.Options = engine.Options{"colour": "red"} },
		"other status":     func(g *record.Game) { g.Status = "playing" },
		"other version":    func(g *record.Game) { g.Version++ },
		"not so far":       func(g *record.Game) { g.Entries = g.Entries[:len(g.Entries)-1] },
	} {
		g := first(t, 3)
		change(&g)
		_, err := record.Replay(catalogue.All(), g)
		require.Error(t, err, what)
	}
}

// undo is an entry in place of the one after the start.
func undo(g record.Game, back uint64) record.Entry {
	return record.Entry{Version: g.Entries[startOf(g)+1].Version, Kind: "undo", Back: back}
}

func TestReplay_BeforeTheEnd_TheSecretIsMissing(t *testing.T) {
	t.Parallel()
	g := first(t, 4)
	g.Secret = ""
	_, err := record.Replay(catalogue.All(), g)
	require.ErrorIs(t, err, record.ErrSecret)
}

package host_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/catalogue"
	"boulevard/engine/record"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/sqlite"
)

func requireCode(t *testing.T, code string, err error) {
	t.Helper()
	var known *host.Error
	require.ErrorAs(t, err, &known)
	require.Equal(t, code, known.Code)
}

func TestRewind_BringsBackAState_InAVersionOfItsOwn_WithItsReason(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	game, players := h.started(t, 2)
	random := rand.New(rand.NewPCG(3, 3))
	for game.Version < 40 {
		game = h.playOn(t, game, players, random)
	}
	then, err := h.At(t.Context(), game.ID, 20)
	require.NoError(t, err)
	_, err = h.Rewind(t.Context(), game.ID, 20, " ")
	requireCode(t, host.ReasonMissing, err)
	answer, err := h.Rewind(t.Context(), game.ID, 20, "the server dealt a card twice")
	require.NoError(t, err)
	require.EqualValues(t, 41, answer.Game.Version)
	require.Equal(t, then.State, answer.Game.State)
	require.Equal(t, "nothing_to_undo", answer.Game.UndoReason(engine.Seat(0)))

	records, _, err := h.Journal(t.Context(), game.ID, 40, 10)
	require.NoError(t, err)
	require.Equal(t, store.Rewind, records[0].Entry.Deed)
	require.Equal(t, "the server dealt a card twice", records[0].Entry.Reason)
	require.Equal(t, "operator", records[0].Entry.Player.ID)

	for game = answer.Game; game.Status == store.Playing; {
		game = h.playOn(t, game, players, random)
	}
	h.requireReplays(t, game, catalogue.All())
	_, err = h.Rewind(t.Context(), game.ID, 20, "too late")
	requireCode(t, host.GameNotPlaying, err)
}

// requireReplays checks the stored journal, and the export of a finished game.
func (h hosting) requireReplays(t *testing.T, game *host.Game, rules engine.Catalogue) {
	t.Helper()
	_, err := h.Check(t.Context(), game.ID)
	require.NoError(t, err)
	doc, err := h.Export(t.Context(), game.ID, "")
	require.NoError(t, err)
	data, err := json.Marshal(doc)
	require.NoError(t, err)
	parsed, err := record.Parse(data)
	require.NoError(t, err)
	_, err = record.Replay(rules, parsed)
	require.NoError(t, err)
}

func TestRewind_ToWhatNeverWas_IsRefused(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	game, _ := h.started(t, 2)
	for _, version := range []uint64{0, 1, 2, 99} {
		_, err := h.Rewind(t.Context(), game.ID, version, "a reason")
		requireCode(t, host.VersionNotFound, err)
	}
	_, err := h.Rewind(t.Context(), "none", 1, "a reason")
	requireCode(t, host.GameNotFound, err)
}

// newer are the same rules in a version of their own.
type newer struct{ engine.Game }

func (n newer) Info() engine.Info {
	info := n.Game.Info()
	info.Version++
	return info
}

func TestRepin_GoesOnByOtherRules_AndReplays(t *testing.T) {
	t.Parallel()
	driver, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "boulevard.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, driver.Close()) })
	keys, err := host.NewKeyring(bytes.Repeat([]byte("boulevard"), 4))
	require.NoError(t, err)
	open := func(rules engine.Catalogue) hosting {
		return hosting{host.New(host.Config{Store: store.NewTable(driver), Catalogue: rules, Keys: keys, Now: time.Now})}
	}
	old := open(catalogue.All())
	game, players := old.started(t, 2)
	random := rand.New(rand.NewPCG(4, 4))
	for game.Version < 30 {
		game = old.playOn(t, game, players, random)
	}
	_, err = old.Repin(t.Context(), game.ID, 2, "this build has them not")
	requireCode(t, host.RulesUnknown, err)

	lords, _ := catalogue.All().Latest("lords-of-vegas")
	both := append(catalogue.All(), newer{lords})
	h := open(both)
	_, err = h.Repin(t.Context(), game.ID, 1, "it has them")
	requireCode(t, host.RulesUnknown, err)
	answer, err := h.Repin(t.Context(), game.ID, 2, "ties were rerolled wrongly")
	require.NoError(t, err)
	require.Equal(t, 2, answer.Game.Rules)
	require.Equal(t, game.State, answer.Game.State)
	before, err := h.At(t.Context(), game.ID, 10)
	require.NoError(t, err)
	require.Equal(t, 1, before.Rules, "what was played is judged by the rules that it was played by")
	for game = answer.Game; game.Status == store.Playing; {
		game = h.playOn(t, game, players, random)
	}
	require.Equal(t, []store.Pin{{Until: 30, Rules: 1}}, game.Pins)
	h.requireReplays(t, game, both)
	_, err = old.Game(t.Context(), game.ID)
	require.ErrorContains(t, err, "version 2, which this build does not have")
}

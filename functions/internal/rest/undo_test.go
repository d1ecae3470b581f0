package rest_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/api"
)

func undoPath(game string) string { return "/v1/games/" + game + "/undo" }

// build makes the player whose turn it is build wherever he first can, and says whether he could.
func build(game api.Game, players []*client) (api.Game, bool) {
	active := players[game.Turn.Value]
	mine := active.game(game.ID)
	for _, choice := range mine.Choices {
		if choice.Kind == "build" {
			return active.choose(mine, choice, filled(active.b.tb, choice, nil)).done().Game, true
		}
	}
	return game, false
}

// drawnAndBuilt is a game in which somebody has drawn and then built without a die having been rolled.
func (b *bundle) drawnAndBuilt() (before, after api.Game, players []*client) {
	b.tb.Helper()
	for {
		game, players := b.started("Ann", "Bob")
		drawn := draw(game, players)
		drawn = players[drawn.Turn.Value].game(drawn.ID)
		if built, could := build(drawn, players); could && built.Undo.Allowed {
			return drawn, built, players
		}
	}
}

// U2: undo makes a new version, with the state of the old one to the byte.
func TestU2_Undo_IsANewVersion_WithTheOldState_AndRedoIsTheSameAgain(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		before, after, players := b.drawnAndBuilt()
		active := players[after.Turn.Value]
		state := func() []byte {
			head, err := b.table.Head(t.Context(), after.ID)
			require.NoError(t, err)
			return head.State
		}
		built := state()

		once := newKey()
		first := active.post(undoPath(after.ID), nil, ifMatch(after.Version), once).expect(http.StatusOK)
		undone := first.done().Game
		require.Equal(t, after.Version+1, undone.Version)
		require.Equal(t, string(before.View), string(undone.View))
		require.Equal(t, before.Choices, undone.Choices)
		require.Equal(t, string(first.body), string(active.post(undoPath(after.ID), nil, ifMatch(after.Version), once).body))

		redone, _ := build(undone, players)
		require.Equal(t, string(after.View), string(redone.View))
		require.Equal(t, built, state())
		_, err := b.host.Check(t.Context(), after.ID)
		require.NoError(t, err)

		entries := active.journal(after.ID)
		last := entries[len(entries)-2]
		require.Equal(t, "undo", last.Kind)
		require.Equal(t, api.NewOptInt64(before.Version), last.Back)
	})
}

// U1, by its cases; TestU1_UndoIsOffered_ExactlyByTheDefinition of the host tries it over whole games.
func TestU1_Undo_WhyNot(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		active, other := players[game.Turn.Value], players[1-game.Turn.Value]
		requireUndoReason(t, active, game, "nothing_to_undo")
		drawn := draw(game, players)
		requireUndoReason(t, active, drawn, "hidden_seen")
		requireUndoReason(t, other, drawn, "other_player")
		requireUndoReason(t, b.guest("Cleo"), drawn, "not_seated")

		ended := active.post(actions(game.ID), action("end", struct{}{}), ifMatch(drawn.Version), newKey()).done().Game
		requireUndoReason(t, active, ended, "final")
	})
}

func requireUndoReason(t *testing.T, c *client, game api.Game, reason string) {
	t.Helper()
	seen := c.game(game.ID)
	require.Equal(t, api.Undo{Allowed: false, Reason: api.NewOptUndoReason(api.UndoReason(reason))}, seen.Undo)
	answer := c.post(undoPath(game.ID), nil, ifMatch(game.Version), newKey())
	if reason == "not_seated" {
		answer.problem(http.StatusForbidden, "not_seated")
		return
	}
	problem := answer.problem(http.StatusConflict, "undo_refused")
	require.Equal(t, reason, problem.Refusal.Value.Code)
	require.Equal(t, game.Version, c.game(game.ID).Version)
}

func TestUndo_SaysWhatItWasDecidedOn(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		_, after, players := b.drawnAndBuilt()
		active := players[after.Turn.Value]
		active.post(undoPath(after.ID), nil, newKey()).problem(http.StatusPreconditionRequired, "version_missing")
		stale := active.post(undoPath(after.ID), nil, ifMatch(after.Version-1), newKey()).problem(http.StatusConflict, "conflict")
		require.Equal(t, api.NewOptBool(true), stale.StillLegal)
	})
}

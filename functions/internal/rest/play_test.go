package rest_test

import (
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/api"
)

// randomOf is a source that depends on nothing but where the game stands, so that a game plays the same whenever it is
// played from the same version with the same id.
func randomOf(game api.Game) *rand.Rand {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(game.ID))
	return rand.New(rand.NewPCG(hash.Sum64(), uint64(game.Version)))
}

// playOn makes one random choice of a seat that is asked.
func (b *bundle) playOn(game api.Game, players []*client) api.Game {
	b.tb.Helper()
	return b.playBy(game, players, func(choices []api.Choice) []api.Choice { return choices })
}

// playBy is playOn, from what a liking leaves of the choices.
func (b *bundle) playBy(game api.Game, players []*client, liking func([]api.Choice) []api.Choice) api.Game {
	b.tb.Helper()
	random := randomOf(game)
	asked := game.Asked[random.IntN(len(game.Asked))]
	mine := players[asked].game(game.ID)
	require.NotEmpty(b.tb, mine.Choices)
	liked := liking(mine.Choices)
	choice := liked[random.IntN(len(liked))]
	return players[asked].choose(mine, choice, filled(b.tb, choice, random.IntN)).done().Game
}

// choose sends an action made of a choice, bound to what the choice speaks of.
func (c *client) choose(game api.Game, choice api.Choice, args map[string]any) *answer {
	c.b.tb.Helper()
	body, headers := action(choice.Kind, args), []header{newKey()}
	if choice.Prompt.Set {
		body["prompt"] = choice.Prompt.Value
	} else {
		headers = append(headers, ifMatch(game.Version))
	}
	return c.post(actions(game.ID), body, headers...)
}

// filled are a choice's arguments with its parameters filled.
func filled(tb testing.TB, choice api.Choice, pick func(int) int) map[string]any {
	tb.Helper()
	args := map[string]any{}
	require.NoError(tb, json.Unmarshal(choice.Args, &args))
	for _, p := range choice.Fill {
		switch p.Kind {
		case api.ParameterKindRange:
			args[p.Name] = p.Min.Value + pick(p.Max.Value-p.Min.Value+1)
		case api.ParameterKindArrangement:
			args[p.Name] = p.Values
		case api.ParameterKindDeal:
			require.Fail(tb, "nobody is asked for a deal")
		}
	}
	return args
}

// playUntil makes random choices until the game is such as is wanted, or over.
func (b *bundle) playUntil(game api.Game, players []*client, wanted func(api.Game) bool) api.Game {
	b.tb.Helper()
	for game.Status == api.GameStatusPlaying && !wanted(game) {
		game = b.playOn(game, players)
	}
	return game
}

func TestWholeGame_OverHTTP_ReplaysToTheByte_JournalIsComplete(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob", "Cleo", "Dan")
		game = b.playUntil(game, players, func(api.Game) bool { return false })
		require.Equal(t, api.GameStatusFinished, game.Status)
		require.Len(t, game.Outcome.Value.Ranking, 4)
		require.Empty(t, game.Asked)
		require.False(t, game.Turn.Set)

		replay, err := b.host.Check(t.Context(), game.ID)
		require.NoError(t, err)
		require.EqualValues(t, game.Version, replay.Entries)
		require.Greater(t, replay.States, 2)

		entries := players[0].journal(game.ID)
		require.Len(t, entries, int(game.Version))
		for i, entry := range entries {
			require.EqualValues(t, i+1, entry.Version)
		}
		require.Equal(t, "create", entries[0].Kind)
		require.Equal(t, "join", entries[3].Kind)
		require.Equal(t, "draw", entries[4].Kind)

		players[0].post(actions(game.ID), action("draw", struct{}{}), ifMatch(game.Version), newKey()).
			problem(http.StatusConflict, "game_not_playing")
	})
}

// journal reads a whole journal, page by page.
func (c *client) journal(game string) []api.Entry {
	c.b.tb.Helper()
	var entries []api.Entry
	for path := "/v1/games/" + game + "/journal?limit=7"; ; {
		var page api.Journal
		c.get(path).expect(http.StatusOK).into(&page)
		entries = append(entries, page.Entries...)
		if !page.Next.Set {
			return entries
		}
		path = "/v1/games/" + game + "/journal?limit=7&cursor=" + page.Next.Value
	}
}

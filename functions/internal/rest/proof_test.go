package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/api"
	"boulevard/engine/catalogue"
	"boulevard/engine/record"
)

// seatedWithEntropy is a started game of two who have both added to the seed.
func (b *bundle) seatedWithEntropy() (api.Game, []*client) {
	b.tb.Helper()
	p := b.guests("Ann", "Bob")
	body := map[string]any{"game": "lords-of-vegas", "seats": 2, "entropy": "00ff"}
	game := p[0].post("/v1/games", body, newKey()).expect(http.StatusCreated).game()
	joined := p[1].post("/v1/games/"+game.ID+"/join", map[string]any{"entropy": "c0ffee"}, newKey()).done().Game
	require.Equal(b.tb, game.Commitment, joined.Commitment)
	return joined, p
}

func TestExport_FinishedGame_ReplaysToTheByte_AndItsDiceAreProven(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.seatedWithEntropy()
		game = b.playUntil(game, players, func(api.Game) bool { return false })
		exported := players[0].get("/v1/games/" + game.ID + "/export").expect(http.StatusOK).body
		doc, err := record.Parse(exported)
		require.NoError(t, err)
		require.Equal(t, game.Commitment, doc.Commitment)
		require.Equal(t, "c0ffee", doc.Players[1].Entropy)
		result, err := record.Replay(catalogue.All(), doc)
		require.NoError(t, err)
		require.NotNil(t, result)
		require.NoError(t, record.Verify(doc))

		proof, err := record.Parse(players[1].get("/v1/games/" + game.ID + "/proof").expect(http.StatusOK).body)
		require.NoError(t, err)
		require.NoError(t, record.Verify(proof))

		altered := strings.Replace(string(exported), `"entropy":"c0ffee"`, `"entropy":"c0ffef"`, 1)
		forged, err := record.Parse([]byte(altered))
		require.NoError(t, err)
		require.Error(t, record.Verify(forged))
	})
}

// S3: nothing hidden in the export of a game that is being played.
func TestS3_Export_OfAnUnfinishedGame_HasNoSecretAndNoState(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.seatedWithEntropy()
		for range 30 {
			game = b.playOn(game, players)
		}
		for _, path := range []string{"/export", "/proof"} {
			body := players[0].get("/v1/games/" + game.ID + path).expect(http.StatusOK).body
			for _, hidden := range []string{`"secret"`, `"state"`, `"rolls"`} {
				require.NotContains(t, string(body), hidden)
			}
			doc, err := record.Parse(body)
			require.NoError(t, err)
			require.ErrorIs(t, record.Verify(doc), record.ErrSecret)
		}
	})
}

// S7: a histogram of the game's dice.
func TestS7_Dice_CountsEveryDieThatTheEventsTellOf(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob", "Cleo")
		game = b.playUntil(game, players, func(api.Game) bool { return false })
		var dice api.Histogram
		players[0].get("/v1/games/" + game.ID + "/dice").expect(http.StatusOK).into(&dice)
		require.Len(t, dice.Faces, 6)
		rolled := 0
		for _, count := range dice.Faces {
			rolled += count
		}
		require.GreaterOrEqual(t, rolled, 6, "two dice of each player for the first turn")
	})
}

func TestEntropy_BadInput_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	ann := b.guest("Ann")
	for _, entropy := range []string{"", "0", "0g", "00 ff", "AA", strings.Repeat("00", 33)} {
		ann.post("/v1/games", map[string]any{"game": "lords-of-vegas", "seats": 2, "entropy": entropy}, newKey()).
			problem(http.StatusBadRequest, "invalid_value")
	}
}

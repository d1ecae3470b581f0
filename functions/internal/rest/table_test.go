package rest_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/api"
)

func TestCatalogue_TellsSeatsAndOptions(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		var catalogue api.Catalogue
		(&client{b: b}).get("/v1/catalogue").expect(http.StatusOK).into(&catalogue)
		require.Equal(t, api.CatalogueGame{
			ID: "lords-of-vegas", Name: "Lords of Vegas", Rules: 1, MinSeats: 2, MaxSeats: 6, Board: "printed",
			Options: []api.GameOption{{Name: "risers", Values: []string{"off", "on"}, Default: "off"}},
			Orders: []api.OrderType{
				{Kind: "lay-off", Answers: "lay-off"}, {Kind: "place", Answers: "place-dice"}, {Kind: "deals", Answers: "deal"},
				{Kind: "end", Answers: "turn"},
			},
		}, catalogue.Games[0])
	})
}

func TestCreate_HostSitsFirst_GameIsOpen(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		ann, bob := b.guest("Ann"), b.guest("Bob")
		created := ann.create(3)
		require.Equal(t, api.GameStatusOpen, created.Status)
		require.EqualValues(t, 1, created.Version)
		require.Equal(t, ann.player, created.Host)
		require.Equal(t, api.NewOptInt(0), created.You)
		require.Len(t, created.Commitment, 64)
		require.JSONEq(t, `{"risers":"off"}`, string(created.Options))

		var open api.OpenGames
		bob.get("/v1/games").expect(http.StatusOK).into(&open)
		require.Equal(t, []api.OpenGame{{
			ID: created.ID, Game: "lords-of-vegas", Options: created.Options, Seats: 3, Players: created.Players,
			Created: created.Created,
		}}, open.Games)
	})
}

func TestOpenGames_PageByPage_OldestFirst_WithoutTheFull(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		ann, bob := b.guest("Ann"), b.guest("Bob")
		ids := make([]string, 5)
		for i := range ids {
			ids[i] = ann.create(2).ID
		}
		bob.join(ids[1])
		want := append([]string{ids[0]}, ids[2:]...)

		var got []string
		for path := "/v1/games?limit=2"; ; {
			var page api.OpenGames
			bob.get(path).expect(http.StatusOK).into(&page)
			for _, game := range page.Games {
				got = append(got, game.ID)
			}
			if !page.Next.Set {
				break
			}
			path = "/v1/games?limit=2&cursor=" + page.Next.Value
		}
		require.ElementsMatch(t, want, got)
	})
}

// R7: ten joins for two seats.
func TestR7_TenJoinsForTwoSeats_TwoSucceed_TheGameStartsOnce(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		host := b.guest("Ann")
		game := host.create(3)
		statuses := make([]int, 10)
		var crowd sync.WaitGroup
		for i, c := range b.guests("B", "C", "D", "E", "F", "G", "H", "I", "J", "K") {
			crowd.Go(func() {
				got := c.post("/v1/games/"+game.ID+"/join", nil, newKey())
				statuses[i] = got.status
				if got.status != http.StatusOK {
					got.problem(http.StatusConflict, "game_not_open")
				}
			})
		}
		crowd.Wait()
		succeeded := 0
		for _, status := range statuses {
			if status == http.StatusOK {
				succeeded++
			}
		}
		require.Equal(t, 2, succeeded)
		after := host.game(game.ID)
		require.Equal(t, api.GameStatusPlaying, after.Status)
		require.EqualValues(t, 3, after.Version, "one version for each seat taken, the start among them")
		require.Len(t, after.Players, 3)
		require.Equal(t, host.player, after.Players[0].ID, "nobody was overwritten")
	})
}

func TestLeave_SeatsMoveUp_NextInOrderHosts(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		p := b.guests("Ann", "Bob")
		game := p[0].create(4)
		p[1].join(game.ID)
		left := p[0].post("/v1/games/"+game.ID+"/leave", nil, newKey()).done().Game
		require.Equal(t, p[1].player, left.Host)
		require.False(t, left.You.Set)
		p[0].post("/v1/games/"+game.ID+"/leave", nil, newKey()).problem(http.StatusForbidden, "not_seated")

		gone := p[1].post("/v1/games/"+game.ID+"/leave", nil, newKey()).done().Game
		require.Equal(t, api.GameStatusCancelled, gone.Status)
		p[0].post("/v1/games/"+game.ID+"/join", nil, newKey()).problem(http.StatusConflict, "game_not_open")
		var open api.OpenGames
		p[0].get("/v1/games").expect(http.StatusOK).into(&open)
		require.Empty(t, open.Games)
	})
}

func TestStart_HostAlone_WithEnoughPlayers_Once(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		p := b.guests("Ann", "Bob", "Cleo")
		game := p[0].create(6)
		start := "/v1/games/" + game.ID + "/start"
		p[0].post(start, nil, newKey()).problem(http.StatusConflict, "too_few_players")
		p[1].join(game.ID)
		p[1].post("/v1/games/"+game.ID+"/join", nil, newKey()).problem(http.StatusConflict, "already_seated")
		p[1].post(start, nil, newKey()).problem(http.StatusForbidden, "not_host")
		p[2].post(start, nil, newKey()).problem(http.StatusForbidden, "not_seated")

		started := p[0].post(start, nil, newKey()).done()
		require.Equal(t, api.GameStatusPlaying, started.Game.Status)
		require.NotEmpty(t, started.Events)
		require.NotEmpty(t, started.Game.View)
		p[0].post(start, nil, newKey()).problem(http.StatusConflict, "game_not_open")
		p[1].post("/v1/games/"+game.ID+"/leave", nil, newKey()).problem(http.StatusConflict, "game_not_open")
	})
}

func TestAct_BeforeTheStart_IsRefused(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		ann := b.guest("Ann")
		game := ann.create(2)
		ann.post(actions(game.ID), action("draw", struct{}{}), ifMatch(1), newKey()).problem(http.StatusConflict, "game_not_playing")
		require.EqualValues(t, 1, ann.game(game.ID).Version)
	})
}

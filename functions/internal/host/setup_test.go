package host_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/catalogue"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/sqlite"
)

// hosting is a host on a table of its own, whose clock moves three hours at every look.
type hosting struct{ *host.Host }

func newHost(tb testing.TB) hosting {
	tb.Helper()
	driver, err := sqlite.Open(tb.Context(), filepath.Join(tb.TempDir(), "boulevard.db"))
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, driver.Close()) })
	keys, err := host.NewKeyring(bytes.Repeat([]byte("boulevard"), 4))
	require.NoError(tb, err)
	now := time.UnixMilli(1_790_000_000_000)
	return hosting{host.New(host.Config{
		Store: store.NewTable(driver), Catalogue: catalogue.All(), Keys: keys,
		Now: func() time.Time {
			now = now.Add(3 * time.Hour)
			return now
		},
	})}
}

// started is a game of Lords of Vegas with so many seats; player i sits on seat i.
func (h hosting) started(tb testing.TB, seats int) (*host.Game, []store.Player) {
	tb.Helper()
	return h.startedOf(tb, "lords-of-vegas", seats)
}

func (h hosting) startedOf(tb testing.TB, id string, seats int) (*host.Game, []store.Player) {
	tb.Helper()
	players := make([]store.Player, seats)
	for i, name := range []string{"Annabel", "Bo", "Christoph", "D. Delacroix", "Eve", "Fay"}[:seats] {
		players[i] = store.Player{ID: ulid.Make().String(), Name: name}
	}
	answer, err := h.Create(tb.Context(), players[0], "create", host.NewGame{Game: id, Seats: seats})
	require.NoError(tb, err)
	game := answer.Game
	for i, p := range players[1:] {
		game = h.act(tb, host.Command{Game: game.ID, Player: p, Key: "join " + strconv.Itoa(i), Deed: store.Join})
	}
	return game, players
}

func (h hosting) act(tb testing.TB, cmd host.Command) *host.Game {
	tb.Helper()
	answer, err := h.Act(tb.Context(), cmd)
	require.NoError(tb, err)
	return answer.Game
}

// playOn makes one random choice of a seat that is asked.
func (h hosting) playOn(tb testing.TB, game *host.Game, players []store.Player, random *rand.Rand) *host.Game {
	tb.Helper()
	seat := engine.Seat(game.Asked[random.IntN(len(game.Asked))])
	choices := game.Choices(seat)
	choice := choices[random.IntN(len(choices))]
	args, err := json.Marshal(choice.Filled(random.IntN))
	require.NoError(tb, err)
	cmd := host.Command{
		Game: game.ID, Player: players[seat], Key: "play " + strconv.FormatUint(game.Version, 10), Deed: store.Play,
		Play: host.Play{Kind: choice.Action.Kind(), Args: args}, Prompt: choice.Prompt,
	}
	if choice.Prompt == 0 {
		cmd.Version = game.Version
	}
	return h.act(tb, cmd)
}

package host_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/catalogue"
	"boulevard/engine/enginetest"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/sqlite"
)

const benchSeats = 4

// BenchmarkRandomGame plays whole games of four through the engine alone: in each, all choices of the acting seat are
// listed and one is made. The sizes are those that the heads of such games have in the table, at every version.
func BenchmarkRandomGame(b *testing.B) {
	for _, game := range catalogue.All() {
		b.Run(game.Info().ID, func(b *testing.B) {
			b.ReportAllocs()
			actions := 0
			for n := range b.N {
				actions += playRandomly(b, game, uint64(n))
			}
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
			b.ReportMetric(float64(actions)/float64(b.N), "actions/game")
			sizes := headSizes(b, game.Info().ID)
			b.ReportMetric(float64(sizes[len(sizes)/2]), "head-p50-B")
			b.ReportMetric(float64(sizes[len(sizes)*99/100]), "head-p99-B")
		})
	}
}

func playRandomly(b *testing.B, game engine.Game, n uint64) int {
	b.Helper()
	random, seed := enginetest.Random(n), enginetest.Seed(n)
	setup, refusal := game.Resolve(benchSeats, nil)
	require.Nil(b, refusal)
	match := enginetest.New(b, game, setup, seed)
	version := uint64(0)
	for match.Turn() != engine.NoSeat {
		version++
		if _, refusal := match.Act(enginetest.RandomMove(match, random), engine.NewDice(seed, version)); refusal != nil {
			b.Fatal(refusal)
		}
	}
	return int(version)
}

// sampledGames is how many games the sizes of heads are taken from.
const sampledGames = 20

// headSizes hosts random games and returns the size of every head that was written, in order.
func headSizes(b *testing.B, id string) []int {
	b.Helper()
	driver, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "boulevard.db"))
	require.NoError(b, err)
	defer func() { require.NoError(b, driver.Close()) }()
	keys, err := host.NewKeyring(bytes.Repeat([]byte("boulevard"), 4))
	require.NoError(b, err)
	now := time.UnixMilli(1_790_000_000_000)
	h := host.New(host.Config{
		Store: store.NewTable(driver), Catalogue: catalogue.All(), Keys: keys,
		Now: func() time.Time { now = now.Add(3 * time.Hour); return now },
	})
	var sizes []int
	for n := range uint64(sampledGames) {
		sizes = append(sizes, hostedSizes(b, h, id, n)...)
	}
	slices.Sort(sizes)
	return sizes
}

func hostedSizes(b *testing.B, h *host.Host, id string, n uint64) []int {
	b.Helper()
	players := make([]store.Player, benchSeats)
	for i, name := range []string{"Annabel", "Bo", "Christoph", "D. Delacroix"} {
		players[i] = store.Player{ID: ulid.Make().String(), Name: name}
	}
	answer, err := h.Create(b.Context(), players[0], "create", host.NewGame{Game: id, Seats: benchSeats})
	require.NoError(b, err)
	for i, p := range players[1:] {
		answer, err = h.Act(b.Context(), host.Command{
			Game: answer.Game.ID, Player: p, Key: "join " + strconv.Itoa(i), Deed: store.Join,
		})
		require.NoError(b, err)
	}
	random := enginetest.Random(n)
	var sizes []int
	for answer.Game.Status == store.Playing {
		sizes = append(sizes, answer.Game.Size())
		seat := engine.Seat(answer.Game.Asked[random.IntN(len(answer.Game.Asked))])
		choices := answer.Game.Choices(seat)
		choice := choices[random.IntN(len(choices))]
		args, err := json.Marshal(choice.Filled(random.IntN))
		require.NoError(b, err)
		var version uint64
		if choice.Prompt == 0 {
			version = answer.Game.Version
		}
		answer, err = h.Act(b.Context(), host.Command{
			Game: answer.Game.ID, Player: players[seat], Key: strconv.FormatUint(answer.Game.Version, 10), Deed: store.Play,
			Play: host.Play{Kind: choice.Action.Kind(), Args: args}, Version: version, Prompt: choice.Prompt,
		})
		require.NoError(b, err)
	}
	return sizes
}

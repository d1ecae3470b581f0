package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb/dynamotest"
)

// BenchmarkCommand measures one action from the request to the answer, through the handler that the cloud and one machine
// share, in random four-player games. cpu-us/action is what this process spent on it; the units are what the table says it
// consumed.
func BenchmarkCommand(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) {
		benchmarkCommand(b, drivers["sqlite"](b), &dynamotest.Capacity{})
	})
	b.Run("dynamodb", func(b *testing.B) {
		used := &dynamotest.Capacity{}
		options := dynamotest.Options(b)
		options.OnCapacity = used.Add
		benchmarkCommand(b, dynamotest.Create(b, options), used)
		b.ReportMetric(used.Written()/float64(b.N), "wru/action")
		b.ReportMetric(used.Read()/float64(b.N), "rru/action")
	})
}

func benchmarkCommand(b *testing.B, driver store.Driver, used *dynamotest.Capacity) {
	b.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as one machine's server runs
	bench := setup(b, driver)
	random := rand.New(rand.NewPCG(1, 2))
	var game *host.Game
	var players []*client
	var spent time.Duration
	said := 0
	var room bytes.Buffer
	for b.Loop() {
		b.StopTimer()
		if game == nil || game.Status != store.Playing {
			game, players = bench.hosted("Ann", "Bob", "Cleo", "Dan")
		}
		request := randomAction(b, game, players, random)
		room.Reset()
		answer := httptest.NewRecorder()
		answer.Body = &room // a socket does not grow either
		used.Count(true)
		b.StartTimer()
		before := cpu()
		bench.handler.ServeHTTP(answer, request)
		spent += cpu() - before
		b.StopTimer()
		used.Count(false)
		require.Equal(b, http.StatusOK, answer.Code, answer.Body)
		said += room.Len()
		game = bench.current(game.ID)
		b.StartTimer()
	}
	b.ReportMetric(float64(said)/float64(b.N), "answer-B/action")
	b.ReportMetric(float64(spent.Microseconds())/float64(b.N), "cpu-us/action")
}

// cpu is the time that this process has computed for.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// hosted is started, with the game as the host has it.
func (b *bundle) hosted(names ...string) (*host.Game, []*client) {
	b.tb.Helper()
	game, players := b.started(names...)
	return b.current(game.ID), players
}

func (b *bundle) current(id string) *host.Game {
	b.tb.Helper()
	game, err := b.host.Game(b.tb.Context(), id)
	require.NoError(b.tb, err)
	return game
}

// randomAction is the request of one random choice.
func randomAction(tb testing.TB, game *host.Game, players []*client, random *rand.Rand) *http.Request {
	tb.Helper()
	seat := engine.Seat(game.Asked[random.IntN(len(game.Asked))])
	choices := game.Choices(seat)
	choice := choices[random.IntN(len(choices))]
	args, err := json.Marshal(choice.Filled(random.IntN))
	require.NoError(tb, err)
	body := map[string]any{"kind": choice.Action.Kind(), "args": json.RawMessage(args)}
	if choice.Prompt != 0 {
		body["prompt"] = choice.Prompt
	}
	encoded, err := json.Marshal(body)
	require.NoError(tb, err)
	request := httptest.NewRequestWithContext(tb.Context(), http.MethodPost, actions(game.ID), bytes.NewReader(encoded))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+players[seat].token)
	request.Header.Set("Idempotency-Key", newKey().value)
	if choice.Prompt == 0 {
		tag := ifMatch(int64(game.Version))
		request.Header.Set(tag.name, tag.value)
	}
	return request
}

// BenchmarkAt measures a look at any version of a finished four-player game.
func BenchmarkAt(b *testing.B) {
	for name, open := range drivers {
		b.Run(name, func(b *testing.B) {
			bench := setup(b, open(b))
			random := rand.New(rand.NewPCG(1, 2))
			game, players := bench.hosted("Ann", "Bob", "Cleo", "Dan")
			for game.Status == store.Playing {
				request := randomAction(b, game, players, random)
				bench.handler.ServeHTTP(httptest.NewRecorder(), request)
				game = bench.current(game.ID)
			}
			for b.Loop() {
				path := fmt.Sprintf("/v1/games/%s/at/%d", game.ID, 1+random.Uint64N(game.Version))
				request := httptest.NewRequestWithContext(b.Context(), http.MethodGet, path, nil)
				request.Header.Set("Authorization", "Bearer "+players[0].token)
				answer := httptest.NewRecorder()
				bench.handler.ServeHTTP(answer, request)
				require.Equal(b, http.StatusOK, answer.Code)
			}
		})
	}
}

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"boulevard/api"
)

// table is the game and those who play it.
type table struct {
	players []*player
	game    api.Game
	played  int
}

// player is one client, with a token of its own.
type player struct {
	id      string
	name    string
	token   string
	api     *api.Client
	channel string
}

// Bearer authenticates the client's requests.
func (p *player) Bearer(context.Context, api.OperationName) (api.Bearer, error) {
	return api.Bearer{Token: p.token}, nil
}

// Each of them is reached in another way: on a live connection, in a mailbox, on a phone.
const (
	live = iota
	mailbox
	phone
)

var names = []string{live: "Ann", mailbox: "Bob", phone: "Cleo"}

// usual is how long what follows from a write may take.
const usual = 20 * time.Second

// gather makes the players. Each exchanges his refresh token, and goes on with what he got.
func (t *trial) gather(ctx context.Context) (string, error) {
	for _, name := range names {
		p := &player{name: name}
		var err error
		if p.api, err = api.NewClient(t.stage.outputs.API, p); err != nil {
			return "", err
		}
		guest, err := p.api.CreateGuest(ctx, &api.NewGuest{Name: name})
		if err != nil {
			return "", err
		}
		fresh, err := p.api.RefreshTokens(ctx, &api.Refresh{Refresh: guest.Refresh})
		if err != nil {
			return "", err
		}
		if fresh.Player != guest.Player || fresh.Refresh == guest.Refresh {
			return "", errors.New("the new tokens are the old ones, or another player's")
		}
		p.id, p.token = fresh.Player, fresh.Token
		t.table.players = append(t.table.players, p)
	}
	return "", nil
}

// refuse sends what no generated client would.
func (t *trial) refuse(ctx context.Context) (string, error) {
	const games = "/v1/games"
	for _, refused := range []struct {
		path, token, body string
		status            int
	}{
		{"/v1/players", "", `{"name":"Ann","colour":"red"}`, http.StatusBadRequest},
		{"/v1/players", "", `{"name":`, http.StatusBadRequest},
		{games, t.table.players[live].token, `{"game":"lords-of-vegas","seats":"three"}`, http.StatusBadRequest},
		{games, "", `{"game":"lords-of-vegas","seats":3}`, http.StatusUnauthorized},
		{games, t.table.players[live].token + "x", `{"game":"lords-of-vegas","seats":3}`, http.StatusUnauthorized},
	} {
		status, problem, err := t.post(ctx, refused.path, refused.token, refused.body)
		if err != nil {
			return "", err
		}
		if status != refused.status || problem.Code == "" {
			return "", fmt.Errorf("%s to %s was answered %d %q", refused.body, refused.path, status, problem.Code)
		}
	}
	return "", nil
}

func (t *trial) post(ctx context.Context, path, token, body string) (status int, problem api.Problem, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.stage.outputs.API+path, bytes.NewBufferString(body))
	if err != nil {
		return 0, problem, err
	}
	request.Header = jsonHeader()
	request.Header.Set("Idempotency-Key", rand.Text())
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, problem, err
	}
	defer func() { _ = response.Body.Close() }()
	said, err := io.ReadAll(response.Body)
	if err == nil {
		err = json.Unmarshal(said, &problem)
	}
	return response.StatusCode, problem, err
}

// sitDown lets the first player create a game that the others find among the open ones, which it is no more when it is full.
func (t *trial) sitDown(ctx context.Context) (string, error) {
	wanted := &api.NewGame{Game: "lords-of-vegas", Seats: len(names)}
	created, err := t.table.players[live].api.CreateGame(ctx, wanted, api.CreateGameParams{IdempotencyKey: rand.Text()})
	if err != nil {
		return "", err
	}
	t.table.game = created.Response
	if err := t.awaitOpen(ctx, 1, "the game is not among the open ones"); err != nil {
		return "", err
	}
	for _, p := range t.table.players[1:] {
		params := api.JoinGameParams{Game: t.table.game.ID, IdempotencyKey: rand.Text()}
		done, err := p.api.JoinGame(ctx, api.OptNewSeat{}, params)
		if err != nil {
			return "", err
		}
		t.table.game = done.Response.Game
	}
	if t.table.game.Status != api.GameStatusPlaying {
		return "", fmt.Errorf("a full game is %s", t.table.game.Status)
	}
	return "", t.awaitOpen(ctx, 0, "the full game is still among the open ones")
}

func (t *trial) awaitOpen(ctx context.Context, wanted int, otherwise string) error {
	return await(ctx, usual, otherwise, func(ctx context.Context) (bool, error) {
		open, err := t.table.players[phone].api.ListOpenGames(ctx, api.ListOpenGamesParams{})
		return err == nil && len(open.Games) == wanted, err
	})
}

// waiting compares everybody's list with the game. It follows the game by a moment.
func (t *trial) waiting(ctx context.Context) (string, error) {
	return "", await(ctx, usual, "the lists of who is waited for are not as the game says", func(ctx context.Context) (bool, error) {
		for seat, p := range t.table.players {
			inbox, err := p.api.ListWaiting(ctx, api.ListWaitingParams{})
			if err != nil {
				return false, err
			}
			if listed := len(inbox.Waiting) > 0; listed != slices.Contains(t.table.game.Asked, seat) {
				return false, nil
			}
		}
		return true, nil
	})
}

// quoted is a version as If-Match has it.
func quoted(version int64) api.OptString {
	return api.NewOptString(strconv.Quote(strconv.FormatInt(version, 10)))
}

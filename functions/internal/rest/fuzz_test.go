package rest_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// FuzzActions sends anything as an action of whoever is asked: whatever it is gets an answer that blames the sender, or is
// done.
func FuzzActions(f *testing.F) {
	for _, bad := range badBodies {
		f.Add(bad.body, `"3"`)
	}
	f.Add(`{"kind":"draw"}`, `"2"`)
	f.Add(`{"kind":"build","args":{"lot":"A2","color":"gold"}}`, `"3"`)
	b := setup(f, drivers["sqlite"](f))
	game, players := b.started("Ann", "Bob")
	game = draw(game, players)
	f.Fuzz(func(t *testing.T, body, tag string) {
		now, err := b.host.Game(t.Context(), game.ID)
		if err != nil {
			t.Fatal(err)
		}
		if tag == "" {
			tag = strconv.Quote(strconv.FormatUint(now.Version, 10))
		}
		asked := players[max(0, int(now.Turn()))]
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, actions(game.ID), strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+asked.token)
		request.Header.Set("If-Match", tag)
		request.Header.Set("Idempotency-Key", newKey().value)
		requireNoFault(t, b, request)
	})
}

// FuzzRequests sends anything anywhere.
func FuzzRequests(f *testing.F) {
	f.Add("GET", "/v1/games?limit=1&cursor=x", "", "0123456789", "application/json")
	f.Add("POST", "/v1/games", `{"game":"lords-of-vegas","seats":2,"options":{"risers":"on"}}`, "0123456789", "application/json")
	f.Add("POST", "/v1/players", `{"name":"Ann"}`, "", "application/json")
	f.Add("GET", "/v1/games/%00%ff/journal", "", "", "text/plain")
	b := setup(f, drivers["sqlite"](f))
	ann := b.guest("Ann")
	f.Fuzz(func(t *testing.T, method, target, body, idempotency, media string) {
		request, err := http.NewRequestWithContext(t.Context(), method, "http://localhost"+target, strings.NewReader(body))
		if err != nil || request.URL.Host != "localhost" {
			return // not a request that a server would get to see
		}
		request.Header.Set("Content-Type", media)
		request.Header.Set("Authorization", "Bearer "+ann.token)
		request.Header.Set("Idempotency-Key", idempotency)
		requireNoFault(t, b, request)
	})
}

func requireNoFault(t *testing.T, b *bundle, request *http.Request) {
	t.Helper()
	answer := httptest.NewRecorder()
	b.handler.ServeHTTP(answer, request)
	if answer.Code >= http.StatusInternalServerError {
		t.Fatalf("%d %s\n%s", answer.Code, answer.Body, b.logs)
	}
}

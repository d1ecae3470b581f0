package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/api"
	"boulevard/functions/internal/rest"
)

// limited is a server that bounds what one source may ask for. Its clock stands still unless it is moved.
type limited struct {
	t       *testing.T
	handler http.Handler
	clock   time.Time
}

func newLimited(t *testing.T, limits rest.Limits) *limited {
	t.Helper()
	b := setup(t, drivers["sqlite"](t))
	l := &limited{t: t, clock: time.Now()}
	var err error
	l.handler, err = rest.Handler(rest.Config{
		Host: b.host, Desk: b.desk, Log: slog.New(slog.DiscardHandler), Limits: limits, Now: func() time.Time { return l.clock },
	})
	require.NoError(t, err)
	return l
}

func (l *limited) send(address, token, method, path, body string) *httptest.ResponseRecorder {
	l.t.Helper()
	request := httptest.NewRequestWithContext(l.t.Context(), method, path, bytes.NewReader([]byte(body)))
	request.RemoteAddr = address
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Forwarded-For", strconv.FormatInt(l.clock.UnixNano(), 10)) // which anybody can write
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer := httptest.NewRecorder()
	l.handler.ServeHTTP(answer, request)
	return answer
}

func TestLimit_NewcomersOfOneAddress(t *testing.T) {
	t.Parallel()
	l := newLimited(t, rest.Limits{Newcomers: rest.Rate{PerMinute: 6, Burst: 3}})
	join := func(address string) *httptest.ResponseRecorder {
		return l.send(address, "", http.MethodPost, "/v1/players", `{"name":"Ann"}`)
	}
	for port := range 3 {
		require.Equal(t, http.StatusCreated, join(fmt.Sprintf("192.0.2.1:%d", port)).Code)
	}
	refused := join("192.0.2.1:9")
	require.Equal(t, http.StatusTooManyRequests, refused.Code)
	require.Equal(t, "11", refused.Header().Get("Retry-After"))
	require.Contains(t, refused.Body.String(), "too_many_requests")
	require.Equal(t, http.StatusCreated, join("192.0.2.2:1").Code, "another address is another source")
	require.Equal(t, http.StatusCreated, join("2001:db8::1").Code, "as a gateway names it")
	l.clock = l.clock.Add(11 * time.Second)
	require.Equal(t, http.StatusCreated, join("192.0.2.1:1").Code)
	require.Equal(t, http.StatusTooManyRequests, join("192.0.2.1:1").Code)
}

func TestLimit_OnePlayer_FromWhereverHeAsks(t *testing.T) {
	t.Parallel()
	l := newLimited(t, rest.Limits{Player: rest.Rate{PerMinute: 60, Burst: 2}})
	var players [2]api.Guest
	for i := range players {
		made := l.send("192.0.2.1:1", "", http.MethodPost, "/v1/players", `{"name":"Ann"}`)
		require.NoError(t, json.Unmarshal(made.Body.Bytes(), &players[i]))
	}
	look := func(player int, address string) int {
		return l.send(address, players[player].Token, http.MethodGet, "/v1/me/waiting", "").Code
	}
	require.Equal(t, http.StatusOK, look(0, "192.0.2.1:1"))
	require.Equal(t, http.StatusOK, look(0, "192.0.2.2:1"))
	require.Equal(t, http.StatusTooManyRequests, look(0, "192.0.2.3:1"))
	require.Equal(t, http.StatusOK, look(1, "192.0.2.3:1"))
	l.clock = l.clock.Add(time.Second)
	require.Equal(t, http.StatusOK, look(0, "192.0.2.3:1"))
}

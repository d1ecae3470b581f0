package live_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/live"
	"boulevard/functions/internal/signed"
)

const (
	keyID     = "EXAMPLE"
	keySecret = "example"
)

// callbacks is the API that keeps connections, as far as it is asked to say something on them: it checks who asks.
type callbacks struct {
	mutex    sync.Mutex
	said     map[string][]said
	gone     map[string]bool
	unsigned []string
}

// ServeHTTP takes a message for a connection.
func (c *callbacks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	connection, _ := strings.CutPrefix(r.URL.Path, "/prod/@connections/")
	switch {
	case !isSigned(r, body):
		c.unsigned = append(c.unsigned, r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusForbidden)
	case c.gone[connection]:
		w.WriteHeader(http.StatusGone)
	case r.Method == http.MethodDelete:
		c.gone[connection] = true
		w.WriteHeader(http.StatusNoContent)
	case strings.HasPrefix(connection, "broken"):
		w.WriteHeader(http.StatusInternalServerError)
	default:
		var message said
		if json.Unmarshal(body, &message) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		c.said[connection] = append(c.said[connection], message)
	}
}

// heard takes what was said on a connection.
func (c *callbacks) heard(connection string) []said {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	messages := c.said[connection]
	delete(c.said, connection)
	return messages
}

func (c *callbacks) hangUp(connection string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.gone[connection] = true
}

// isSigned works Signature Version 4 out once more, from its description.
func isSigned(r *http.Request, body []byte) bool {
	_, list, _ := strings.Cut(r.Header.Get("Authorization"), "SignedHeaders=")
	list, signature, _ := strings.Cut(list, ", Signature=")
	var headers strings.Builder
	for name := range strings.SplitSeq(list, ";") {
		value := r.Header.Get(name)
		switch name {
		case "host":
			value = r.Host
		case "content-length":
			value = strconv.FormatInt(r.ContentLength, 10)
		}
		fmt.Fprintf(&headers, "%s:%s\n", name, value)
	}
	segments := strings.Split(r.URL.EscapedPath(), "/")
	for i, segment := range segments {
		segments[i] = url.QueryEscape(segment)
	}
	canonical := strings.Join([]string{r.Method, strings.Join(segments, "/"), "", headers.String(), list, hash(body)}, "\n")
	date := r.Header.Get("X-Amz-Date")
	scope := date[:8] + "/eu-central-1/execute-api/aws4_request"
	key := []byte("AWS4" + keySecret)
	for part := range strings.SplitSeq(scope, "/") {
		key = mac(key, part)
	}
	want := hex.EncodeToString(mac(key, "AWS4-HMAC-SHA256\n"+date+"\n"+scope+"\n"+hash([]byte(canonical))))
	return hmac.Equal([]byte(want), []byte(signature)) && r.Header.Get("X-Amz-Security-Token") == "session" &&
		strings.Contains(list, "x-amz-security-token") && strings.Contains(list, "host")
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = io.WriteString(h, text)
	return h.Sum(nil)
}

// cloud is a gateway with the API that it calls.
type cloud struct {
	*bundle
	*live.Gateway

	api *callbacks
}

func setupCloud(t *testing.T) *cloud {
	t.Helper()
	c := &cloud{bundle: setup(t), api: &callbacks{said: map[string][]said{}, gone: map[string]bool{}}}
	server := httptest.NewServer(c.api)
	t.Cleanup(server.Close)
	c.Gateway = &live.Gateway{
		Host: c.host, Table: c.table, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		Poster: &live.Poster{
			Endpoint: server.URL + "/prod", Client: signed.Client{
				Service: "execute-api", Region: "eu-central-1", HTTP: server.Client(), Now: time.Now,
				Credentials: credentials.NewStaticCredentialsProvider(keyID, keySecret, "session"),
			},
		},
	}
	t.Cleanup(func() { require.Empty(t, c.api.unsigned) })
	return c
}

// event hands the gateway what happened on a connection.
func (c *cloud) event(connection, kind, body string, headers map[string]string) events.APIGatewayProxyResponse {
	c.tb.Helper()
	event := events.APIGatewayWebsocketProxyRequest{Body: body, Headers: headers}
	event.RequestContext.ConnectionID, event.RequestContext.EventType = connection, kind
	answer, err := c.Handle(c.tb.Context(), event)
	require.NoError(c.tb, err)
	return answer
}

func (c *cloud) connect(connection string) {
	c.tb.Helper()
	_, token := c.guest("Eve")
	answer := c.event(connection, "CONNECT", "", map[string]string{"authorization": "Bearer " + token})
	require.Equal(c.tb, http.StatusOK, answer.StatusCode)
	require.Empty(c.tb, answer.Headers)
}

// say hands on a message and returns what was said in answer.
func (c *cloud) say(connection, body string) []said {
	c.tb.Helper()
	require.Equal(c.tb, http.StatusOK, c.event(connection, "MESSAGE", body, nil).StatusCode)
	return c.api.heard(connection)
}

// announce plays on and tells of it as the stream does.
func (c *cloud) announce(m *match) said {
	c.tb.Helper()
	version := m.play()
	require.NoError(c.tb, c.Follow(c.tb.Context(), nil, &m.game.Head))
	return said{Type: "version", Game: m.game.ID, Version: version}
}

func (c *cloud) watchers(game string) []string {
	c.tb.Helper()
	ids, _, err := c.table.Watchers(c.tb.Context(), game, "")
	require.NoError(c.tb, err)
	return ids
}

func TestGateway_TellsWatchers_UntilTheyUnsubscribeOrGo(t *testing.T) {
	t.Parallel()
	c := setupCloud(t)
	m := c.started()
	phone, laptop := "L0SM9cOFvHcCIhw=", "M1+a/b="
	c.connect(phone)
	c.connect(laptop)
	require.Equal(t, []said{{Type: "pong"}}, c.say(phone, `{"type":"ping"}`))
	require.Empty(t, c.say(phone, subscription(m.game.ID, m.game.Version)))
	require.Equal(t, []said{{Type: "version", Game: m.game.ID, Version: m.game.Version}}, c.say(laptop, subscription(m.game.ID, 1)))

	told := c.announce(m)
	require.Equal(t, []said{told}, c.api.heard(phone))
	require.Equal(t, []said{told}, c.api.heard(laptop))

	require.Empty(t, c.say(phone, `{"type":"unsubscribe","games":[{"id":"`+m.game.ID+`"}]}`))
	told = c.announce(m)
	require.Empty(t, c.api.heard(phone))
	require.Equal(t, []said{told}, c.api.heard(laptop))

	for range 2 {
		c.event(laptop, "DISCONNECT", "", nil)
	}
	require.Empty(t, c.watchers(m.game.ID))
	c.announce(m)
	require.Empty(t, c.api.heard(laptop))
}

func TestGateway_GoneConnectionIsForgotten_BrokenOneHoldsUpNobody(t *testing.T) {
	t.Parallel()
	c := setupCloud(t)
	m := c.started()
	for _, connection := range []string{"gone=", "broken=", "well="} {
		c.connect(connection)
		require.Empty(t, c.say(connection, subscription(m.game.ID, m.game.Version)))
	}
	c.api.hangUp("gone=")
	told := c.announce(m)
	require.Equal(t, []said{told}, c.api.heard("well="))
	require.Equal(t, []string{"broken=", "well="}, c.watchers(m.game.ID))

	c.api.hangUp("well=") // and is found gone by its own message
	require.Empty(t, c.say("well=", `{"type":"ping"}`))
	require.Equal(t, []string{"broken="}, c.watchers(m.game.ID))
}

func TestGateway_Token(t *testing.T) {
	t.Parallel()
	c := setupCloud(t)
	_, token := c.guest("Ann")
	answer := c.event("a", "CONNECT", "", map[string]string{"Sec-WebSocket-Protocol": "boulevard.v1, bearer." + token})
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.Equal(t, map[string]string{"Sec-WebSocket-Protocol": "boulevard.v1"}, answer.Headers)
	for _, headers := range []map[string]string{nil, {"Authorization": "Bearer x"}, {"Sec-WebSocket-Protocol": "bearer.x"}} {
		require.Equal(t, http.StatusUnauthorized, c.event("b", "CONNECT", "", headers).StatusCode)
	}
	c.say("b", `{"type":"ping"}`)
	c.say("b", subscription("none", 1)) // not connected: nothing is kept of it
	require.True(t, c.api.gone["b"])
}

func TestGateway_Problems(t *testing.T) {
	t.Parallel()
	c := setupCloud(t)
	c.connect("a")
	for name, bad := range badMessages {
		heard := c.say("a", bad.text)
		require.Len(t, heard, 1, name)
		require.Equal(t, bad.code, heard[0].Code, name)
	}
	require.Equal(t, []said{{Type: "problem", Code: "game_not_found", Detail: "there is no such game", Game: "none"}},
		c.say("a", subscription("none", 1)))
	require.Empty(t, c.watchers("none"))

	for connection, body := range map[string]string{"large": strings.Repeat(" ", live.MaxMessage+1), "noise": "\xff"} {
		c.connect(connection)
		require.Empty(t, c.say(connection, body))
		require.True(t, c.api.gone[connection])
	}
}

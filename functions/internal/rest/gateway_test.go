package rest_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"

	"boulevard/api"
	"boulevard/functions/internal/rest"
)

// gatewayEvent is what API Gateway's HTTP API sends, in payload format 2.0.
const gatewayEvent = `{
  "version": "2.0", "routeKey": "$default", "rawPath": "/v1/games", "rawQueryString": "limit=2&cursor=!",
  "cookies": ["a=1", "b=2"],
  "headers": {"content-type": "application/json", "authorization": "Bearer TOKEN", "idempotency-key": "0123456789"},
  "requestContext": {"domainName": "games.example.org", "stage": "$default",
    "http": {"method": "METHOD", "path": "/v1/games", "protocol": "HTTP/1.1", "sourceIp": "192.0.2.7", "userAgent": "test"}},
  "body": "BODY", "isBase64Encoded": ENCODED
}`

func event(t *testing.T, method, token, body string, encoded bool) events.APIGatewayV2HTTPRequest {
	t.Helper()
	flag := "false"
	if encoded {
		flag, body = "true", base64.StdEncoding.EncodeToString([]byte(body))
	}
	quoted, err := json.Marshal(body)
	require.NoError(t, err)
	filled := strings.NewReplacer("METHOD", method, "TOKEN", token, `"BODY"`, string(quoted), "ENCODED", flag).Replace(gatewayEvent)
	var e events.APIGatewayV2HTTPRequest
	require.NoError(t, json.Unmarshal([]byte(filled), &e))
	return e
}

func TestGateway_ServesTheSameAPI(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	ann := b.guest("Ann")
	handler, err := rest.Handler(rest.Config{Host: b.host, Desk: b.desk, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	serve := rest.Gateway(handler)

	for _, encoded := range []bool{false, true} {
		answer, err := serve(t.Context(), event(t, "POST", ann.token, `{"game":"lords-of-vegas","seats":3}`, encoded))
		require.NoError(t, err)
		require.Equal(t, http.StatusCreated, answer.StatusCode, answer.Body)
		require.Equal(t, `"1"`, answer.Headers["Etag"])
		require.Contains(t, answer.Body, ann.player)
	}
	answer, err := serve(t.Context(), event(t, "GET", ann.token, "", false))
	require.NoError(t, err)
	require.Equal(t, http.StatusBadRequest, answer.StatusCode)
	require.Contains(t, answer.Body, "invalid_cursor", "the query string arrives")
	require.Equal(t, "application/problem+json", answer.Headers["Content-Type"])
}

func TestGateway_BrokenEvents_AreRefused(t *testing.T) {
	t.Parallel()
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(body)
	})
	serve := rest.Gateway(echo)
	broken := map[string]func(*events.APIGatewayV2HTTPRequest){
		"base64": func(e *events.APIGatewayV2HTTPRequest) { e.Body, e.IsBase64Encoded = "!", true },
		"method": func(e *events.APIGatewayV2HTTPRequest) { e.RequestContext.HTTP.Method = "GE T" },
		"path":   func(e *events.APIGatewayV2HTTPRequest) { e.RawPath = ":%zz" },
	}
	for name, breakIt := range broken {
		e := event(t, "GET", "", "", false)
		breakIt(&e)
		answer, err := serve(t.Context(), e)
		require.NoError(t, err, name)
		require.Equal(t, http.StatusBadRequest, answer.StatusCode, name)
		require.Contains(t, answer.Body, "unreadable_request", name)
	}
}

func TestPanic_IsAProblem_AndLogged(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	ann := b.guest("Ann")
	handler, err := rest.Handler(rest.Config{Log: slog.New(slog.NewJSONHandler(b.logs, nil))})
	require.NoError(t, err)
	answer, err := rest.Gateway(handler)(t.Context(), event(t, "GET", ann.token, "", false))
	require.NoError(t, err)
	require.Equal(t, http.StatusInternalServerError, answer.StatusCode)
	require.Contains(t, answer.Body, `"code":"internal"`)
	require.Contains(t, b.logs.String(), "panic")
	require.NotContains(t, b.logs.String(), ann.token)
}

// Somebody else's token is taken from the gateway's authorizer alone, and makes the same person the same player.
func TestGateway_SignIn_OfAPersonWhomTheIssuerKnows(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	handler, err := rest.Handler(rest.Config{Host: b.host, Desk: b.desk, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	serve := rest.Gateway(handler)
	signIn := func(claims map[string]string) (events.APIGatewayV2HTTPResponse, api.Guest) {
		var e events.APIGatewayV2HTTPRequest
		e.RawPath, e.RequestContext.HTTP.Method, e.RequestContext.HTTP.SourceIP = "/v1/tokens/external", http.MethodPost, "192.0.2.1"
		e.Headers = map[string]string{"authorization": "Bearer of-the-issuer"}
		if claims != nil {
			e.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
				JWT: &events.APIGatewayV2HTTPRequestContextAuthorizerJWTDescription{Claims: claims},
			}
		}
		answer, err := serve(t.Context(), e)
		require.NoError(t, err)
		var guest api.Guest
		if answer.StatusCode == http.StatusOK {
			require.NoError(t, guest.UnmarshalJSON([]byte(answer.Body)))
		}
		return answer, guest
	}
	answer, _ := signIn(nil)
	require.Equal(t, http.StatusNotFound, answer.StatusCode)
	require.Contains(t, answer.Body, "issuer_not_configured")

	claims := map[string]string{"iss": "https://login.example.org", "sub": "42", "name": "Ann"}
	_, first := signIn(claims)
	_, again := signIn(claims)
	require.Equal(t, first.Player, again.Player)
	require.NotEqual(t, first.Refresh, again.Refresh, "each device has a session of its own")
	_, other := signIn(map[string]string{"iss": "https://login.example.net", "sub": "42", "name": "\u202e"})
	require.NotEqual(t, first.Player, other.Player)
	require.Equal(t, "Player", other.Name)
	ann := &client{b: b, player: first.Player, token: first.Token}
	game := ann.create(2)
	ann.post("/v1/games/"+game.ID+"/invitations", map[string]any{"player": other.Player}, newKey()).expect(http.StatusOK)
}

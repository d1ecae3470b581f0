package main

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/cloud/cloudtest"
)

// connection is the id of one, as API Gateway makes them.
const connection = "OAx1dcvYjoECJ3Q="

// say sends the event of something that happens on the connection.
func say(lambda *cloudtest.Function, happens, token, body string) events.APIGatewayProxyResponse {
	event := events.APIGatewayWebsocketProxyRequest{Body: body, Headers: map[string]string{"Authorization": "Bearer " + token}}
	event.RequestContext = events.APIGatewayWebsocketProxyRequestContext{
		ConnectionID: connection, EventType: happens, RouteKey: "$default", Stage: "test",
	}
	var answer events.APIGatewayProxyResponse
	lambda.Invoke(event, &answer)
	return answer
}

func TestBootstrap_ServesAConnection_FromItsBeginningToItsEnd(t *testing.T) {
	t.Parallel()
	place, api := cloudtest.NewPlace(t), cloudtest.NewConnections(t)
	lambda := cloudtest.Start(t, "socket", place.Env(map[string]string{"BOULEVARD_LIVE_ENDPOINT": api.Endpoint}))
	ann := place.Guest(t, "Ann")
	game := place.NewGame(t, ann.Player)
	online := func() []string {
		sockets, err := place.Table.PlayerSockets(t.Context(), ann.Player.ID, time.Now().Unix())
		require.NoError(t, err)
		return sockets
	}

	require.Equal(t, http.StatusUnauthorized, say(lambda, "CONNECT", "no token", "").StatusCode)
	require.Empty(t, online())
	require.Equal(t, http.StatusOK, say(lambda, "CONNECT", ann.Access, "").StatusCode)
	require.Equal(t, []string{connection}, online())

	watch := fmt.Sprintf(`{"type":"subscribe","games":[{"id":%q,"since":0}]}`, game.ID)
	require.Equal(t, http.StatusOK, say(lambda, "MESSAGE", "", watch).StatusCode)
	require.Equal(t, []string{fmt.Sprintf(`POST {"type":"version","game":%q,"version":1}`, game.ID)}, api.Said(connection))
	watchers, _, err := place.Table.Watchers(t.Context(), game.ID, "")
	require.NoError(t, err)
	require.Equal(t, []string{connection}, watchers)

	require.Equal(t, http.StatusOK, say(lambda, "DISCONNECT", "", "").StatusCode)
	require.Empty(t, online())
	require.Empty(t, api.Said(connection))
	require.NotContains(t, lambda.Log(), ann.Access)
}

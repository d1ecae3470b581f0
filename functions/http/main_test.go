package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/cloud/cloudtest"
)

// call sends the event of a request.
func call(lambda *cloudtest.Function, method, path, token, body string) events.APIGatewayV2HTTPResponse {
	event := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "$default", RawPath: path, Body: body, Headers: map[string]string{
			"content-type": "application/json", "authorization": "Bearer " + token, "idempotency-key": "0123456789",
		},
	}
	event.RequestContext.HTTP.Method, event.RequestContext.HTTP.Path = method, path
	event.RequestContext.HTTP.SourceIP = "192.0.2.1"
	var answer events.APIGatewayV2HTTPResponse
	lambda.Invoke(event, &answer)
	return answer
}

func TestBootstrap_AnswersGatewayEvents_FromTheTable(t *testing.T) {
	t.Parallel()
	place := cloudtest.NewPlace(t)
	lambda := cloudtest.Start(t, "http", place.Env(nil))
	var guest struct {
		Token   string `json:"token"`
		Refresh string `json:"refresh"`
	}
	made := call(lambda, http.MethodPost, "/v1/players", "", `{"name":"Ann"}`)
	require.Equal(t, http.StatusCreated, made.StatusCode, made.Body)
	require.NoError(t, json.Unmarshal([]byte(made.Body), &guest))
	require.NotEmpty(t, guest.Token)
	require.NotEmpty(t, guest.Refresh)

	created := call(lambda, http.MethodPost, "/v1/games", guest.Token, `{"game":"lords-of-vegas","seats":2}`)
	require.Equal(t, http.StatusCreated, created.StatusCode, created.Body)
	again := call(lambda, http.MethodPost, "/v1/games", guest.Token, `{"game":"lords-of-vegas","seats":2}`)
	require.Equal(t, created, again, "the same key made one game")
	refused := call(lambda, http.MethodPost, "/v1/games", guest.Token, `{`)
	require.Equal(t, http.StatusBadRequest, refused.StatusCode)
	log := lambda.Log()
	requireMeasured(t, log, 2)
	for _, secret := range []string{guest.Token, guest.Refresh, cloudtest.Secret} {
		require.NotContains(t, log, secret)
	}
}

// metrics are what a line in CloudWatch's embedded format says of a command.
type metrics struct {
	Commands   int
	Result     string
	Deed       string
	Version    int
	Directives struct {
		Metrics []struct {
			Namespace  string
			Dimensions [][]string
			Metrics    []struct{ Name, Unit string }
		} `json:"CloudWatchMetrics"` //nolint:tagliatelle // its name
	} `json:"_aws"` //nolint:tagliatelle // its name
}

// requireMeasured finds commands in the log as CloudWatch does: each on a line of its own.
func requireMeasured(t *testing.T, log string, count int) {
	t.Helper()
	found := 0
	for line := range strings.Lines(log) {
		if !strings.Contains(line, `"Commands"`) {
			continue
		}
		found++
		var m metrics
		require.NoError(t, json.Unmarshal([]byte(line), &m), line) //nolint:musttag // the fields have their names
		require.Equal(t, metrics{Commands: 1, Result: "done", Deed: "create", Version: 1, Directives: m.Directives}, m)
		require.Len(t, m.Directives.Metrics, 1)
		require.Equal(t, "Boulevard", m.Directives.Metrics[0].Namespace)
		require.Contains(t, m.Directives.Metrics[0].Dimensions, []string{"Stage", "Result"})
		require.Contains(t, m.Directives.Metrics[0].Metrics, struct{ Name, Unit string }{"Commands", "Count"})
	}
	require.Equal(t, count, found, log)
}

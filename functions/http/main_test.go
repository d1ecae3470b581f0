package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/store/dynamodb/dynamotest"
)

// asBootstrap makes this test program be the function's bootstrap.
const asBootstrap = "BOULEVARD_TEST_AS_BOOTSTRAP"

func TestMain(m *testing.M) {
	if os.Getenv(asBootstrap) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// runtimeAPI is the server that Lambda runs beside a bootstrap, which asks it for events and posts the answers.
type runtimeAPI struct {
	events  chan []byte
	answers chan []byte
}

func (r *runtimeAPI) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if strings.HasSuffix(request.URL.Path, "/invocation/next") {
		select {
		case event := <-r.events:
			w.Header().Set("Lambda-Runtime-Aws-Request-Id", "0b9c9e5c-0000-4000-8000-000000000000")
			w.Header().Set("Lambda-Runtime-Deadline-Ms", "32503680000000")
			_, _ = w.Write(event)
		case <-request.Context().Done():
		}
		return
	}
	body, _ := io.ReadAll(request.Body)
	r.answers <- body
	w.WriteHeader(http.StatusAccepted)
}

// invoke sends an event and waits for its answer.
func (r *runtimeAPI) invoke(t *testing.T, method, path, token, body string) events.APIGatewayV2HTTPResponse {
	t.Helper()
	event := events.APIGatewayV2HTTPRequest{RawPath: path, Body: body, Headers: map[string]string{
		"content-type": "application/json", "authorization": "Bearer " + token, "idempotency-key": "0123456789",
	}}
	event.RequestContext.HTTP.Method = method
	encoded, err := json.Marshal(event)
	require.NoError(t, err)
	r.events <- encoded
	var answer events.APIGatewayV2HTTPResponse
	require.NoError(t, json.Unmarshal(<-r.answers, &answer))
	return answer
}

// bootstrap runs the function as Lambda does: as a process that finds its runtime by the environment.
func bootstrap(t *testing.T) *runtimeAPI {
	t.Helper()
	options := dynamotest.Options(t)
	dynamotest.Create(t, options)
	api := &runtimeAPI{events: make(chan []byte), answers: make(chan []byte)}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), asBootstrap+"=1",
		"AWS_LAMBDA_RUNTIME_API="+strings.TrimPrefix(server.URL, "http://"), "AWS_REGION="+options.Region,
		"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "BOULEVARD_TABLE="+options.Table,
		"BOULEVARD_DYNAMODB_ENDPOINT="+options.Endpoint,
		"BOULEVARD_SECRET="+base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("boulevard"), 4)))
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		require.NoError(t, command.Process.Kill())
		require.Error(t, command.Wait())
	})
	return api
}

func TestBootstrap_AnswersGatewayEvents_FromTheTable(t *testing.T) {
	t.Parallel()
	lambda := bootstrap(t)
	var guest struct {
		Token string `json:"token"`
	}
	made := lambda.invoke(t, http.MethodPost, "/v1/players", "", `{"name":"Ann"}`)
	require.Equal(t, http.StatusCreated, made.StatusCode, made.Body)
	require.NoError(t, json.Unmarshal([]byte(made.Body), &guest))

	created := lambda.invoke(t, http.MethodPost, "/v1/games", guest.Token, `{"game":"lords-of-vegas","seats":2}`)
	require.Equal(t, http.StatusCreated, created.StatusCode, created.Body)
	again := lambda.invoke(t, http.MethodPost, "/v1/games", guest.Token, `{"game":"lords-of-vegas","seats":2}`)
	require.Equal(t, created, again, "the same key made one game")
	refused := lambda.invoke(t, http.MethodPost, "/v1/games", guest.Token, `{`)
	require.Equal(t, http.StatusBadRequest, refused.StatusCode)
}

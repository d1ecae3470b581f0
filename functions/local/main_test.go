package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/sqlite"
)

// What follows from a write is there soon; it is looked for at every tick.
const (
	soon = 10 * time.Second
	tick = 5 * time.Millisecond
)

// asProgram makes this test program be the program itself.
const asProgram = "BOULEVARD_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], args...)
	command.Env = append(os.Environ(), asProgram+"=1", "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test")
	return command
}

// serving starts a server on the folder; stop ends it as an operator does, and expects a clean end.
func serving(t *testing.T, folder string) (url string, stop func()) {
	t.Helper()
	command := program(t, "--data", folder, "serve", "--address", "127.0.0.1:0")
	stdout, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line), func() {
		require.NoError(t, command.Process.Signal(syscall.SIGTERM))
		require.NoError(t, command.Wait())
	}
}

// request sends JSON, and decodes what it is answered.
func request(t *testing.T, method, url, token string, body any) map[string]any {
	t.Helper()
	encoded, err := json.Marshal(body)
	require.NoError(t, err)
	r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(encoded))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", "0123456789")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	require.Less(t, response.StatusCode, http.StatusBadRequest)
	var answer map[string]any
	require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
	return answer
}

func TestServe_KeepsGamesAndTokensOverARestart_CheckReplaysThem(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	url, stop := serving(t, folder)
	token, _ := request(t, http.MethodPost, url+"/v1/players", "", map[string]any{"name": "Ann"})["token"].(string)
	created := request(t, http.MethodPost, url+"/v1/games", token, map[string]any{"game": "lords-of-vegas", "seats": 2})
	id, _ := created["id"].(string)
	stop()

	url, stop = serving(t, folder)
	defer stop()
	require.Equal(t, created, request(t, http.MethodGet, url+"/v1/games/"+id, token, nil))

	checked, err := program(t, "--data", folder, "check", id).CombinedOutput()
	require.NoError(t, err, string(checked))
	require.Contains(t, string(checked), "1 entries replayed")

	secret, err := os.Stat(filepath.Join(folder, "secret"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), secret.Mode().Perm())
}

func TestServe_TellsWatchersOfVersions_AndStopsThoughTheyStay(t *testing.T) {
	t.Parallel()
	url, stop := serving(t, t.TempDir())
	ann, _ := request(t, http.MethodPost, url+"/v1/players", "", map[string]any{"name": "Ann"})["token"].(string)
	bob, _ := request(t, http.MethodPost, url+"/v1/players", "", map[string]any{"name": "Bob"})["token"].(string)
	created := request(t, http.MethodPost, url+"/v1/games", ann, map[string]any{"game": "lords-of-vegas", "seats": 2})
	id, _ := created["id"].(string)

	socket, response, err := websocket.Dial(t.Context(), url+"/v1/live", &websocket.DialOptions{
		HTTPHeader: http.Header{"Authorization": {"Bearer " + ann}},
	})
	require.NoError(t, err)
	if response.Body != nil {
		require.NoError(t, response.Body.Close())
	}
	t.Cleanup(func() { _ = socket.CloseNow() })
	require.NoError(t, socket.Write(t.Context(), websocket.MessageText, []byte(`{"type":"subscribe","games":[{"id":"`+id+`"}]}`)))
	hear := func() string {
		_, message, err := socket.Read(t.Context())
		require.NoError(t, err)
		return string(message)
	}
	require.JSONEq(t, fmt.Sprintf(`{"type":"version","game":%q,"version":1}`, id), hear())
	request(t, http.MethodPost, url+"/v1/games/"+id+"/join", bob, map[string]any{})
	// The version and the notice come in whichever order, and version 1 perhaps once more: its change is followed meanwhile.
	waited := []string{fmt.Sprintf(`{"type":"version","game":%q,"version":2}`, id), `{"type":"notice"`}
	for len(waited) > 0 {
		message := hear()
		waited = slices.DeleteFunc(waited, func(start string) bool { return strings.HasPrefix(message, start) })
	}
	ended := make(chan error, 1)
	go func() {
		_, _, err := socket.Read(t.Context())
		ended <- err
	}()
	stop()
	require.Equal(t, websocket.StatusGoingAway, websocket.CloseStatus(<-ended))
}

func TestServe_OpenListFollowsTheGames_RebuildFindsNothingToMend(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	url, stop := serving(t, folder)
	ann, _ := request(t, http.MethodPost, url+"/v1/players", "", map[string]any{"name": "Ann"})["token"].(string)
	bob, _ := request(t, http.MethodPost, url+"/v1/players", "", map[string]any{"name": "Bob"})["token"].(string)
	created := request(t, http.MethodPost, url+"/v1/games", ann, map[string]any{"game": "lords-of-vegas", "seats": 2})
	open := func() int {
		games, _ := request(t, http.MethodGet, url+"/v1/games", bob, nil)["games"].([]any)
		return len(games)
	}
	require.Eventually(t, func() bool { return open() == 1 }, soon, tick)
	id, _ := created["id"].(string)
	request(t, http.MethodPost, url+"/v1/games/"+id+"/join", bob, map[string]any{})
	require.Eventually(t, func() bool { return open() == 0 }, soon, tick)
	stop()

	output, err := program(t, "--data", folder, "rebuild").CombinedOutput()
	require.NoError(t, err, string(output))
	require.Contains(t, string(output), "0 differences")
}

func TestRebuild_FindsWhatIsLost_AndRepairsIt(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	url, stop := serving(t, folder)
	ann, _ := request(t, http.MethodPost, url+"/v1/players", "", map[string]any{"name": "Ann"})["token"].(string)
	request(t, http.MethodPost, url+"/v1/games", ann, map[string]any{"game": "lords-of-vegas", "seats": 2})
	stop()
	removeOpen(t, filepath.Join(folder, "boulevard.db"))

	output, err := program(t, "--data", folder, "rebuild").CombinedOutput()
	require.Error(t, err, "a difference is left")
	require.Contains(t, string(output), "missing     OPEN")
	require.Contains(t, string(output), "1 differences found")
	output, err = program(t, "--data", folder, "rebuild", "--repair").CombinedOutput()
	require.NoError(t, err, string(output))
	require.Contains(t, string(output), "1 repaired")
	output, err = program(t, "--data", folder, "rebuild").CombinedOutput()
	require.NoError(t, err, string(output))
	require.Contains(t, string(output), "0 differences found")
}

// removeOpen removes the rows of the list of open games.
func removeOpen(t *testing.T, file string) {
	t.Helper()
	driver, err := sqlite.Open(t.Context(), file)
	require.NoError(t, err)
	page, err := driver.Query(t.Context(), store.Query{PK: "OPEN", Limit: 10})
	require.NoError(t, err)
	require.NotEmpty(t, page.Items)
	for _, item := range page.Items {
		require.NoError(t, driver.Delete(t.Context(), item.Key, store.Condition{}))
	}
	require.NoError(t, driver.Close())
}

func TestServe_WithoutAPlace_SaysWhy(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for want, args := range map[string][]string{
		"not a directory":          {"--data", file, "serve"},
		"must be one of":           {"--driver", "paper", "serve"},
		"both are needed":          {"--data", t.TempDir(), "--driver", "dynamodb", "--table", "", "--endpoint", "http://127.0.0.1:1", "serve"},
		"name the stage's keyring": {"--data", t.TempDir(), "--driver", "dynamodb", "serve"},
		"no such game":             {"--data", t.TempDir(), "check", "none"},
	} {
		output, err := program(t, args...).CombinedOutput()
		require.Error(t, err, want)
		require.Contains(t, string(output), want)
	}
}

func TestSecret_TooShort_IsRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "secret"), []byte("short"), 0o600))
	output, err := program(t, "--data", folder, "serve").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(output), "at least 32 bytes")
	require.NotContains(t, string(output), "short")
}

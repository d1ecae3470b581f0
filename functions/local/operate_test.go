package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb/dynamotest"
	"boulevard/functions/internal/store/sqlite"
)

// played is a folder in which a game of two has begun, and its first player's token.
func played(t *testing.T) (folder, game, token string) {
	t.Helper()
	folder = t.TempDir()
	url, stop := serving(t, folder)
	defer stop()
	ann, _ := request(t, http.MethodPost, url+"/v1/players", "", map[string]any{"name": "Ann"})["token"].(string)
	bob, _ := request(t, http.MethodPost, url+"/v1/players", "", map[string]any{"name": "Bob"})["token"].(string)
	created := request(t, http.MethodPost, url+"/v1/games", ann, map[string]any{"game": "lords-of-vegas", "seats": 2})
	game, _ = created["id"].(string)
	request(t, http.MethodPost, url+"/v1/games/"+game+"/join", bob, map[string]any{})
	return folder, game, ann
}

// run is what a command prints.
func run(t *testing.T, args ...string) string {
	t.Helper()
	output, err := program(t, args...).CombinedOutput()
	require.NoError(t, err, string(output))
	return string(output)
}

func TestInspect_ShowsWhatEverybodyMayKnow_UnlessTold(t *testing.T) {
	t.Parallel()
	folder, game, _ := played(t)
	var shown map[string]any
	require.NoError(t, json.Unmarshal([]byte(run(t, "--data", folder, "inspect", game)), &shown))
	require.Equal(t, "playing", shown["status"])
	require.InEpsilon(t, 2, shown["version"], 0)
	require.NotContains(t, shown, "state")
	seats, _ := shown["players"].([]any)
	require.Len(t, seats, 2)
	require.NotContains(t, seats[0], "view")

	require.NoError(t, json.Unmarshal([]byte(run(t, "--data", folder, "inspect", game, "--reveal")), &shown))
	require.NotEmpty(t, shown["state"])
	seats, _ = shown["players"].([]any)
	require.Contains(t, seats[0], "view")
}

func TestRewindAndRepin_SayWhatIsWrong(t *testing.T) {
	t.Parallel()
	folder, game, _ := played(t)
	for want, args := range map[string][]string{
		"missing flags: --reason": {"--data", folder, "rewind", game, "1"},
		"version_not_found":       {"--data", folder, "rewind", game, "1", "--reason", "it had not begun"},
		"rules_unknown":           {"--data", folder, "repin", game, "1", "--reason", "it has them"},
		"game_not_found":          {"--data", folder, "repin", "none", "1", "--reason", "no game"},
	} {
		output, err := program(t, args...).CombinedOutput()
		require.Error(t, err, want)
		require.Contains(t, string(output), want)
	}
}

// A game moves from one machine to DynamoDB and back, and every state is the same to the byte.
func TestBackup_MovesAMachinesGamesToTheCloud_AndBack(t *testing.T) {
	t.Parallel()
	folder, game, _ := played(t)
	file := filepath.Join(t.TempDir(), "backup")
	written := run(t, "--data", folder, "backup", file)
	require.Contains(t, written, "items written")

	options := dynamotest.Options(t)
	dynamotest.Create(t, options)
	cloud := []string{"--data", folder, "--driver", "dynamodb", "--endpoint", options.Endpoint, "--table", options.Table}
	require.Equal(t, written, run(t, append(cloud, "restore", file)...))
	require.Contains(t, run(t, append(cloud, "restore", file)...), "0 items written", "it can be repeated")
	require.Contains(t, run(t, append(cloud, "check", game)...), "all the same to the byte")
	require.Contains(t, run(t, append(cloud, "rebuild")...), "0 differences")
	back := filepath.Join(t.TempDir(), "back")
	require.Equal(t, written, run(t, append(cloud, "backup", back)...))

	home := t.TempDir()
	secret, err := os.ReadFile(filepath.Join(folder, "secret"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(home, "secret"), secret, 0o600)) //nolint:gosec // folders of this test
	require.Equal(t, written, run(t, "--data", home, "restore", back))
	require.Contains(t, run(t, "--data", home, "check", game), "all the same to the byte")
}

func TestRestore_OfWhatIsNoBackup_IsRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("not a backup"), 0o600))
	output, err := program(t, "--data", t.TempDir(), "restore", file).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(output), "gzip")
}

func TestRequeue_TakesInWhatCanBeTakenInNow(t *testing.T) {
	t.Parallel()
	folder, game, _ := played(t)
	driver, err := sqlite.Open(t.Context(), filepath.Join(folder, "boulevard.db"))
	require.NoError(t, err)
	table := store.NewTable(driver)
	head, err := driver.Get(t.Context(), store.Key{PK: "GAME#" + game, SK: "HEAD"})
	require.NoError(t, err)
	bad := store.Item{Key: store.Key{PK: "GAME#bad", SK: "HEAD"}, Rev: 1, Body: []byte{0xff}}
	require.NoError(t, table.Bury(t.Context(), store.Change{Seq: 1, New: &bad}, os.ErrInvalid))
	require.NoError(t, table.Bury(t.Context(), store.Change{Seq: 2, New: &head}, os.ErrInvalid))
	require.NoError(t, driver.Close())
	output := run(t, "--data", folder, "requeue")
	require.Contains(t, output, "change of GAME#bad: still")
	require.Contains(t, output, "change of GAME#"+game+": taken in")
	output = run(t, "--data", folder, "requeue")
	require.Contains(t, output, "GAME#bad")
	require.NotContains(t, output, game)
}

func TestPushKeys_ArePairsThatDiffer(t *testing.T) {
	t.Parallel()
	first, second := run(t, "push-keys"), run(t, "push-keys")
	require.Contains(t, first, "public_key: ")
	require.NotEqual(t, first, second)
}

package rest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/stretchr/testify/require"

	"boulevard/api"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
	"boulevard/functions/internal/store/dynamodb/dynamotest"
	"boulevard/functions/internal/store/sqlite"
)

// doomed tells a process of this test program to serve a table and to kill itself, as a power cut would, on the first
// write of a head.
type doomed struct {
	// SQLite is the file, or else Endpoint and Table name the table.
	SQLite   string `json:"sqlite"`
	Endpoint string `json:"endpoint"`
	Table    string `json:"table"`
	// When is the moment of death: "before the write", "after the write" or "before the answer".
	When string `json:"when"`
}

const doomedVariable = "BOULEVARD_TEST_DOOMED"

func TestMain(m *testing.M) {
	if plan := os.Getenv(doomedVariable); plan != "" {
		serveDoomed(plan)
		return
	}
	os.Exit(m.Run())
}

// die is a death that leaves no time for anything.
func die() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }

// serveDoomed serves until it dies.
func serveDoomed(plan string) {
	var d doomed
	if err := json.Unmarshal([]byte(plan), &d); err != nil {
		panic(err)
	}
	tb := &outsideTest{}
	b := setup(tb, &dying{Driver: d.open(), when: d.When})
	if d.When == "before the answer" {
		b.url = httptest.NewServer(dyingAnswers(b.url)).URL
	}
	if _, err := os.Stdout.WriteString(b.url + "\n"); err != nil {
		panic(err)
	}
	select {}
}

func (d doomed) open() store.Driver {
	var driver store.Driver
	var err error
	if d.SQLite != "" {
		driver, err = sqlite.Open(context.Background(), d.SQLite)
	} else {
		driver, err = dynamodb.Connect(dynamodb.Options{
			Endpoint: d.Endpoint, Table: d.Table, Region: "us-east-1",
			Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
		})
	}
	if err != nil {
		panic(err)
	}
	return driver
}

type dying struct {
	store.Driver
	when string
}

func (d *dying) Put(ctx context.Context, item store.Item, when store.Condition) error {
	if d.when == "before the write" && store.IsHead(item.Key) {
		die()
	}
	err := d.Driver.Put(ctx, item, when)
	if d.when == "after the write" && store.IsHead(item.Key) {
		die()
	}
	return err
}

// dyingAnswers passes requests on, and dies when the answer has been made.
func dyingAnswers(url string) http.Handler {
	return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		request, err := http.NewRequestWithContext(r.Context(), r.Method, url+r.URL.Path, r.Body)
		if err != nil {
			panic(err)
		}
		request.Header = r.Header
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			panic(err)
		}
		_ = response.Body.Close()
		die()
	})
}

// outsideTest lets the set-up of tests be used in a process that is none.
type outsideTest struct{ testing.TB }

func (*outsideTest) Helper()        {}
func (*outsideTest) Cleanup(func()) {}
func (*outsideTest) FailNow()       { panic("set-up failed") }
func (*outsideTest) Errorf(format string, _ ...any) {
	panic(format)
}

// start runs a doomed server, whose URL it returns, and a function that waits for its death.
func (d doomed) start(t *testing.T) (url string, dead func()) {
	t.Helper()
	plan, err := json.Marshal(d)
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), doomedVariable+"="+string(plan))
	stdout, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line), func() { require.ErrorContains(t, command.Wait(), "killed") }
}

// R3: killed before the write, after it, or before the answer.
func TestR3_Killed_TheStateIsOldOrNew_NobodyWasTold_TheRetryIsDoneOnce(t *testing.T) {
	t.Parallel()
	for when, landed := range map[string]bool{"before the write": false, "after the write": true, "before the answer": true} {
		for name, place := range map[string]func(*testing.T) (doomed, store.Driver){"sqlite": doomedFile, "dynamodb": doomedTable} {
			t.Run(when+"/"+name, func(t *testing.T) {
				t.Parallel()
				d, driver := place(t)
				d.When = when
				b := setup(t, driver)
				p := b.guests("Ann", "Bob")
				game := p[0].create(3)
				url, dead := d.start(t)
				once := newKey()
				requireNoAnswer(t, url+"/v1/games/"+game.ID+"/join", p[1].token, once)
				dead()

				version := game.Version
				if landed {
					version++
				}
				require.Equal(t, version, p[0].game(game.ID).Version)
				requireNothingAhead(t, p[0], int(version))

				joined := p[1].post("/v1/games/"+game.ID+"/join", nil, once).done().Game
				require.Equal(t, game.Version+1, joined.Version)
				require.Len(t, p[0].journal(game.ID), 2)
			})
		}
	}
}

func doomedFile(t *testing.T) (doomed, store.Driver) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "boulevard.db")
	return doomed{SQLite: path}, openSQLite(t, path)
}

func doomedTable(t *testing.T) (doomed, store.Driver) {
	t.Helper()
	options := dynamotest.Options(t)
	return doomed{Endpoint: options.Endpoint, Table: options.Table}, dynamotest.Create(t, options)
}

func requireNoAnswer(t *testing.T, url, token string, once header) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(nil))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set(once.name, once.value)
	response, err := http.DefaultClient.Do(request)
	if err == nil {
		require.NoError(t, response.Body.Close())
	}
	require.Error(t, err)
}

// requireNothingAhead finds that the list of open games tells of no more players than have been seated.
func requireNothingAhead(t *testing.T, c *client, seated int) {
	t.Helper()
	var open api.OpenGames
	c.get("/v1/games").expect(http.StatusOK).into(&open)
	require.Len(t, open.Games, 1)
	require.LessOrEqual(t, len(open.Games[0].Players), seated)
}

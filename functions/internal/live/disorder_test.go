package live_test

import (
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/store"
)

// disorder is a proxy that drops, repeats and reorders what a server says.
type disorder struct {
	server string
	random *rand.Rand
	// dropped, repeated and late count what it did.
	dropped, repeated, late atomic.Int64
}

// ServeHTTP joins a client with the server.
func (p *disorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	server, _, err := connect(ctx, p.server+r.URL.Path, http.Header{"Authorization": r.Header["Authorization"]})
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer func() { _ = server.CloseNow() }()
	client, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = client.CloseNow() }()
	var pumps sync.WaitGroup
	pumps.Go(func() {
		defer cancel()
		pump(ctx, client, server, func(message []byte) [][]byte { return [][]byte{message} })
	})
	pumps.Go(func() {
		defer cancel()
		pump(ctx, server, client, p.disturb())
	})
	pumps.Wait()
}

func pump(ctx context.Context, from, to *websocket.Conn, change func([]byte) [][]byte) {
	for {
		_, message, err := from.Read(ctx)
		if err != nil {
			return
		}
		for _, m := range change(message) {
			if to.Write(ctx, websocket.MessageText, m) != nil {
				return
			}
		}
	}
}

// disturb decides what becomes of each message.
func (p *disorder) disturb() func([]byte) [][]byte {
	var held [][]byte
	return func(message []byte) [][]byte {
		switch p.random.IntN(4) {
		case 0:
			p.dropped.Add(1)
			return nil
		case 1:
			p.repeated.Add(1)
			return [][]byte{message, message}
		case 2:
			held = append(held, message)
			return nil
		}
		p.late.Add(int64(len(held)))
		all := append([][]byte{message}, held...)
		held = nil
		return all
	}
}

// follower is a client as the contract advises: it asks for the game when it hears of a version above its own, and its
// heartbeat is the subscription with the version that it has.
type follower struct {
	*device

	url, token, game string
	have             atomic.Uint64
	// document is the newest that it got.
	document atomic.Pointer[[]byte]
}

// listen follows what it hears until the connection ends.
func (f *follower) listen(ctx context.Context) error {
	for {
		_, data, err := f.socket.Read(ctx)
		if err != nil {
			return nil //nolint:nilerr // that is how the test ends
		}
		var heard said
		if err := json.Unmarshal(data, &heard); err != nil {
			return err
		}
		if heard.Version > f.have.Load() {
			if err := f.catchUp(ctx); err != nil {
				return err
			}
		}
	}
}

func (f *follower) catchUp(ctx context.Context) error {
	url := f.url + "/v1/games/" + f.game + "?since=" + strconv.FormatUint(max(1, f.have.Load()), 10)
	status, body, err := get(ctx, url, f.token)
	if err != nil || status == http.StatusNotModified {
		return err
	}
	var game struct {
		Version uint64 `json:"version"`
	}
	if err := json.Unmarshal(body, &game); err != nil {
		return err
	}
	f.document.Store(&body)
	f.have.Store(game.Version)
	return nil
}

func get(ctx context.Context, url, token string) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

// L2: messages are dropped, repeated and reordered, and the client still ends right.
func TestL2_DropRepeatReorder_ClientEndsRight(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.started()
	proxy := &disorder{server: b.url, random: rand.New(rand.NewPCG(3, 4))}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	_, token := b.guest("Eve")
	f := &follower{device: dial(t, front.URL, token), url: b.url, token: token, game: m.game.ID}
	ended := make(chan error, 1)
	go func() { ended <- f.listen(t.Context()) }()

	f.subscribe(m.game.ID, 0)
	for i := 0; m.game.Status == store.Playing; i++ {
		m.play()
		if i%8 == 0 {
			f.subscribe(m.game.ID, f.have.Load())
		}
	}
	require.Eventually(t, func() bool {
		f.subscribe(m.game.ID, f.have.Load())
		return f.have.Load() == m.game.Version
	}, patience, 5*time.Millisecond)

	_, want, err := get(t.Context(), b.url+"/v1/games/"+m.game.ID, token)
	require.NoError(t, err)
	require.JSONEq(t, string(want), withoutEvents(t, *f.document.Load()))
	require.NoError(t, f.socket.CloseNow())
	require.NoError(t, <-ended)
	for _, count := range []*atomic.Int64{&proxy.dropped, &proxy.repeated, &proxy.late} {
		require.NotZero(t, count.Load())
	}
}

// withoutEvents is a document without what it tells of the way to it.
func withoutEvents(t *testing.T, document []byte) string {
	t.Helper()
	var fields map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(document, &fields))
	delete(fields, "events")
	var text strings.Builder
	require.NoError(t, json.NewEncoder(&text).Encode(fields))
	return text.String()
}

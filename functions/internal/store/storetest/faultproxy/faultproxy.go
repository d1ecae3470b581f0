// Package faultproxy stands between a DynamoDB client and a DynamoDB-compatible server, on real sockets, and does what
// networks and a loaded table do: it loses answers, refuses, hangs and breaks.
package faultproxy

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Fault is what happens to one request instead of its being answered.
type Fault struct {
	// before says that the request never reaches the server.
	before bool
	// fail ends the exchange with the client.
	fail func(http.ResponseWriter, *http.Request)
}

// LoseAnswer lets the request do its work, and closes the connection without an answer.
func LoseAnswer() Fault { return Fault{fail: hangUp} }

// LoseRequest closes the connection before the server sees the request. The client cannot tell it from [LoseAnswer].
func LoseRequest() Fault { return Fault{before: true, fail: hangUp} }

// HangAfter lets the request do its work, and keeps the client waiting until it gives up.
func HangAfter() Fault { return Fault{fail: hang} }

// HangBefore keeps the client waiting until it gives up; the server never sees the request.
func HangBefore() Fault { return Fault{before: true, fail: hang} }

// Refuse answers a DynamoDB error such as "ProvisionedThroughputExceededException" with status 400; the server never sees
// the request.
func Refuse(code string) Fault {
	return Fault{before: true, fail: func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusBadRequest, code) }}
}

// Break answers a server error, such as 500 or 503; the server never sees the request.
func Break(status int) Fault {
	return Fault{before: true, fail: func(w http.ResponseWriter, _ *http.Request) { refuse(w, status, "InternalServerError") }}
}

// BreakAfter lets the request do its work, and answers a server error.
func BreakAfter(status int) Fault {
	return Fault{fail: func(w http.ResponseWriter, _ *http.Request) { refuse(w, status, "InternalServerError") }}
}

func hangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func hang(w http.ResponseWriter, r *http.Request) {
	<-r.Context().Done()
	hangUp(w, r)
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"injected"}`, code)
}

// Always is a number of times that no test outlives.
const Always = 1 << 30

// Proxy is a server that forwards to another, but for the faults that it was told of. It is safe for concurrent use.
type Proxy struct {
	server  *httptest.Server
	forward *httputil.ReverseProxy

	mu     sync.Mutex
	faults map[string]*planned
	seen   map[string]int
	after  map[string]func()
}

type planned struct {
	fault Fault
	times int
}

// Start runs a proxy before the server at the URL until the test ends.
func Start(tb testing.TB, target string) *Proxy {
	tb.Helper()
	to, err := url.Parse(target)
	require.NoError(tb, err)
	p := &Proxy{faults: map[string]*planned{}, seen: map[string]int{}, after: map[string]func(){}}
	p.forward = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	p.server = httptest.NewServer(p)
	tb.Cleanup(p.server.Close)
	return p
}

// URL is where the proxy listens.
func (p *Proxy) URL() string { return p.server.URL }

// Inject lets the next requests of an operation, such as "PutItem", meet the fault, times times. It replaces what was
// planned for the operation before.
func (p *Proxy) Inject(op string, times int, fault Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults[op] = &planned{fault: fault, times: times}
}

// Clear forgets all faults.
func (p *Proxy) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.faults)
}

// AfterNext calls do once, when the server has done the next request of the operation (or a fault has kept it from it) and
// before the client hears of it. So a test does something at a moment that otherwise only luck would hit.
func (p *Proxy) AfterNext(op string, do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.after[op] = do
}

// Seen is how many requests of an operation have come in, those that met a fault included.
func (p *Proxy) Seen(op string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen[op]
}

// ServeHTTP is for the server that Start runs.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	op := operation(r)
	fault, after := p.next(op)
	// The whole request is taken in first: net/http notices a client that has gone only when nothing is left to read.
	body, err := io.ReadAll(r.Body)
	if err != nil {
		hangUp(w, r)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	answer := httptest.NewRecorder()
	if fault == nil || !fault.before {
		p.forward.ServeHTTP(answer, r)
	}
	if after != nil {
		after()
	}
	if fault != nil {
		fault.fail(w, r)
		return
	}
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes()) // a client that has gone hears nothing
}

// next takes what is planned for a request.
func (p *Proxy) next(op string) (*Fault, func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[op]++
	after := p.after[op]
	delete(p.after, op)
	plan := p.faults[op]
	if plan == nil || plan.times == 0 {
		return nil, after
	}
	plan.times--
	return &plan.fault, after
}

// operation is the last part of a header such as "DynamoDB_20120810.PutItem".
func operation(r *http.Request) string {
	target := r.Header.Get("X-Amz-Target")
	return target[strings.LastIndexByte(target, '.')+1:]
}

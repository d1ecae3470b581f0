package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/rest"
)

type serve struct {
	Address string `help:"Address to listen on; port 0 takes a free one." default:"127.0.0.1:8080"`
}

const (
	// patience bounds how long a client may take to send a request, or to take its answer.
	patience = 15 * time.Second
	// farewell is how long requests under way may take when the server stops.
	farewell = 5 * time.Second
)

// gcPercent lets garbage grow to four times the few megabytes that are in use: the collector then takes a small part of the
// time that it takes by default.
const gcPercent = 400

// Run serves until the context ends.
func (s *serve) Run(ctx context.Context, place *place) (err error) {
	debug.SetGCPercent(gcPercent)
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	hub := live.NewHub()
	site, err := place.open(ctx, log, hub)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.close()) }()
	handler, err := handler(site.host, hub, log)
	if err != nil {
		return err
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", s.Address)
	if err != nil {
		return err
	}
	greet(listener.Addr())
	defer site.following(ctx)()
	server := &http.Server{Handler: handler, ReadTimeout: patience, WriteTimeout: patience}
	return serveUntil(ctx, server, hub, listener)
}

// handler is the API with live updates.
func handler(h *host.Host, hub *live.Hub, log *slog.Logger) (http.Handler, error) {
	api, err := rest.Handler(rest.Config{Host: h, Log: log})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", api)
	mux.Handle("/v1/live", live.NewServer(live.Config{Hub: hub, Host: h, Log: log}))
	return mux, nil
}

// following runs follow beside the caller, until the returned function stops it. It outlives ctx, so that the last requests
// under way are followed too.
func (s *site) following(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var following sync.WaitGroup
	following.Go(func() { s.follow(ctx) })
	return func() {
		cancel()
		following.Wait()
	}
}

// serveUntil serves until the context ends, lets the requests under way end, and sends the watchers away.
func serveUntil(ctx context.Context, server *http.Server, hub *live.Hub, listener net.Listener) error {
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
		defer cancel()
		err := server.Shutdown(last)
		hub.Close(last)
		stopped <- err
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

// greet tells where the server is, on a first line that programs may read, and how to begin.
func greet(address net.Addr) {
	fmt.Printf("http://%s\n\n", address)
	fmt.Printf("Become a player:\n\n  curl -s http://%s/v1/players -H 'Content-Type: application/json' -d '{\"name\":\"Ann\"}'\n\n",
		address)
	fmt.Printf("The contract: http://%s/openapi.yaml, and http://%s/asyncapi.yaml for live updates\n", address, address)
}

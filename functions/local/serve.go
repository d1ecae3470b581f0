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
	"strings"
	"sync"
	"time"

	"boulevard/functions/internal/fanout"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/rest"
	"boulevard/functions/internal/store"
)

type serve struct {
	Address  string  `help:"Address to listen on; port 0 takes a free one." default:"127.0.0.1:8080"`
	NoLimits bool    `help:"Let one address or player ask for as much as it likes, as behind a proxy that limits."`
	Notices  notices `embed:"" group:"Notices"`
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
	hub, bell := live.NewHub(), newBell()
	site, err := place.open(ctx, log, func(table *store.Table, reader *host.Host) []fanout.Follower {
		return []fanout.Follower{hub, planner(table, reader, hub), bell}
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.close()) }()
	post, err := s.Notices.open(site, hub, bell)
	if err != nil {
		return err
	}
	handler, err := handler(rest.Config{Host: site.host, Desk: post.desk, Log: log, Limits: s.limits()}, hub)
	if err != nil {
		return err
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", s.Address)
	if err != nil {
		return err
	}
	greet(listener.Addr())
	site.work = append(site.work, post.send(site, s.site(listener.Addr()), log))
	defer site.working(ctx)()
	server := &http.Server{Handler: handler, ReadTimeout: patience, WriteTimeout: patience}
	return serveUntil(ctx, server, hub, listener)
}

// handler is the API with live updates.
func handler(c rest.Config, hub *live.Hub) (http.Handler, error) {
	api, err := rest.Handler(c)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", api)
	mux.Handle("/v1/live", live.NewServer(live.Config{Hub: hub, Host: c.Host, Log: c.Log}))
	return mux, nil
}

// limits are the usual ones, or none.
func (s *serve) limits() rest.Limits {
	if s.NoLimits {
		return rest.Limits{}
	}
	return rest.Usual
}

// site is where players reach the server.
func (s *serve) site(address net.Addr) string {
	if s.Notices.Site != "" {
		return strings.TrimRight(s.Notices.Site, "/")
	}
	return "http://" + address.String()
}

// working does the work beside the caller, until the returned function stops it. It outlives ctx, so that the last requests
// under way are followed too.
func (s *site) working(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var working sync.WaitGroup
	for _, work := range s.work {
		working.Go(func() { work(ctx) })
	}
	return func() {
		cancel()
		working.Wait()
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

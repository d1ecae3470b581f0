package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"boulevard/engine/catalogue"
	"boulevard/functions/internal/fanout"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
	"boulevard/functions/internal/store/sqlite"
)

// place is where games and secrets are kept.
type place struct {
	Data     string `help:"Folder of the secret and of the SQLite file." default:".data" type:"path"`
	Driver   string `help:"Which table: sqlite or dynamodb." default:"sqlite" enum:"sqlite,dynamodb"`
	Endpoint string `help:"URL of the DynamoDB-compatible server." env:"BOULEVARD_DYNAMODB_ENDPOINT"`
	Table    string `help:"Name of the DynamoDB table." default:"boulevard" env:"BOULEVARD_TABLE"`
}

// site is an open place.
type site struct {
	host  *host.Host
	table *store.Table
	// follow keeps what is derived from games until its context ends. Whoever serves players runs it.
	follow func(context.Context)
	close  func() error
}

// cursor names how far this program has followed the table's changes.
const cursor = "derived"

// open opens the table and hosts the games in it. Followers are told of what is written, while follow runs.
func (p *place) open(ctx context.Context, log *slog.Logger, followers ...fanout.Follower) (*site, error) {
	if err := os.MkdirAll(p.Data, 0o700); err != nil {
		return nil, err
	}
	secret, err := p.secret()
	if err != nil {
		return nil, err
	}
	keys, err := host.NewKeyring(secret)
	if err != nil {
		return nil, err
	}
	s, games, err := p.openTable(ctx, log, followers)
	if err != nil {
		return nil, err
	}
	s.host = host.New(host.Config{Store: games, Catalogue: catalogue.All(), Keys: keys, Now: time.Now})
	return s, nil
}

func (p *place) openTable(ctx context.Context, log *slog.Logger, followers []fanout.Follower) (*site, host.Store, error) {
	if p.Driver != "sqlite" {
		return p.openDynamoDB(ctx, log, followers)
	}
	driver, err := sqlite.Open(ctx, filepath.Join(p.Data, "boulevard.db"))
	if err != nil {
		return nil, nil, err
	}
	table := store.NewTable(driver)
	games := fanout.NewWaking(table)
	follow := func(ctx context.Context) {
		fanout.Follow(ctx, driver, cursor, fanout.NewConsumer(table, followers...), games.Woken(), log)
	}
	return &site{table: table, follow: follow, close: driver.Close}, games, nil
}

func (p *place) openDynamoDB(ctx context.Context, log *slog.Logger, followers []fanout.Follower) (*site, host.Store, error) {
	driver, err := dynamodb.Connect(dynamodb.Options{Endpoint: p.Endpoint, Table: p.Table})
	if err != nil {
		return nil, nil, err
	}
	if p.Endpoint != "" {
		// An emulator starts empty; in the cloud the infrastructure has made the table.
		if err := driver.CreateTable(ctx); err != nil {
			return nil, nil, err
		}
	}
	table := store.NewTable(driver)
	games := fanout.Inline{Table: table, Consumer: fanout.NewConsumer(table, followers...), Log: log}
	return &site{table: table, follow: func(context.Context) {}, close: func() error { return nil }}, games, nil
}

// secretLength is that of a new master secret, in bytes.
const secretLength = 32

// secret reads the master secret, or makes one where there is none yet.
func (p *place) secret() ([]byte, error) {
	path := filepath.Join(p.Data, "secret")
	secret, err := os.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return secret, err
	}
	secret = make([]byte, secretLength)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, secret, 0o600); err != nil {
		return nil, fmt.Errorf("keep the master secret: %w", err)
	}
	return secret, nil
}

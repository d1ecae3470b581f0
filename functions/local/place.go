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
	"boulevard/functions/internal/cloud"
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

// sqliteDriver is the driver of one machine.
const sqliteDriver = "sqlite"

// site is an open place.
type site struct {
	host *host.Host
	// reader is for those who follow the games: it reads them, and nothing follows from what it does.
	reader *host.Host
	table  *store.Table
	keys   host.Keyring
	// work is done beside serving players, each piece until its context ends: it keeps what is derived from games.
	work  []func(context.Context)
	close func() error
}

// cursor names how far this program has followed the table's changes.
const cursor = "derived"

// followers are those who are told of what is written into a table.
type followers func(table *store.Table, reader *host.Host) []fanout.Follower

// nobody follows where a command only looks.
func nobody(*store.Table, *host.Host) []fanout.Follower { return nil }

// open opens the table and hosts the games in it. Followers are told of what is written, while its work is done.
func (p *place) open(ctx context.Context, log *slog.Logger, follow followers) (*site, error) {
	if err := os.MkdirAll(p.Data, 0o700); err != nil {
		return nil, err
	}
	keys, err := p.keyring(ctx)
	if err != nil {
		return nil, err
	}
	if p.Driver != sqliteDriver {
		return p.openDynamoDB(ctx, log, keys, follow)
	}
	driver, err := sqlite.Open(ctx, filepath.Join(p.Data, "boulevard.db"))
	if err != nil {
		return nil, err
	}
	s := newSite(store.NewTable(driver), keys)
	games := fanout.NewWaking(s.table)
	consumer := fanout.NewConsumer(s.table, follow(s.table, s.reader)...)
	s.host, s.close = s.hosting(games), driver.Close
	s.work = []func(context.Context){
		func(ctx context.Context) {
			fanout.Follow(ctx, driver, cursor, consumer, s.table.Bury, games.Woken(), log)
		},
		func(ctx context.Context) { expire(ctx, driver, log) },
	}
	return s, nil
}

// expire removes what has expired, now and every hour. In the cloud the table does that by itself.
func expire(ctx context.Context, driver *sqlite.Driver, log *slog.Logger) {
	ticker := time.NewTicker(time.Hour)
	defer ticker.Stop()
	for {
		if _, err := driver.Sweep(ctx, time.Now().Unix()); err != nil && ctx.Err() == nil {
			log.ErrorContext(ctx, "expired items not removed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func newSite(table *store.Table, keys host.Keyring) *site {
	s := &site{table: table, keys: keys}
	s.reader = s.hosting(table)
	return s
}

func (s *site) hosting(games host.Store) *host.Host {
	return host.New(host.Config{Store: games, Sessions: s.table, Catalogue: catalogue.All(), Keys: s.keys, Now: time.Now})
}

func (p *place) openDynamoDB(ctx context.Context, log *slog.Logger, keys host.Keyring, follow followers) (*site, error) {
	driver, err := dynamodb.Connect(dynamodb.Options{Endpoint: p.Endpoint, Table: p.Table})
	if err != nil {
		return nil, err
	}
	if p.Endpoint != "" {
		// An emulator starts empty; in the cloud the infrastructure has made the table.
		if err := driver.CreateTable(ctx); err != nil {
			return nil, err
		}
	}
	s := newSite(store.NewTable(driver), keys)
	consumer := fanout.NewConsumer(s.table, follow(s.table, s.reader)...)
	s.host = s.hosting(fanout.Inline{Table: s.table, Consumer: consumer, Log: log})
	s.close = func() error { return nil }
	return s, nil
}

// keyring is that of the deployed stage that BOULEVARD_SECRET_ID names, or BOULEVARD_SECRET holds; else it is made of the secret
// in the folder. A table in the cloud has a keyring already, and a new secret would fit none of its games.
func (p *place) keyring(ctx context.Context) (host.Keyring, error) {
	text, err := cloud.Secret(ctx, "BOULEVARD_SECRET_ID", "BOULEVARD_SECRET")
	if err != nil {
		return host.Keyring{}, err
	}
	if text != "" {
		return host.ParseKeyring(text)
	}
	path := filepath.Join(p.Data, "secret")
	if _, err := os.Stat(path); err != nil && p.Driver != sqliteDriver && p.Endpoint == "" {
		return host.Keyring{}, fmt.Errorf("name the stage's keyring in BOULEVARD_SECRET_ID: %w", err)
	}
	secret, err := p.secret(path)
	if err != nil {
		return host.Keyring{}, err
	}
	return host.NewKeyring(secret)
}

// secretLength is that of a new master secret, in bytes.
const secretLength = 32

// secret reads the master secret, or makes one where there is none yet.
func (*place) secret(path string) ([]byte, error) {
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

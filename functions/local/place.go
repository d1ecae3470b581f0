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

// open returns the host of the games that are kept here; closeTable lets go of them. Followers are told of what is written.
func (p *place) open(
	ctx context.Context, log *slog.Logger, followers ...fanout.Follower,
) (h *host.Host, closeTable func() error, err error) {
	if err := os.MkdirAll(p.Data, 0o700); err != nil {
		return nil, nil, err
	}
	secret, err := p.secret()
	if err != nil {
		return nil, nil, err
	}
	keys, err := host.NewKeyring(secret)
	if err != nil {
		return nil, nil, err
	}
	driver, closeTable, err := p.driver(ctx)
	if err != nil {
		return nil, nil, err
	}
	table := store.NewTable(driver)
	return host.New(host.Config{
		Store:     fanout.Inline{Table: table, Consumer: append(fanout.Followers(followers), fanout.NewConsumer(table)), Log: log},
		Catalogue: catalogue.All(), Keys: keys, Now: time.Now,
	}), closeTable, nil
}

func (p *place) driver(ctx context.Context) (store.Driver, func() error, error) {
	if p.Driver == "sqlite" {
		driver, err := sqlite.Open(ctx, filepath.Join(p.Data, "boulevard.db"))
		if err != nil {
			return nil, nil, err
		}
		return driver, driver.Close, nil
	}
	driver, err := dynamodb.Connect(dynamodb.Options{Endpoint: p.Endpoint, Table: p.Table})
	if err != nil {
		return nil, nil, err
	}
	if p.Endpoint != "" {
		// An emulator starts empty; in the cloud the infrastructure has made the table.
		err = driver.CreateTable(ctx)
	}
	return driver, func() error { return nil }, err
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

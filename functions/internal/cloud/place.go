package cloud

import (
	"context"
	"log/slog"
	"os"
	"time"

	"boulevard/engine/catalogue"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
)

// Place is where a function works.
type Place struct {
	Table *store.Table
	Host  *host.Host
	Log   *slog.Logger
	Watch *Watch
}

// Open opens what the environment names: BOULEVARD_TABLE, and the keyring in BOULEVARD_SECRET or, better, in the secret that
// BOULEVARD_SECRET_ID names. AWS_ENDPOINT_URL, or BOULEVARD_DYNAMODB_ENDPOINT for the table alone, is for emulators.
func Open(ctx context.Context, log *slog.Logger) (Place, error) {
	text, err := Secret(ctx, "BOULEVARD_SECRET_ID", "BOULEVARD_SECRET")
	if err != nil {
		return Place{}, err
	}
	keys, err := host.ParseKeyring(text)
	if err != nil {
		return Place{}, err
	}
	endpoint := os.Getenv("BOULEVARD_DYNAMODB_ENDPOINT")
	if endpoint == "" {
		endpoint = os.Getenv("AWS_ENDPOINT_URL")
	}
	watch := newWatch()
	driver, err := dynamodb.Connect(dynamodb.Options{
		Table: os.Getenv("BOULEVARD_TABLE"), Endpoint: endpoint, OnCapacity: watch.capacity,
	})
	if err != nil {
		return Place{}, err
	}
	table := store.NewTable(driver)
	h := host.New(host.Config{
		Store: table, Sessions: table, Catalogue: catalogue.All(), Keys: keys, Now: time.Now, Observe: watch.command,
	})
	return Place{Table: table, Host: h, Log: log, Watch: watch}, nil
}

// Warm makes the first call to the table, which opens the connection and is the slow one: made when the function starts,
// no player waits for it.
func (p Place) Warm(ctx context.Context) {
	if _, _, err := p.Table.OpenGames(ctx, "", 1); err != nil {
		p.Log.WarnContext(ctx, "first call", "error", err)
	}
}

// Run starts a function by what wire makes of its place, or ends the program.
func Run(start func(handler any), wire func(ctx context.Context, place Place) (handler any, err error)) {
	log := slog.New(requestLog{slog.NewJSONHandler(os.Stdout, nil)})
	ctx := context.Background()
	place, err := Open(ctx, log)
	var handler any
	if err == nil {
		handler, err = wire(ctx, place)
	}
	if err != nil {
		log.Error("cannot start", "error", err)
		os.Exit(1)
	}
	start(handler)
}

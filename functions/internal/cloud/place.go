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

	// warm is closed when the first call to the table has been answered.
	warm chan struct{}
}

// Open opens what the environment names: BOULEVARD_TABLE, and the keyring in BOULEVARD_SECRET or, better, in the secret that
// BOULEVARD_SECRET_ID names. AWS_ENDPOINT_URL, or BOULEVARD_DYNAMODB_ENDPOINT for the table alone, is for emulators.
func Open(ctx context.Context, log *slog.Logger) (Place, error) {
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
	place := Place{Table: store.NewTable(driver), Log: log, Watch: watch, warm: make(chan struct{})}
	go place.warmUp(ctx)
	text, err := Secret(ctx, "BOULEVARD_SECRET_ID", "BOULEVARD_SECRET")
	if err != nil {
		return Place{}, err
	}
	keys, err := host.ParseKeyring(text)
	if err != nil {
		return Place{}, err
	}
	place.Host = host.New(host.Config{
		Store: place.Table, Sessions: place.Table, Catalogue: catalogue.All(), Keys: keys, Now: time.Now, Observe: watch.command,
	})
	return place, nil
}

// warmUp makes the first call to the table, which opens the connection and is the slow one: made when the function starts, no
// player waits for it. Everything else is made ready beside it.
func (p Place) warmUp(ctx context.Context) {
	defer close(p.warm)
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
	<-place.warm
	start(handler)
}

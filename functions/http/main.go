// Command http is the Lambda function behind the HTTP API: every route of api/openapi.yaml.
package main

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"boulevard/engine/catalogue"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/rest"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
)

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	handler, err := wire(context.Background(), log)
	if err != nil {
		log.Error("cannot start", "error", err)
		os.Exit(1)
	}
	lambda.Start(handler)
}

func wire(ctx context.Context, log *slog.Logger) (any, error) {
	keys, err := host.ParseKeyring(os.Getenv("BOULEVARD_SECRET"))
	if err != nil {
		return nil, err
	}
	driver, err := dynamodb.Connect(dynamodb.Options{
		Table: os.Getenv("BOULEVARD_TABLE"), Endpoint: os.Getenv("BOULEVARD_DYNAMODB_ENDPOINT"),
	})
	if err != nil {
		return nil, err
	}
	table := store.NewTable(driver)
	// The first call opens the connection and is the slow one: made here, no player waits for it.
	if _, _, err := table.OpenGames(ctx, "", 1); err != nil {
		log.Warn("first call", "error", err)
	}
	h := host.New(host.Config{Store: table, Catalogue: catalogue.All(), Keys: keys, Now: time.Now})
	handler, err := rest.Handler(rest.Config{Host: h, Log: log})
	if err != nil {
		return nil, err
	}
	return rest.Gateway(handler), nil
}

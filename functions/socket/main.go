// Command socket is the Lambda function behind the WebSocket API: the live updates of api/asyncapi.yaml.
package main

import (
	"log/slog"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"boulevard/engine/catalogue"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
)

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	gateway, err := wire(log)
	if err != nil {
		log.Error("cannot start", "error", err)
		os.Exit(1)
	}
	lambda.Start(gateway.Handle)
}

func wire(log *slog.Logger) (*live.Gateway, error) {
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
	return &live.Gateway{
		Host:  host.New(host.Config{Store: table, Catalogue: catalogue.All(), Keys: keys, Now: time.Now}),
		Table: table, Log: log, Now: time.Now,
		Poster: live.NewPoster(os.Getenv("BOULEVARD_LIVE_ENDPOINT"), os.Getenv("AWS_REGION"), dynamodb.EnvironmentCredentials()),
	}, nil
}

// Command stream is the Lambda function behind the table's stream: it keeps what is derived from games, and tells those who
// watch a game that it has changed. Its event source is to report batch item failures, to bisect a batch on an error, to
// have a bound of retries and a dead-letter queue, and may leave out the records of what is no HEAD.
package main

import (
	"log/slog"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"boulevard/functions/internal/fanout"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
)

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	driver, err := dynamodb.Connect(dynamodb.Options{
		Table: os.Getenv("BOULEVARD_TABLE"), Endpoint: os.Getenv("BOULEVARD_DYNAMODB_ENDPOINT"),
	})
	if err != nil {
		log.Error("cannot start", "error", err)
		os.Exit(1)
	}
	table := store.NewTable(driver)
	consumer := fanout.NewConsumer(table, &live.Gateway{
		Table: table, Log: log, Now: time.Now,
		Poster: live.NewPoster(os.Getenv("BOULEVARD_LIVE_ENDPOINT"), os.Getenv("AWS_REGION"), dynamodb.EnvironmentCredentials()),
	})
	lambda.Start(fanout.Stream{Handler: consumer, Log: log}.Handle)
}

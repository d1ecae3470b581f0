// Command stream is the Lambda function behind the table's stream: it keeps what is derived from games, tells those who
// watch a game that it has changed, and plans what its players are told. Its event source is to report batch item failures,
// to bisect a batch on an error, to have a bound of retries and a dead-letter queue, and may leave out what is no HEAD.
package main

import (
	"context"
	"time"
	_ "time/tzdata" // players have quiet hours

	"github.com/aws/aws-lambda-go/lambda"

	"boulevard/functions/internal/cloud"
	"boulevard/functions/internal/cloud/gateway"
	"boulevard/functions/internal/fanout"
	"boulevard/functions/internal/notify"
)

func main() { cloud.Run(lambda.Start, wire) }

func wire(_ context.Context, place cloud.Place) (any, error) {
	connections := gateway.Open(place)
	planner := &notify.Planner{Table: place.Table, Host: place.Host, Presence: connections, Queue: notify.Streamed, Now: time.Now}
	consumer := fanout.NewConsumer(place.Table, connections, planner)
	return fanout.Stream{Handler: consumer, Log: place.Log, Observe: place.Watch.Followed}.Handle, nil
}

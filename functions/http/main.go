// Command http is the Lambda function behind the HTTP API: every route of api/openapi.yaml.
package main

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"boulevard/functions/internal/cloud"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/addresses"
	"boulevard/functions/internal/notify/guard"
	"boulevard/functions/internal/rest"
)

func main() { cloud.Run(lambda.Start, wire) }

func wire(_ context.Context, place cloud.Place) (any, error) {
	handler, err := rest.Handler(rest.Config{Host: place.Host, Desk: desk(place), Log: place.Log, Limits: rest.Usual})
	if err != nil {
		return nil, err
	}
	serve := rest.Gateway(handler)
	return func(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		place.Watch.Begin()
		return serve(ctx, event)
	}, nil
}

// desk offers the channels that BOULEVARD_CHANNELS lists. What is asked of it is sent by functions/notify, which the table's
// stream tells.
func desk(place cloud.Place) *notify.Desk {
	var kinds []notify.ChannelKind
	for kind := range strings.SplitSeq(os.Getenv("BOULEVARD_CHANNELS"), ",") {
		kinds = append(kinds, notify.ChannelKind(kind))
	}
	return &notify.Desk{
		Table: place.Table, Checks: addresses.Checks(kinds, guard.Options{}), PushKey: os.Getenv("BOULEVARD_PUSH_KEY"),
		Queue: notify.Streamed, Now: time.Now,
	}
}

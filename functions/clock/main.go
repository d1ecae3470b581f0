// Command clock is the Lambda function that runs every minute: it sends the notices that have fallen due.
package main

import (
	"context"
	_ "time/tzdata" // players have quiet hours

	"github.com/aws/aws-lambda-go/lambda"

	"boulevard/functions/internal/cloud"
	"boulevard/functions/internal/cloud/mailroom"
)

func main() { cloud.Run(lambda.Start, wire) }

func wire(ctx context.Context, place cloud.Place) (any, error) {
	sender, err := mailroom.Open(ctx, place)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		sent, err := sender.Sweep(ctx)
		place.Log.InfoContext(ctx, "swept", "notices", sent)
		return err
	}, nil
}

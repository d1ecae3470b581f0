// Command notify is the Lambda function that sends notices: those that the table's stream tells it of. Its event source is
// like that of functions/stream, and passes on new items of notices alone.
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
	return sender.Handle, nil
}

// Command socket is the Lambda function behind the WebSocket API: the live updates of api/asyncapi.yaml.
package main

import (
	"context"

	"github.com/aws/aws-lambda-go/lambda"

	"boulevard/functions/internal/cloud"
	"boulevard/functions/internal/cloud/gateway"
)

func main() { cloud.Run(lambda.Start, wire) }

func wire(_ context.Context, place cloud.Place) (any, error) { return gateway.Open(place).Handle, nil }

// Command bare is what functions/http is measured against: a handler that holds a client of DynamoDB, connected as functions
// connect theirs, and nothing else. It makes the same first call while it starts, and the same call for each event.
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// The patience of functions/internal/store/dynamodb.
const (
	attempts   = 4
	timeout    = 2 * time.Second
	maxBackoff = 500 * time.Millisecond
)

func main() {
	client := connect()
	if err := query(context.Background(), client); err != nil {
		log.Fatal(err)
	}
	lambda.Start(func(ctx context.Context, _ events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		return events.APIGatewayV2HTTPResponse{StatusCode: http.StatusOK}, query(ctx, client)
	})
}

func connect() *dynamodb.Client {
	endpoint := os.Getenv("BOULEVARD_DYNAMODB_ENDPOINT")
	return dynamodb.New(dynamodb.Options{
		Region:       os.Getenv("AWS_REGION"),
		Credentials:  aws.NewCredentialsCache(aws.CredentialsProviderFunc(credentials)),
		HTTPClient:   awshttp.NewBuildableClient().WithTimeout(timeout),
		BaseEndpoint: &endpoint,
		Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.MaxBackoff = attempts, maxBackoff
		}),
	})
}

func credentials(context.Context) (aws.Credentials, error) {
	return aws.Credentials{
		AccessKeyID: os.Getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY"),
		SessionToken: os.Getenv("AWS_SESSION_TOKEN"), Source: "environment",
	}, nil
}

// query asks for the list of open games.
func query(ctx context.Context, client *dynamodb.Client) error {
	_, err := client.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String(os.Getenv("BOULEVARD_TABLE")), Limit: aws.Int32(1), ConsistentRead: aws.Bool(true),
		KeyConditionExpression:    aws.String("pk = :pk"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":pk": &types.AttributeValueMemberS{Value: "OPEN"}},
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	})
	return err
}

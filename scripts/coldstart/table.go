package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// What the server on this machine is asked with: it takes any credentials.
const (
	region    = "eu-central-1"
	keyID     = "coldstart"
	tableName = "coldstart"
)

const (
	// patience is how long the new table may take to be there, and beat how soon it is looked for again.
	patience = 30 * time.Second
	beat     = 20 * time.Millisecond
)

// openTable starts a DynamoDB-compatible server with an empty table, and returns its URL and what stops it.
func openTable(ctx context.Context, script string) (endpoint string, stop func(), err error) {
	server := exec.CommandContext(ctx, "node", script, "0")
	server.Stderr = os.Stderr
	stdin, err := server.StdinPipe() // whose end is the server's
	if err != nil {
		return "", nil, err
	}
	stdout, err := server.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = stdin.Close()
		_ = server.Wait()
	}
	port, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("%s said nothing: %w", script, err)
	}
	endpoint = "http://127.0.0.1:" + strings.TrimSpace(port)
	if err := createTable(ctx, endpoint); err != nil {
		stop()
		return "", nil, err
	}
	return endpoint, stop, nil
}

func createTable(ctx context.Context, endpoint string) error {
	client := dynamodb.New(dynamodb.Options{
		Region: region, BaseEndpoint: &endpoint, Credentials: credentials.NewStaticCredentialsProvider(keyID, keyID, ""),
	})
	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: aws.String(tableName), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange},
		},
	})
	if err != nil {
		return err
	}
	return dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) { o.MinDelay = beat }).
		Wait(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(tableName)}, patience)
}

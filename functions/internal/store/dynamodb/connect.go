package dynamodb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// What Connect takes where Options say nothing. The worst call takes Attempts timeouts and the waits between: under 10 s.
const (
	DefaultAttempts   = 4
	DefaultTimeout    = 2 * time.Second
	DefaultMaxBackoff = 500 * time.Millisecond
)

// Options say which table, and how patiently to ask it.
type Options struct {
	// Table is the table's name.
	Table string
	// Region is the AWS region; empty takes AWS_REGION.
	Region string
	// Endpoint is the URL of another server than AWS's; empty takes AWS's.
	Endpoint string
	// Credentials sign the calls; nil takes those of the environment.
	Credentials aws.CredentialsProvider
	// Attempts is how often a call is sent at most, the first time included; 0 is DefaultAttempts.
	Attempts int
	// Timeout bounds one attempt; 0 is DefaultTimeout.
	Timeout time.Duration
	// MaxBackoff bounds the wait before an attempt is repeated, which is random below it; 0 is DefaultMaxBackoff.
	MaxBackoff time.Duration
	// OnCapacity is told the capacity units that each answered call consumed. It may be nil.
	OnCapacity func(op string, units float64)
}

// Connect returns the driver of a table, with a client of its own. Its credentials are those of the environment, as a
// function has them: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN. The SDK's own chain of sources would
// make every function 2 MB larger and its start twice as slow. Nothing is sent yet.
func Connect(options Options) (*Driver, error) {
	region := options.Region
	if region == "" {
		region = os.Getenv("AWS_REGION")
	}
	if region == "" || options.Table == "" {
		return nil, fmt.Errorf("dynamodb: connect: region %q, table %q: both are needed", region, options.Table)
	}
	credentials := options.Credentials
	if credentials == nil {
		credentials = EnvironmentCredentials()
	}
	settings := dynamodb.Options{
		Region:      region,
		Credentials: credentials,
		HTTPClient:  awshttp.NewBuildableClient().WithTimeout(or(options.Timeout, DefaultTimeout)),
		Retryer:     retryer(options),
	}
	if options.Endpoint != "" {
		settings.BaseEndpoint = &options.Endpoint
	}
	return New(dynamodb.New(settings), options.Table, options.OnCapacity), nil
}

// retryer is the SDK's standard one: exponential backoff with full jitter, and a budget over all calls so that a table in
// trouble is not asked ever more. Contention, which it would not repeat of itself, passes sooner than throttling does: it
// starts with the short delay.
func retryer(options Options) aws.Retryer {
	contended := retry.RetryableErrorCode{Codes: contention}
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = or(options.Attempts, DefaultAttempts)
		o.MaxBackoff = or(options.MaxBackoff, DefaultMaxBackoff)
		o.BaseDelay = min(50*time.Millisecond, o.MaxBackoff)
		o.Retryables = append(o.Retryables, contended)
	})
}

func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// EnvironmentCredentials are those that a function is given.
func EnvironmentCredentials() aws.CredentialsProvider {
	return aws.NewCredentialsCache(aws.CredentialsProviderFunc(environment))
}

func environment(context.Context) (aws.Credentials, error) {
	c := aws.Credentials{
		AccessKeyID:     os.Getenv("AWS_ACCESS_KEY_ID"),
		SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY"),
		SessionToken:    os.Getenv("AWS_SESSION_TOKEN"),
		Source:          "environment",
	}
	if !c.HasKeys() {
		return c, errors.New("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set")
	}
	return c, nil
}

// tableTimeout is how long a new table may take to be there.
const tableTimeout = time.Minute

// CreateTable makes the table on an emulator, unless it is there: on demand and with a stream of new and old images. It
// waits until the table can be used. In the cloud the infrastructure makes it.
func (d *Driver) CreateTable(ctx context.Context) error {
	_, err := d.client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:   &d.table,
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String(attrPK), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String(attrSK), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String(attrPK), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String(attrSK), KeyType: types.KeyTypeRange},
		},
		StreamSpecification: &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages,
		},
	})
	var exists *types.ResourceInUseException
	if err != nil && !errors.As(err, &exists) {
		return fmt.Errorf("dynamodb: create table %s: %w", d.table, err)
	}
	waiter := dynamodb.NewTableExistsWaiter(d.client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay = 20 * time.Millisecond
	})
	if err := waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &d.table}, tableTimeout); err != nil {
		return fmt.Errorf("dynamodb: create table %s: %w", d.table, err)
	}
	return nil
}

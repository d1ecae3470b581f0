package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// follower is a function that follows the table's stream. DynamoDB serves two of them without throttling, and there are two.
type follower struct {
	name   string
	filter map[string]any
}

// followers get only what concerns them: Lambda does not charge for what a filter leaves out.
var followers = []follower{
	// A game, whether it is new, has changed or is gone.
	{streamName, map[string]any{"dynamodb": map[string]any{"Keys": key("sk", "HEAD")}}},
	// A notice that was just planned. Its changes are the sender's own work.
	{notifyName, map[string]any{
		"eventName": []any{"INSERT"},
		"dynamodb":  map[string]any{"Keys": key("pk", map[string]any{"prefix": "NOTICE#"})},
	}},
}

func key(attribute string, pattern any) map[string]any {
	return map[string]any{attribute: map[string]any{"S": []any{pattern}}}
}

const (
	batchSize = 100
	// parallel batches of one shard; what has the same partition key, so one game, still comes in order.
	parallel = 4
	// retries of a record, which comes after the batch was halved down to it, and its greatest age: half an hour outlasts
	// what passes, and then the record is put aside so that those behind it go on.
	retries   = 10
	recordAge = 30 * 60
	// leastAge is the least that there can be.
	leastAge = 60
	// deadDays is as long as a queue can keep what was put aside.
	deadDays = 14
)

// newFollowers has the followers follow the table, and tells where each puts aside what it cannot take in.
func newFollowers(scope constructs.Construct, config Config, table awsdynamodb.TableV2, all functions) map[string]awssqs.Queue {
	scope = constructs.NewConstruct(scope, jsii.String("Stream"))
	dead := map[string]awssqs.Queue{}
	for _, f := range followers {
		within := constructs.NewConstruct(scope, jsii.String(f.name))
		dead[f.name] = newDeadLetters(within, config)
		follow(within, config, table, all[f.name], f, dead[f.name])
	}
	return dead
}

func follow(
	scope constructs.Construct, config Config, table awsdynamodb.TableV2, fn function, f follower, dead awssqs.Queue,
) {
	allow(fn.role, []string{"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"}, *table.TableStreamArn())
	allow(fn.role, []string{"dynamodb:ListStreams"}, streamARNs(table))
	allow(fn.role, []string{"sqs:SendMessage"}, *dead.QueueArn())
	suppress(fn.role, "AwsSolutions-IAM5", "Which streams a table has can be asked of all of them only.",
		`/^Resource::.*\/stream\/\*$/`)
	mapping := awslambda.NewCfnEventSourceMapping(scope, jsii.String("Mapping"), &awslambda.CfnEventSourceMappingProps{
		FunctionName: fn.FunctionArn(), EventSourceArn: table.TableStreamArn(),
		// From the beginning: nothing is missed between the table's first write and the mapping.
		StartingPosition: jsii.String("TRIM_HORIZON"),
		BatchSize:        jsii.Number(batchSize), ParallelizationFactor: jsii.Number(parallel),
		BisectBatchOnFunctionError: jsii.Bool(true), FunctionResponseTypes: jsii.Strings("ReportBatchItemFailures"),
		MaximumRetryAttempts: jsii.Number(retries), MaximumRecordAgeInSeconds: jsii.Number(patienceOf(config)),
		FilterCriteria: &awslambda.CfnEventSourceMapping_FilterCriteriaProperty{
			Filters: []any{&awslambda.CfnEventSourceMapping_FilterProperty{Pattern: awscdk.Stack_Of(scope).ToJsonString(f.filter, nil)}},
		},
		DestinationConfig: &awslambda.CfnEventSourceMapping_DestinationConfigProperty{
			OnFailure: &awslambda.CfnEventSourceMapping_OnFailureProperty{Destination: dead.QueueArn()},
		},
	})
	// Lambda looks at the role when the mapping is made, so its policy has to be there.
	mapping.Node().AddDependency(fn.role)
}

// patienceOf is the greatest age of a record. An emulator puts records aside by their age alone, and whoever tries that does
// not want to wait for long.
func patienceOf(config Config) float64 {
	if config.Emulator != "" {
		return leastAge
	}
	return recordAge
}

// newDeadLetters makes a queue for what could not be taken in. An emulator is not reached by TLS.
func newDeadLetters(scope constructs.Construct, config Config) awssqs.Queue {
	queue := awssqs.NewQueue(scope, jsii.String("DeadLetters"), &awssqs.QueueProps{
		Encryption: awssqs.QueueEncryption_SQS_MANAGED, EnforceSSL: jsii.Bool(config.Emulator == ""),
		RetentionPeriod: awscdk.Duration_Days(jsii.Number(deadDays)),
	})
	suppress(queue, "AwsSolutions-SQS3", "This is a dead-letter queue.")
	if config.Emulator != "" {
		suppress(queue, "AwsSolutions-SQS4", "An emulator is on this machine, and is not reached by TLS.")
	}
	return queue
}

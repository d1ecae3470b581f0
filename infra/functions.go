package main

import (
	"path/filepath"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// functionSpec is what is peculiar to a function. Memory also buys the processor's time: below 512 MB a cold start and a
// move are slow, far above it neither gains.
type functionSpec struct {
	name    string
	purpose string
	memory  float64
	// timeout in seconds.
	timeout float64
	// concurrency is reserved, so that no function starves another; it bounds the bill as well.
	concurrency int
}

// The names are those of the folders in functions/.
const (
	httpName   = "http"
	socketName = "socket"
	streamName = "stream"
	notifyName = "notify"
	clockName  = "clock"
)

var functionSpecs = []functionSpec{
	{httpName, "every route of the HTTP API", 512, 10, 100},
	{socketName, "the WebSocket API", 512, 10, 50},
	{streamName, "what follows from a changed game", 512, 30, 20},
	// A batch of notices waits for providers, most of the time for the slowest.
	{notifyName, "sending notices", 512, 60, 20},
	// One sweep at a time, and each done before the next is due.
	{clockName, "due deadlines and notices", 512, 55, 1},
}

// architectures by their names at AWS.
var architectures = map[string]struct {
	goArch string
	lambda func() awslambda.Architecture
}{
	"arm64":  {"arm64", awslambda.Architecture_ARM_64},
	"x86_64": {"amd64", awslambda.Architecture_X86_64},
}

// retentions by days: those that anyone would want of what CloudWatch offers.
var retentions = map[int]awslogs.RetentionDays{
	1: awslogs.RetentionDays_ONE_DAY, 3: awslogs.RetentionDays_THREE_DAYS, 5: awslogs.RetentionDays_FIVE_DAYS,
	7: awslogs.RetentionDays_ONE_WEEK, 14: awslogs.RetentionDays_TWO_WEEKS, 30: awslogs.RetentionDays_ONE_MONTH,
	60: awslogs.RetentionDays_TWO_MONTHS, 90: awslogs.RetentionDays_THREE_MONTHS, 180: awslogs.RetentionDays_SIX_MONTHS,
	365: awslogs.RetentionDays_ONE_YEAR, 731: awslogs.RetentionDays_TWO_YEARS,
}

// function is a Lambda function with a role of its own, to which nothing is granted but what is written in this folder.
type function struct {
	awslambda.Function

	role awsiam.Role
}

// functions by name.
type functions map[string]function

// newFunctions makes the functions of the programs that are in a folder each, named after them, below assets.
func newFunctions(scope constructs.Construct, config Config, assets string, env environment) functions {
	scope = constructs.NewConstruct(scope, jsii.String("Functions"))
	made := functions{}
	for _, spec := range functionSpecs {
		made[spec.name] = newFunction(scope, config, assets, spec, env[spec.name])
	}
	return made
}

func newFunction(scope constructs.Construct, config Config, assets string, spec functionSpec, env map[string]*string) function {
	scope = constructs.NewConstruct(scope, jsii.String(spec.name))
	logs := newLogGroup(scope, config, "Logs")
	role := awsiam.NewRole(scope, jsii.String("Role"), &awsiam.RoleProps{
		AssumedBy:   awsiam.NewServicePrincipal(jsii.String("lambda.amazonaws.com"), nil),
		Description: jsii.Sprintf("Boulevard %s: the function for %s", config.Stage, spec.purpose),
	})
	allow(role, []string{"logs:CreateLogStream", "logs:PutLogEvents"}, *logs.LogGroupArn())
	props := &awslambda.FunctionProps{
		Description:   jsii.Sprintf("Boulevard %s: %s", config.Stage, spec.purpose),
		Runtime:       awslambda.Runtime_PROVIDED_AL2023(),
		Architecture:  architectures[config.Architecture].lambda(),
		Handler:       jsii.String("bootstrap"),
		Code:          awslambda.Code_FromAsset(jsii.String(filepath.Join(assets, spec.name)), nil),
		MemorySize:    jsii.Number(spec.memory),
		Timeout:       awscdk.Duration_Seconds(jsii.Number(spec.timeout)),
		Environment:   &env,
		Role:          role,
		LogGroup:      logs,
		LoggingFormat: awslambda.LoggingFormat_JSON,
	}
	if config.Traces {
		props.Tracing = awslambda.Tracing_ACTIVE
	}
	if n := config.concurrency(spec); n > 0 {
		props.ReservedConcurrentExecutions = jsii.Number(n)
	}
	return function{Function: awslambda.NewFunction(scope, jsii.String("Function"), props), role: role}
}

// newLogGroup keeps logs as long as is configured, also past the stage's end but for a throwaway stage.
func newLogGroup(scope constructs.Construct, config Config, id string) awslogs.LogGroup {
	return awslogs.NewLogGroup(scope, jsii.String(id), &awslogs.LogGroupProps{
		Retention: retentions[config.LogDays], RemovalPolicy: removal(config),
	})
}

// removal is what becomes of data when the stage is destroyed.
func removal(config Config) awscdk.RemovalPolicy {
	if config.Throwaway {
		return awscdk.RemovalPolicy_DESTROY
	}
	return awscdk.RemovalPolicy_RETAIN
}

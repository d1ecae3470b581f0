package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsscheduler"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// tickAge is how long a tick is worth anything, in seconds: the next one does the same work.
const tickAge = 60

// newClock calls the function every minute, and returns where the ticks go that it did not take.
func newClock(scope constructs.Construct, config Config, f function) awssqs.Queue {
	scope = constructs.NewConstruct(scope, jsii.String("Clock"))
	dead := newDeadLetters(scope, config)
	role := awsiam.NewRole(scope, jsii.String("Role"), &awsiam.RoleProps{
		// The condition keeps schedules of other accounts from using the role.
		AssumedBy: awsiam.NewServicePrincipal(jsii.String("scheduler.amazonaws.com"), &awsiam.ServicePrincipalOpts{
			Conditions: &map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": awscdk.Stack_Of(scope).Account()}},
		}),
		Description: jsii.Sprintf("Boulevard %s: the schedule of the clock", config.Stage),
	})
	allow(role, []string{"lambda:InvokeFunction"}, *f.FunctionArn())
	allow(role, []string{"sqs:SendMessage"}, *dead.QueueArn())
	schedule := awsscheduler.NewCfnSchedule(scope, jsii.String("Schedule"), &awsscheduler.CfnScheduleProps{
		Description:        jsii.Sprintf("Boulevard %s: due deadlines and notices", config.Stage),
		ScheduleExpression: jsii.String("rate(1 minute)"),
		FlexibleTimeWindow: &awsscheduler.CfnSchedule_FlexibleTimeWindowProperty{Mode: jsii.String("OFF")},
		Target: &awsscheduler.CfnSchedule_TargetProperty{
			Arn: f.FunctionArn(), RoleArn: role.RoleArn(), Input: jsii.String("{}"),
			DeadLetterConfig: &awsscheduler.CfnSchedule_DeadLetterConfigProperty{Arn: dead.QueueArn()},
			RetryPolicy: &awsscheduler.CfnSchedule_RetryPolicyProperty{
				MaximumEventAgeInSeconds: jsii.Number(tickAge), MaximumRetryAttempts: jsii.Number(1),
			},
		},
	})
	schedule.Node().AddDependency(role)
	boundRetries(scope, f, dead)
	return dead
}

// boundRetries has Lambda not repeat a tick that failed: the next one does what it left undone.
func boundRetries(scope constructs.Construct, f function, dead awssqs.Queue) {
	allow(f.role, []string{"sqs:SendMessage"}, *dead.QueueArn())
	invoke := awslambda.NewCfnEventInvokeConfig(scope, jsii.String("Invoke"), &awslambda.CfnEventInvokeConfigProps{
		FunctionName: f.FunctionName(), Qualifier: jsii.String("$LATEST"),
		MaximumRetryAttempts: jsii.Number(0), MaximumEventAgeInSeconds: jsii.Number(tickAge),
		DestinationConfig: &awslambda.CfnEventInvokeConfig_DestinationConfigProperty{
			OnFailure: &awslambda.CfnEventInvokeConfig_OnFailureProperty{Destination: dead.QueueArn()},
		},
	})
	invoke.Node().AddDependency(f.role)
}

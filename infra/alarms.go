package main

import (
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatchactions"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssnssubscriptions"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// alarm goes off when the metric reaches the threshold in so many of the latest periods.
type alarm struct {
	id        string
	why       string
	metric    awscloudwatch.IMetric
	threshold float64
	periods   float64
	// below has it go off under the threshold, and also when there is no data.
	below bool
}

// watched is what alarms and the dashboard look at.
type watched struct {
	config    Config
	functions functions
	api       string
	tableName string
	dead      map[string]string
}

// newAlarms makes the alarms and the topic that they are told on.
func newAlarms(scope constructs.Construct, at watched) {
	scope = constructs.NewConstruct(scope, jsii.String("Alarms"))
	action := awscloudwatchactions.NewSnsAction(newAlarmTopic(scope, at.config))
	for _, a := range at.alarms() {
		newAlarm(scope, a).AddAlarmAction(action)
	}
}

func newAlarm(scope constructs.Construct, a alarm) awscloudwatch.Alarm {
	comparison := awscloudwatch.ComparisonOperator_GREATER_THAN_OR_EQUAL_TO_THRESHOLD
	missing := awscloudwatch.TreatMissingData_NOT_BREACHING
	if a.below {
		comparison = awscloudwatch.ComparisonOperator_LESS_THAN_THRESHOLD
		missing = awscloudwatch.TreatMissingData_BREACHING
	}
	return awscloudwatch.NewAlarm(scope, jsii.String(a.id), &awscloudwatch.AlarmProps{
		AlarmDescription: &a.why, Metric: a.metric, Threshold: &a.threshold, EvaluationPeriods: &a.periods,
		ComparisonOperator: comparison, TreatMissingData: missing,
	})
}

// alarms are few, and each is something that somebody has to look into.
func (w watched) alarms() []alarm {
	return slices.Concat(w.ofTheWhole(), w.ofFunctions(), w.ofQueues())
}

func (w watched) ofTheWhole() []alarm {
	return []alarm{
		{"ServerErrors", "The HTTP API fails.", w.http("5xx", sum), 5, 1, false},
		{"Latency", "One request in a hundred takes 3 seconds or more.", w.http("Latency", slowest), 3000, 3, false},
		{"ReadsThrottled", "The table turns reads away.", w.table("ReadThrottleEvents"), 10, 1, false},
		{"WritesThrottled", "The table turns writes away.", w.table("WriteThrottleEvents"), 10, 1, false},
		{"Conflicts", "Many commands lose a race: a client repeats itself, or a game is hot.", own(w.config, "Conflicts", sum), 100, 2, false},
		{"NoticesFailed", "Notices reach nobody.", w.noticesFailed(), 10, 2, false},
		{"ClockSilent", "The clock has stopped: no deadline is kept.", w.lambda(clockName, "Invocations", sum), 1, 2, true},
	}
}

func (w watched) ofFunctions() []alarm {
	list := make([]alarm, 0, len(functionSpecs)+len(followers))
	for _, spec := range functionSpecs {
		errors := w.lambda(spec.name, "Errors", sum)
		list = append(list, alarm{"Errors-" + spec.name, "The function fails: " + spec.purpose + ".", errors, 3, 1, false})
	}
	for _, f := range followers {
		age := w.iteratorAge(f.name)
		list = append(list, alarm{"IteratorAge-" + f.name, "The stream is followed more than a minute late.", age, 60_000, 2, false})
	}
	return list
}

func (w watched) ofQueues() []alarm {
	list := make([]alarm, 0, len(w.dead))
	for _, name := range sortedKeys(w.dead) {
		letters := w.deadLetters(name)
		list = append(list, alarm{"DeadLetters-" + name, "Something was put aside: look at it, and send it again.", letters, 1, 1, false})
	}
	return list
}

func (w watched) http(name, statistic string) awscloudwatch.IMetric {
	return metric(gatewayMetrics, name, statistic, dimensions{"ApiId": w.api})
}

func (w watched) lambda(function, name, statistic string) awscloudwatch.IMetric {
	return metric(lambdaMetrics, name, statistic, dimensions{"FunctionName": *w.functions[function].FunctionName()})
}

func (w watched) iteratorAge(function string) awscloudwatch.IMetric {
	return w.lambda(function, "IteratorAge", maximum)
}

func (w watched) table(name string) awscloudwatch.IMetric {
	return metric(tableMetrics, name, sum, dimensions{"TableName": w.tableName})
}

func (w watched) noticesFailed() awscloudwatch.IMetric {
	return metric(ownMetrics, "Notices", sum, dimensions{"Stage": w.config.Stage, "Outcome": "failed"})
}

func (w watched) deadLetters(name string) awscloudwatch.IMetric {
	return metric(queueMetrics, "ApproximateNumberOfMessagesVisible", maximum, dimensions{"QueueName": w.dead[name]})
}

// newAlarmTopic makes a topic that only alarms of this account publish on.
func newAlarmTopic(scope constructs.Construct, config Config) awssns.Topic {
	topic := awssns.NewTopic(scope, jsii.String("Topic"), &awssns.TopicProps{
		DisplayName: jsii.Sprintf("Boulevard %s", config.Stage), EnforceSSL: jsii.Bool(true), MasterKey: newAlarmKey(scope),
	})
	topic.AddToResourcePolicy(alarmsMay(scope, []string{"sns:Publish"}, *topic.TopicArn()))
	if config.AlarmEmail != "" {
		topic.AddSubscription(awssnssubscriptions.NewEmailSubscription(&config.AlarmEmail, nil))
	}
	return topic
}

// newAlarmKey encrypts the topic. SNS's own key would lock alarms out: nobody can let them use it.
func newAlarmKey(scope constructs.Construct) awskms.Key {
	key := awskms.NewKey(scope, jsii.String("Key"), &awskms.KeyProps{
		Description: jsii.String("Boulevard: the topic of alarms"), EnableKeyRotation: jsii.Bool(true),
		// An alarm that was not delivered is of no use later: nothing needs the key after the topic.
		RemovalPolicy: awscdk.RemovalPolicy_DESTROY,
	})
	key.AddToResourcePolicy(alarmsMay(scope, []string{"kms:Decrypt", "kms:GenerateDataKey"}, "*"), nil)
	return key
}

// alarmsMay lets alarms of this account do something, by a policy of what they do it to.
func alarmsMay(scope constructs.Construct, actions []string, resource string) awsiam.PolicyStatement {
	return awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Principals: &[]awsiam.IPrincipal{awsiam.NewServicePrincipal(jsii.String("cloudwatch.amazonaws.com"), nil)},
		Actions:    jsii.Strings(actions...), Resources: jsii.Strings(resource),
		Conditions: &map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": awscdk.Stack_Of(scope).Account()}},
	})
}

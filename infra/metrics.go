package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/jsii-runtime-go"
)

// Namespaces of metrics: those of the services, and the one that functions write in their logs.
const (
	ownMetrics     = "Boulevard"
	gatewayMetrics = "AWS/ApiGateway"
	lambdaMetrics  = "AWS/Lambda"
	tableMetrics   = "AWS/DynamoDB"
	queueMetrics   = "AWS/SQS"
)

// Statistics of metrics.
const (
	sum     = "Sum"
	maximum = "Maximum"
	median  = "p50"
	slowest = "p99"
)

// metricMinutes is the time that one data point covers.
const metricMinutes = 5

// dimensions tell one metric of a name from another.
type dimensions map[string]string

func metric(namespace, name, statistic string, of dimensions) awscloudwatch.IMetric {
	by := map[string]*string{}
	for key, value := range of {
		by[key] = jsii.String(value)
	}
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: &namespace, MetricName: &name, Statistic: &statistic, DimensionsMap: &by,
		Period: awscdk.Duration_Minutes(jsii.Number(metricMinutes)),
	})
}

// own is a metric that the functions of a stage write.
func own(config Config, name, statistic string) awscloudwatch.IMetric {
	return metric(ownMetrics, name, statistic, dimensions{"Stage": config.Stage})
}

// found is every metric that a search finds, a line each.
func found(expression string) awscloudwatch.IMetric {
	return awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression: &expression, Label: jsii.String(""), UsingMetrics: &map[string]awscloudwatch.IMetric{},
		Period: awscdk.Duration_Minutes(jsii.Number(metricMinutes)),
	})
}

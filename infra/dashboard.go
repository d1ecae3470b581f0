package main

import (
	"fmt"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// chart is a widget of the dashboard.
type chart struct {
	title string
	lines []awscloudwatch.IMetric
}

// Sizes of a chart: three in a row of the dashboard's 24 columns.
const (
	chartWidth  = 8
	chartHeight = 6
	chartsInRow = 3
)

func newDashboard(scope constructs.Construct, at watched) awscloudwatch.Dashboard {
	dashboard := awscloudwatch.NewDashboard(scope, jsii.String("Dashboard"), &awscloudwatch.DashboardProps{
		DashboardName: jsii.Sprintf("boulevard-%s", at.config.Stage),
	})
	for row := range slices.Chunk(at.charts(), chartsInRow) {
		widgets := make([]awscloudwatch.IWidget, len(row))
		for i, c := range row {
			widgets[i] = c.widget()
		}
		dashboard.AddWidgets(widgets...)
	}
	return dashboard
}

func (c chart) widget() awscloudwatch.IWidget {
	return awscloudwatch.NewGraphWidget(&awscloudwatch.GraphWidgetProps{
		Title: &c.title, Left: &c.lines, Width: jsii.Number(chartWidth), Height: jsii.Number(chartHeight),
	})
}

// charts begin with what players notice, and end with what it costs.
func (w watched) charts() []chart {
	return []chart{
		{"Requests", []awscloudwatch.IMetric{w.http("Count", sum), w.http("4xx", sum), w.http("5xx", sum)}},
		{"Latency", []awscloudwatch.IMetric{w.http("Latency", median), w.http("Latency", slowest)}},
		{"Commands by result", []awscloudwatch.IMetric{w.ownBy("Commands", "Result")}},
		{"Fan-out delay", []awscloudwatch.IMetric{own(w.config, "FanoutDelay", median), own(w.config, "FanoutDelay", slowest)}},
		{"Conflicts", []awscloudwatch.IMetric{own(w.config, "Conflicts", sum)}},
		{"Notices by outcome", []awscloudwatch.IMetric{w.ownBy("Notices", "Outcome")}},
		{"Write units", []awscloudwatch.IMetric{own(w.config, "WriteUnits", sum), w.table("ConsumedWriteCapacityUnits")}},
		{"Table throttled", []awscloudwatch.IMetric{w.table("ReadThrottleEvents"), w.table("WriteThrottleEvents")}},
		{"Iterator age", w.each(followerNames(), w.iteratorAge)},
		{"Function errors", w.each(functionNames(), func(name string) awscloudwatch.IMetric { return w.lambda(name, "Errors", sum) })},
		{"Function duration", w.each(functionNames(), func(name string) awscloudwatch.IMetric { return w.lambda(name, "Duration", slowest) })},
		{"Dead letters", w.each(sortedKeys(w.dead), w.deadLetters)},
	}
}

func (w watched) each(names []string, of func(string) awscloudwatch.IMetric) []awscloudwatch.IMetric {
	lines := make([]awscloudwatch.IMetric, len(names))
	for i, name := range names {
		lines[i] = of(name)
	}
	return lines
}

// ownBy finds a metric of the functions by one more dimension, whatever values that has.
func (w watched) ownBy(name, dimension string) awscloudwatch.IMetric {
	return found(fmt.Sprintf(`SEARCH('{%s,Stage,%s} MetricName="%s" Stage="%s"', '%s')`,
		ownMetrics, dimension, name, w.config.Stage, sum))
}

func functionNames() []string {
	names := make([]string, len(functionSpecs))
	for i, spec := range functionSpecs {
		names[i] = spec.name
	}
	return names
}

func followerNames() []string {
	names := make([]string, len(followers))
	for i, f := range followers {
		names[i] = f.name
	}
	return names
}

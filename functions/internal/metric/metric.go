// Package metric writes metrics in CloudWatch's embedded format: lines of a log, each of which is a log entry with its
// particulars and one or more measurements at the same time. Nothing is called, and no request waits.
package metric

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambdacontext"
)

// namespace is where the metrics are found.
const namespace = "Boulevard"

// Unit is what a measurement counts, as CloudWatch names it.
type Unit string

// The units in use.
const (
	Count        Unit = "Count"
	Milliseconds Unit = "Milliseconds"
)

// Measurement is one value of a metric.
type Measurement struct {
	Name  string
	Unit  Unit
	Value float64
}

// Entry is one line.
type Entry struct {
	// Dimensions tell values of a metric apart, beside the stage. Each combination is a metric of its own, and paid for: what
	// has many values is a property.
	Dimensions map[string]string
	// Properties are particulars to search the log by.
	Properties map[string]any
	// Measurements are what was measured.
	Measurements []Measurement
}

// Emitter writes entries.
type Emitter struct {
	// Stage is the dimension that all entries have.
	Stage string
	Out   io.Writer
	// Now is time.Now outside tests.
	Now func() time.Time

	mutex sync.Mutex
}

// The names below are CloudWatch's.
type (
	directive struct {
		Timestamp         int64  `json:"Timestamp"`         //nolint:tagliatelle // its name
		CloudWatchMetrics []rule `json:"CloudWatchMetrics"` //nolint:tagliatelle // its name
	}
	rule struct {
		Namespace  string       `json:"Namespace"`  //nolint:tagliatelle // its name
		Dimensions [][]string   `json:"Dimensions"` //nolint:tagliatelle // its name
		Metrics    []definition `json:"Metrics"`    //nolint:tagliatelle // its name
	}
	definition struct {
		Name string `json:"Name"` //nolint:tagliatelle // its name
		Unit Unit   `json:"Unit"` //nolint:tagliatelle // its name
	}
)

const stageDimension = "Stage"

// Emit writes an entry: its measurements for the stage as a whole, and for each of its dimensions.
func (e *Emitter) Emit(ctx context.Context, entry Entry) {
	line := map[string]any{"level": "INFO", stageDimension: e.Stage}
	maps.Copy(line, entry.Properties)
	if request, ok := lambdacontext.FromContext(ctx); ok {
		line["request"] = request.AwsRequestID
	}
	r := rule{Namespace: namespace, Dimensions: [][]string{{stageDimension}}}
	for name, value := range entry.Dimensions {
		line[name] = value
		r.Dimensions = append(r.Dimensions, []string{stageDimension, name})
	}
	for _, m := range entry.Measurements {
		line[m.Name] = m.Value
		r.Metrics = append(r.Metrics, definition{Name: m.Name, Unit: m.Unit})
	}
	line["_aws"] = directive{Timestamp: e.Now().UnixMilli(), CloudWatchMetrics: []rule{r}}
	encoded, err := json.Marshal(line)
	if err != nil {
		return // a property that is no JSON: the metric is lost, and nothing else
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	_, _ = e.Out.Write(append(encoded, '\n'))
}

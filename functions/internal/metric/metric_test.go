package metric_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/metric"
)

func TestEmit_WritesTheEmbeddedFormat(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	e := &metric.Emitter{Stage: "prod", Out: &out, Now: func() time.Time { return time.UnixMilli(1_790_000_000_000) }}
	ctx := lambdacontext.NewContext(t.Context(), &lambdacontext.LambdaContext{AwsRequestID: "r-1"})
	e.Emit(ctx, metric.Entry{
		Dimensions:   map[string]string{"Result": "conflict"},
		Properties:   map[string]any{"game": "g", "version": 7},
		Measurements: []metric.Measurement{{Name: "Commands", Unit: metric.Count, Value: 1}},
	})
	require.JSONEq(t, `{
		"_aws": {"Timestamp": 1790000000000, "CloudWatchMetrics": [{
			"Namespace": "Boulevard", "Dimensions": [["Stage"], ["Stage", "Result"]], "Metrics": [{"Name": "Commands", "Unit": "Count"}]
		}]},
		"level": "INFO", "Stage": "prod", "Result": "conflict", "game": "g", "version": 7, "request": "r-1", "Commands": 1
	}`, out.String())
	require.Equal(t, 1, bytes.Count(out.Bytes(), []byte("\n")), "an entry is a line")
}

func TestEmit_OfWhatIsNoJSON_WritesNothing(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	e := &metric.Emitter{Out: &out, Now: time.Now}
	e.Emit(t.Context(), metric.Entry{Properties: map[string]any{"f": func() {}}})
	require.Empty(t, out.String())
}

package cloud

import (
	"context"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/metric"
	"boulevard/functions/internal/store"
)

// Watch measures what a function does.
type Watch struct {
	emitter *metric.Emitter
	// read and written are the table's capacity units since the invocation began, in halves: a function does one thing at a
	// time.
	read, written atomic.Int64
}

func newWatch() *Watch {
	return &Watch{emitter: &metric.Emitter{Stage: os.Getenv("BOULEVARD_STAGE"), Out: os.Stdout, Now: time.Now}}
}

// halves: capacity units come in halves.
const halves = 2

// capacity counts what calls to the table consume.
func (w *Watch) capacity(op string, units float64) {
	counter := &w.read
	if op == "PutItem" || op == "DeleteItem" {
		counter = &w.written
	}
	counter.Add(int64(units * halves))
}

// Begin begins an invocation: what was consumed before is in no command's account.
func (w *Watch) Begin() {
	w.read.Store(0)
	w.written.Store(0)
}

// command measures commands by their result, and what the table took for each.
func (w *Watch) command(ctx context.Context, r host.Report) {
	dimensions := map[string]string{"Result": r.Result}
	measured := []metric.Measurement{
		{Name: "Commands", Unit: metric.Count, Value: 1},
		{Name: "WriteUnits", Unit: metric.Count, Value: float64(w.written.Swap(0)) / halves},
		{Name: "ReadUnits", Unit: metric.Count, Value: float64(w.read.Swap(0)) / halves},
	}
	switch r.Result {
	case host.Conflicted:
		measured = append(measured, metric.Measurement{Name: "Conflicts", Unit: metric.Count, Value: 1})
	case host.Declined:
		dimensions["Code"] = r.Code
		measured = append(measured, metric.Measurement{Name: "Refusals", Unit: metric.Count, Value: 1})
	}
	w.emitter.Emit(ctx, metric.Entry{
		Dimensions: dimensions, Measurements: measured,
		Properties: map[string]any{"game": r.Game, "version": r.Version, "deed": r.Deed, "code": r.Code},
	})
}

// Followed measures how long after its write a change was taken in.
func (w *Watch) Followed(ctx context.Context, delay time.Duration) {
	w.emitter.Emit(ctx, metric.Entry{Measurements: []metric.Measurement{
		{Name: "FanoutDelay", Unit: metric.Milliseconds, Value: float64(delay.Milliseconds())},
	}})
}

// Notice measures notices by what became of them.
func (w *Watch) Notice(ctx context.Context, n store.Notice) {
	w.emitter.Emit(ctx, metric.Entry{
		Dimensions:   map[string]string{"Outcome": n.State.String()},
		Properties:   map[string]any{"game": n.Game, "version": n.Version, "channel": n.ChannelKind, "reason": n.Reason},
		Measurements: []metric.Measurement{{Name: "Notices", Unit: metric.Count, Value: 1}},
	})
}

// requestLog adds to each line which request it is about.
type requestLog struct{ slog.Handler }

// Handle writes a line.
func (l requestLog) Handle(ctx context.Context, line slog.Record) error {
	if request, ok := lambdacontext.FromContext(ctx); ok {
		line.AddAttrs(slog.String("request", request.AwsRequestID))
	}
	return l.Handler.Handle(ctx, line)
}

// WithAttrs keeps the request beside what is added.
func (l requestLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestLog{l.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the request beside a group.
func (l requestLog) WithGroup(name string) slog.Handler { return requestLog{l.Handler.WithGroup(name)} }

package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/aws/aws-lambda-go/events"

	"boulevard/scripts/coldstart/emulator"
)

// start is what one start took, in milliseconds.
type start struct {
	init float64
	// requests are those of the first request and of those that followed.
	requests []float64
}

// measure starts each of them in turn, so that whatever else the machine does slows both down alike.
func (c *cli) measure(ctx context.Context, both []*measured) error {
	table, stop, err := openTable(ctx, c.Node)
	if err != nil {
		return err
	}
	defer stop()
	env := map[string]string{
		"AWS_REGION": region, "AWS_ACCESS_KEY_ID": keyID, "AWS_SECRET_ACCESS_KEY": keyID,
		"BOULEVARD_DYNAMODB_ENDPOINT": table, "BOULEVARD_TABLE": tableName, "BOULEVARD_STAGE": "coldstart",
		"BOULEVARD_CHANNELS": "webhook,email", "BOULEVARD_SECRET": base64.StdEncoding.EncodeToString(make([]byte, 32)),
	}
	token, err := signIn(ctx, both[0], env)
	if err != nil {
		return err
	}
	order := slices.Clone(both)
	for range c.Rounds {
		slices.Reverse(order) // so that neither always follows the other
		for _, m := range order {
			if err := m.start(ctx, env, token, c.Warm); err != nil {
				return err
			}
		}
	}
	return nil
}

// signIn is the token of a guest.
func signIn(ctx context.Context, m *measured, env map[string]string) (string, error) {
	function, err := emulator.Start(ctx, m.bootstrap, env)
	if err != nil {
		return "", err
	}
	answer, err := call(ctx, function, http.MethodPost, "/v1/players", "", `{"name":"Ann"}`)
	if log := function.Log(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, log)
	}
	var guest struct{ Token string }
	if err := json.Unmarshal([]byte(answer), &guest); err != nil { //nolint:musttag // the field has its name
		return "", err
	}
	return guest.Token, nil
}

// start starts one, and has it list the open games, first and warm.
func (m *measured) start(ctx context.Context, env map[string]string, token string, warm int) error {
	function, err := emulator.Start(ctx, m.bootstrap, env)
	if err != nil {
		return err
	}
	for range 1 + warm {
		if _, err = call(ctx, function, http.MethodGet, "/v1/games", token, ""); err != nil {
			break
		}
	}
	log := function.Log()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", m.folder, err, log)
	}
	inits, requests := durations(log, initReport), durations(log, requestReport)
	if len(inits) != 1 || len(requests) != 1+warm {
		return fmt.Errorf("%s: the emulator has logged %d inits and %d requests:\n%s", m.folder, len(inits), len(requests), log)
	}
	m.starts = append(m.starts, start{init: inits[0], requests: requests})
	return nil
}

// call sends the event of a request, which has to succeed.
func call(ctx context.Context, function *emulator.Function, method, path, token, body string) (string, error) {
	event := events.APIGatewayV2HTTPRequest{Version: "2.0", RawPath: path, Body: body, Headers: map[string]string{
		"content-type": "application/json", "authorization": "Bearer " + token,
	}}
	event.RequestContext.HTTP.Method = method
	encoded, err := json.Marshal(event)
	if err != nil {
		return "", err
	}
	said, err := function.Invoke(ctx, encoded)
	if err != nil {
		return "", err
	}
	var answer events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(said, &answer); err != nil {
		return "", err
	}
	if answer.StatusCode < http.StatusOK || answer.StatusCode >= http.StatusMultipleChoices {
		return "", fmt.Errorf("%s %s was answered: %s", method, path, said)
	}
	return answer.Body, nil
}

// What the emulator logs.
var (
	initReport    = regexp.MustCompile(`INIT REPORT\(durationMs: ([0-9.]+)\)`)
	requestReport = regexp.MustCompile(`INVOKE RTDONE\(status: success, .*duration: ([0-9.]+)ms\)`)
)

func durations(log string, report *regexp.Regexp) []float64 {
	matches := report.FindAllStringSubmatch(log, -1)
	list := make([]float64, 0, len(matches))
	for _, match := range matches {
		if ms, err := strconv.ParseFloat(match[1], 64); err == nil {
			list = append(list, ms)
		}
	}
	return list
}

func initTime(s start) []float64  { return []float64{s.init} }
func firstTime(s start) []float64 { return s.requests[:1] }
func warmTime(s start) []float64  { return s.requests[1:] }

// times are some of the times of all starts.
func (m *measured) times(of func(start) []float64) []float64 {
	list := make([]float64, 0, len(m.starts))
	for _, s := range m.starts {
		list = append(list, of(s)...)
	}
	return list
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// quartile is the lower one: a quarter of the list is less.
func quartile(list []float64) float64 { return slices.Sorted(slices.Values(list))[len(list)/4] }

func printTimes(both []*measured) {
	rows := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer func() { _ = rows.Flush() }()
	row := func(name string, cell func(*measured) string) {
		_, _ = fmt.Fprint(rows, name, "\t")
		for _, m := range both {
			_, _ = fmt.Fprint(rows, cell(m), "\t")
		}
		_, _ = fmt.Fprintln(rows)
	}
	times := func(name string, of func(start) []float64, statistic func([]float64) float64) {
		row(name, func(m *measured) string { return fmt.Sprintf("%.2f", statistic(m.times(of))) })
	}
	row("", func(m *measured) string { return m.folder })
	row("bytes", func(m *measured) string { return grouped(m.bytes) })
	times("init, median", initTime, median)
	times("init, lower quartile", initTime, quartile)
	times("init, least", initTime, slices.Min[[]float64])
	times("first request, median", firstTime, median)
	times("warm request, median", warmTime, median)
}

// grouped is a number with a comma between thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

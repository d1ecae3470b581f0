// Package awscall makes channels of AWS's clients: it says what has become of a message by what a call came back with.
package awscall

import (
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"boulevard/functions/internal/notify"
)

// maxAnswer is far more than any of the calls is answered with.
const maxAnswer = 64 << 10

// idleTimeout is short because a function that sleeps between two calls does not notice that the other side has hung up: of
// a message written to such a connection, nobody knows what has become.
const idleTimeout = 5 * time.Second

type bounded struct{ http.Client }

// NewClient makes an HTTP client with the SDK's own transport. It reads no more of an answer than an answer has, and follows
// it nowhere: AWS's clients would send a message a second time. How long it waits is its context's matter.
func NewClient() aws.HTTPClient {
	transport := awshttp.NewBuildableClient().GetTransport()
	transport.IdleConnTimeout = idleTimeout
	return &bounded{http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Do sends the request. The SDK reads answers whole, however long they are.
func (b *bounded) Do(request *http.Request) (*http.Response, error) {
	response, err := b.Client.Do(request) //nolint:gosec // the URL is that of the configuration
	if err != nil {
		return response, err
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(response.Body, maxAnswer), response.Body}
	return response, nil
}

// Outcome is what became of a message whose call failed. It is never Gone: that a URL of AWS's is not found says nothing
// of the player's address, and which errors do is known to the channel.
func Outcome(err error, trace *notify.Trace, to notify.Address, now time.Time) notify.Outcome {
	answer, answered := errors.AsType[*smithyhttp.ResponseError](err)
	if !answered || answer.HTTPStatusCode() == 0 {
		return trace.Failure(err)
	}
	if answer.HTTPStatusCode() < http.StatusMultipleChoices {
		return BadAnswer()
	}
	code, message := Said(err)
	words := strings.Trim(code+": "+message, ": ")
	o := notify.OfStatus(answer.HTTPStatusCode(), answer.Response.Header, censored(words, to), to, now)
	switch {
	case passes(code):
		o.Verdict = notify.TryLater
	case o.Verdict == notify.Gone:
		o.Verdict = notify.Refused
	}
	return o
}

// BadAnswer is the outcome of an answer that says yes, but not to what.
func BadAnswer() notify.Outcome {
	return notify.Outcome{Verdict: notify.Unknown, Reason: "bad_answer"}
}

// Said is the code of an error, without the suffix that some APIs give it and others do not, and the words that came with
// it. Both are empty if the API said nothing.
func Said(err error) (code, message string) {
	said, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		return "", ""
	}
	return strings.TrimSuffix(said.ErrorCode(), suffix), said.ErrorMessage()
}

const suffix = "Exception"

// passing are the codes of troubles that pass, besides those of throttling, which the SDK knows.
var passing = map[string]bool{
	"InternalError": true, "InternalFailure": true, "ServiceUnavailable": true, "SendingPaused": true, "Throttled": true,
}

func passes(code string) bool {
	_, throttled := retry.DefaultThrottleErrorCodes[code]
	_, throttledToo := retry.DefaultThrottleErrorCodes[code+suffix]
	return throttled || throttledToo || passing[code] || strings.HasPrefix(code, "KMS")
}

// addresses are of people and of devices: AWS repeats them in other words than the player's own.
var addresses = regexp.MustCompile(`\S+@\S+|arn:\S+:endpoint/\S+`)

func censored(words string, to notify.Address) string {
	if to.Target != "" {
		words = regexp.MustCompile("(?i)"+regexp.QuoteMeta(to.Target)).ReplaceAllString(words, "…")
	}
	return addresses.ReplaceAllString(words, "…")
}

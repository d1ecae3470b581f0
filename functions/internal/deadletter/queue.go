// Package deadletter reads the queue in which batches of the table's stream end up that a function could not take in.
package deadletter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"boulevard/functions/internal/signed"
)

// Queue is a dead-letter queue.
type Queue struct {
	// URL names the queue, and Endpoint is the service's.
	URL, Endpoint string
	// Client signs for the service sqs.
	Client signed.Client
}

// Letter is a message of the queue: which records of the stream it is about, and by what it is removed.
type Letter struct {
	Batch   Batch
	receipt string
}

// ErrForeign says that a message is none that the event source of a function writes. It stays in the queue.
var ErrForeign = errors.New("deadletter: not a message about a stream")

const (
	// atOnce is the most that the service gives at once.
	atOnce = 10
	// hidden is for how long others do not see what was taken, in seconds.
	hidden = 60
	// maxAnswer bounds what is read: ten messages of 256 KB.
	maxAnswer = 4 << 20
)

// Receive takes a few letters out of the queue, for a minute. Messages that are none come as an error beside the others.
func (q *Queue) Receive(ctx context.Context) ([]Letter, error) {
	var answer struct {
		Messages []message `json:"Messages"` //nolint:tagliatelle // the names are theirs
	}
	err := q.call(ctx, "ReceiveMessage", map[string]any{
		"QueueUrl": q.URL, "MaxNumberOfMessages": atOnce, "VisibilityTimeout": hidden,
	}, &answer)
	if err != nil {
		return nil, err
	}
	letters := make([]Letter, 0, len(answer.Messages))
	var foreign error
	for _, m := range answer.Messages {
		letter, err := m.letter()
		if err != nil {
			foreign = errors.Join(foreign, err)
			continue
		}
		letters = append(letters, letter)
	}
	return letters, foreign
}

// message is one of the queue's.
type message struct {
	ID      string `json:"MessageId"`     //nolint:tagliatelle // the names are theirs
	Receipt string `json:"ReceiptHandle"` //nolint:tagliatelle // the names are theirs
	Body    string `json:"Body"`          //nolint:tagliatelle // the names are theirs
}

func (m message) letter() (Letter, error) {
	var about struct {
		Batch *Batch `json:"DDBStreamBatchInfo"` //nolint:tagliatelle // the name is theirs
	}
	if err := json.Unmarshal([]byte(m.Body), &about); err != nil || about.Batch == nil {
		return Letter{}, fmt.Errorf("%w: %s", ErrForeign, m.ID)
	}
	return Letter{Batch: *about.Batch, receipt: m.Receipt}, nil
}

// Remove takes a letter out of the queue for good.
func (q *Queue) Remove(ctx context.Context, letter Letter) error {
	return q.call(ctx, "DeleteMessage", map[string]any{"QueueUrl": q.URL, "ReceiptHandle": letter.receipt}, nil)
}

func (q *Queue) call(ctx context.Context, operation string, ask map[string]any, answer any) error {
	body, err := json.Marshal(ask)
	if err != nil {
		return err
	}
	header := http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amz-Target": {"AmazonSQS." + operation}}
	response, err := q.Client.Do(ctx, http.MethodPost, q.Endpoint+"/", header, body)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("deadletter: %s: %s", operation, response.Status)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(answer)
}

package deadletter_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/deadletter"
	"boulevard/functions/internal/signed"
)

// letter is what the event source of a function writes about a batch that it gave up.
const letter = `{"requestContext":{"condition":"RetryAttemptsExhausted"},"version":"1.0","DDBStreamBatchInfo":{
	"shardId":"shardId-1","startSequenceNumber":"100","endSequenceNumber":"101","batchSize":2,
	"streamArn":"arn:aws:dynamodb:eu-central-1:1:table/t/stream/s"}}`

// service answers as SQS does.
type service struct {
	messages []map[string]string
	status   int
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var ask map[string]any
	_ = json.NewDecoder(r.Body).Decode(&ask)
	if s.status != 0 || ask["QueueUrl"] != "https://queue" || !strings.Contains(r.Header.Get("Authorization"), "/sqs/aws4_request") {
		w.WriteHeader(max(s.status, http.StatusBadRequest))
		return
	}
	switch r.Header.Get("X-Amz-Target") {
	case "AmazonSQS.ReceiveMessage":
		body, err := json.Marshal(map[string][]map[string]string{"Messages": s.messages})
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
		}
		_, _ = w.Write(body)
	case "AmazonSQS.DeleteMessage":
		for i, m := range s.messages {
			if m["ReceiptHandle"] == ask["ReceiptHandle"] {
				s.messages = append(s.messages[:i], s.messages[i+1:]...)
				break
			}
		}
	}
}

func open(t *testing.T, s *service) *deadletter.Queue {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return &deadletter.Queue{URL: "https://queue", Endpoint: server.URL, Client: signed.Client{
		Service: "sqs", Region: "eu-central-1", HTTP: server.Client(), Now: time.Now,
		Credentials: credentials.NewStaticCredentialsProvider("id", "key", ""),
	}}
}

func TestQueue_GivesLettersUntilTheyAreRemoved_AndLeavesWhatIsNone(t *testing.T) {
	t.Parallel()
	s := &service{messages: []map[string]string{
		{"MessageId": "1", "ReceiptHandle": "a", "Body": letter},
		{"MessageId": "2", "ReceiptHandle": "b", "Body": "hello"},
		{"MessageId": "3", "ReceiptHandle": "c", "Body": `{"DDBStreamBatchInfo":null}`},
	}}
	queue := open(t, s)
	letters, err := queue.Receive(t.Context())
	require.ErrorIs(t, err, deadletter.ErrForeign)
	require.Len(t, letters, 1)
	require.Equal(t, deadletter.Batch{
		Stream: "arn:aws:dynamodb:eu-central-1:1:table/t/stream/s", Shard: "shardId-1", First: "100", Size: 2,
	}, letters[0].Batch)
	require.NoError(t, queue.Remove(t.Context(), letters[0]))
	letters, err = queue.Receive(t.Context())
	require.ErrorIs(t, err, deadletter.ErrForeign)
	require.Empty(t, letters)
	require.Len(t, s.messages, 2)
}

func TestQueue_ThatCannotBeAsked_SaysSo(t *testing.T) {
	t.Parallel()
	queue := open(t, &service{status: http.StatusForbidden})
	_, err := queue.Receive(t.Context())
	require.ErrorContains(t, err, "403")
	require.ErrorContains(t, queue.Remove(t.Context(), deadletter.Letter{}), "403")
}

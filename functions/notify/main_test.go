package main

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/cloud/cloudtest"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/awstest"
	"boulevard/functions/internal/store"
)

func TestBootstrap_SendsWhatTheStreamTellsOf_AndReachesNothingInside(t *testing.T) {
	t.Parallel()
	place, amazon := cloudtest.NewPlace(t), awstest.NewServer()
	t.Cleanup(amazon.Close)
	var visits atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	t.Cleanup(inside.Close)
	lambda := cloudtest.Start(t, "notify", place.Env(map[string]string{
		"AWS_ENDPOINT_URL": amazon.URL, "BOULEVARD_MAIL_FROM": "Boulevard <games@example.org>",
		"BOULEVARD_SITE": "https://games.example",
	}))
	ann, bob := place.Guest(t, "Ann").Player, place.Guest(t, "Bob").Player
	place.AddChannel(t, ann, notify.Webhook, notify.Address{Target: inside.URL + "/hook", Variant: notify.JSON})
	place.AddChannel(t, bob, notify.Email, notify.Address{Target: "bob@example.org"})
	created := place.NewGame(t, ann)
	place.Plan(t, notify.Streamed, created, place.Join(t, created.ID, bob))
	notices := place.Images(t, store.IsNotice)
	require.Len(t, notices, 2, "the game has begun, and a mailbox is to be confirmed")

	poison := cloudtest.Image{
		"pk": notices[0]["pk"], "sk": events.NewStringAttribute("nonsense"), "rev": notices[0]["rev"], "body": notices[0]["body"],
	}
	batch := cloudtest.Batch(cloudtest.Change{New: notices[0]}, cloudtest.Change{New: poison}, cloudtest.Change{New: notices[1]})
	for range 2 { // a stream may deliver twice
		var answer events.DynamoDBEventResponse
		lambda.Invoke(batch, &answer)
		require.Equal(t, []events.DynamoDBBatchItemFailure{{ItemIdentifier: "2"}}, answer.BatchItemFailures)
	}
	require.Equal(t, []string{"webhook failed forbidden_address"}, place.Ledger(t, ann))
	require.Zero(t, visits.Load())
	require.Equal(t, []string{"email accepted "}, place.Ledger(t, bob))
	mails := amazon.Emails()
	require.Len(t, mails, 1)
	require.Equal(t, "bob@example.org", mails[0].To)
	log := lambda.Log()
	require.Contains(t, log, `"Notices":1`)
	require.NotContains(t, log, "bob@example.org")
	require.NotContains(t, log, inside.URL)
}

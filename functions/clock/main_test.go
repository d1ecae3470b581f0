package main

import (
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/cloud/cloudtest"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/awstest"
	"boulevard/functions/internal/store"
)

func TestBootstrap_SendsWhatHasFallenDue(t *testing.T) {
	t.Parallel()
	place, amazon := cloudtest.NewPlace(t), awstest.NewServer()
	t.Cleanup(amazon.Close)
	lambda := cloudtest.Start(t, "clock", place.Env(map[string]string{
		"AWS_ENDPOINT_URL": amazon.URL, "BOULEVARD_MAIL_FROM": "Boulevard <games@example.org>",
		"BOULEVARD_SITE": "https://games.example",
	}))
	tick := events.CloudWatchEvent{
		Version: "0", ID: "89d1a02d-5ec7-412e-82f5-13505f849b41", Source: "aws.events", DetailType: "Scheduled Event",
	}
	lambda.Invoke(tick, nil) // nothing is due yet
	require.Empty(t, amazon.Calls())

	ann, bob := place.Guest(t, "Ann").Player, place.Guest(t, "Bob").Player
	place.AddMailbox(t, ann, "ann@example.org")
	created := place.NewGame(t, ann)
	place.Plan(t, notify.Listed, created, place.Join(t, created.ID, bob))
	lambda.Invoke(tick, nil)
	mails := amazon.Emails()
	require.Len(t, mails, 1)
	require.Equal(t, "ann@example.org", mails[0].To)
	require.Equal(t, []string{"email accepted ", "email queued "}, place.Ledger(t, ann), "the code to confirm by is the stream's")
	due, err := place.Table.DueNotices(t.Context(), time.Now().UnixMilli(), store.MaxLimit)
	require.NoError(t, err)
	require.Empty(t, due)
	require.Contains(t, lambda.Log(), `"msg":"swept","notices":1`)
}

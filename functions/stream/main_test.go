package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/cloud/cloudtest"
	"boulevard/functions/internal/store"
)

func TestBootstrap_FollowsChanges_UpToThePoisonedOne(t *testing.T) {
	t.Parallel()
	place, api := cloudtest.NewPlace(t), cloudtest.NewConnections(t)
	lambda := cloudtest.Start(t, "stream", place.Env(map[string]string{"BOULEVARD_LIVE_ENDPOINT": api.Endpoint}))
	ann, bob := place.Guest(t, "Ann"), place.Guest(t, "Bob")
	require.NoError(t, place.Table.OpenSocket(t.Context(), "of-ann", ann.Player.ID, time.Now().Add(time.Hour).Unix()))
	head := func() cloudtest.Image {
		images := place.Images(t, store.IsHead)
		require.Len(t, images, 1)
		return images[0]
	}
	open := func() []string {
		games, _, err := place.Table.OpenGames(t.Context(), "", store.MaxLimit)
		require.NoError(t, err)
		var ids []string
		for _, game := range games {
			ids = append(ids, game.ID)
		}
		return ids
	}
	game := place.NewGame(t, ann.Player)
	require.NoError(t, place.Table.Watch(t.Context(), "of-ann", []string{game.ID}, 1))
	created := head()
	place.Join(t, game.ID, bob.Player)
	joined := head()
	poison := cloudtest.Image{
		"pk": events.NewStringAttribute("GAME#x"), "sk": joined["sk"], "rev": joined["rev"],
		"body": events.NewBinaryAttribute([]byte{0xff}),
	}
	require.Empty(t, open(), "nothing has followed from it yet")

	var answer events.DynamoDBEventResponse
	batch := cloudtest.Batch(
		cloudtest.Change{New: created}, cloudtest.Change{New: poison}, cloudtest.Change{Old: created, New: joined})
	lambda.Invoke(batch, &answer)
	require.Equal(t, []events.DynamoDBBatchItemFailure{{ItemIdentifier: "2"}}, answer.BatchItemFailures)
	require.Equal(t, []string{game.ID}, open())
	require.Equal(t, []string{versionMessage(game.ID, 1)}, api.Said("of-ann"))

	batch.Records = batch.Records[2:] // as the event source goes on, once the poisoned one is put aside
	answer = events.DynamoDBEventResponse{}
	lambda.Invoke(batch, &answer)
	require.Empty(t, answer.BatchItemFailures)
	require.Empty(t, open())
	require.Equal(t, []string{versionMessage(game.ID, 2)}, api.Said("of-ann"))
	require.Equal(t, []string{"live queued "}, place.Ledger(t, ann.Player))
	log := lambda.Log()
	require.Equal(t, 2, strings.Count(log, `"FanoutDelay":`), log)
	require.Contains(t, log, "change not followed")
}

func versionMessage(game string, version int) string {
	return fmt.Sprintf(`POST {"type":"version","game":%q,"version":%d}`, game, version)
}

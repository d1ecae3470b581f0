package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"boulevard/functions/internal/deadletter"
	"boulevard/functions/internal/fanout"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/signed"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
)

type requeue struct {
	Queue string `help:"URL of the dead-letter queue, in the cloud; one machine keeps such changes in its table."`
}

// Run hands changes to the consumer again that nobody could take in, and forgets those that it can take in now.
func (r *requeue) Run(ctx context.Context, place *place) error {
	return place.at(ctx, func(site *site) error {
		again := retrying{site: site, consumer: fanout.NewConsumer(site.table, planner(site.table, site.reader, live.NewHub()))}
		if r.Queue == "" {
			return again.buried(ctx)
		}
		endpoint := os.Getenv("AWS_ENDPOINT_URL")
		return again.letters(ctx, deadletter.ConnectStreams(endpoint), r.open(endpoint))
	})
}

func (r *requeue) open(endpoint string) *deadletter.Queue {
	region := os.Getenv("AWS_REGION")
	if endpoint == "" {
		endpoint = "https://sqs." + region + ".amazonaws.com"
	}
	return &deadletter.Queue{URL: r.Queue, Endpoint: endpoint, Client: signed.Client{
		Service: "sqs", Region: region, Credentials: dynamodb.EnvironmentCredentials(),
		HTTP: &http.Client{Timeout: patience}, Now: time.Now,
	}}
}

// retrying tries changes again.
type retrying struct {
	site     *site
	consumer *fanout.Consumer
}

// buried tries those that the table keeps.
func (r retrying) buried(ctx context.Context) error {
	for after := ""; ; {
		list, next, err := r.site.table.Buried(ctx, after)
		if err != nil {
			return err
		}
		for _, b := range list {
			taken, err := r.take(ctx, b.Change)
			if err == nil && taken {
				err = r.site.table.Unbury(ctx, b)
			}
			if err != nil {
				return err
			}
		}
		if after = next; after == "" {
			return nil
		}
	}
}

// letters tries those that a queue names, until it gives no more. What stays poisoned stays in the queue.
func (r retrying) letters(ctx context.Context, streams *deadletter.Streams, queue *deadletter.Queue) error {
	for {
		letters, foreign := queue.Receive(ctx)
		if foreign != nil && !errors.Is(foreign, deadletter.ErrForeign) {
			return foreign
		}
		if foreign != nil {
			fmt.Println(foreign)
		}
		if len(letters) == 0 {
			return nil
		}
		for _, letter := range letters {
			if err := r.letter(ctx, streams, queue, letter); err != nil {
				return err
			}
		}
	}
}

func (r retrying) letter(ctx context.Context, streams *deadletter.Streams, queue *deadletter.Queue, letter deadletter.Letter) error {
	changes, err := streams.Changes(ctx, letter.Batch)
	if errors.Is(err, deadletter.ErrForgotten) {
		fmt.Printf("%s from %s on: forgotten; rebuild --repair mends what follows from games\n", letter.Batch.Shard, letter.Batch.First)
		return queue.Remove(ctx, letter)
	}
	if err != nil {
		return err
	}
	all := true
	for _, change := range changes {
		taken, err := r.take(ctx, change)
		if err != nil {
			return err
		}
		all = all && taken
	}
	if !all {
		return nil
	}
	return queue.Remove(ctx, letter)
}

// take tries a change: that of a game by the consumer, and a new notice by having it looked at again.
func (r retrying) take(ctx context.Context, change store.Change) (taken bool, err error) {
	key := change.Key()
	if store.IsNotice(key) {
		err = r.renotify(ctx, key)
	} else {
		err = r.consumer.Changed(ctx, change)
	}
	if poison, ok := errors.AsType[*fanout.PoisonError](err); ok {
		fmt.Printf("change of %s: still %v\n", key.PK, poison.Err)
		return false, nil
	}
	if err == nil {
		fmt.Printf("change of %s: taken in\n", key.PK)
	}
	return err == nil, err
}

// renotify lists a notice as due now.
func (r retrying) renotify(ctx context.Context, key store.Key) error {
	notice, err := store.ParseNoticeKey(key)
	if err != nil {
		return &fanout.PoisonError{Key: key, Err: err}
	}
	return r.site.table.ListDue(ctx, notice, time.Now().UnixMilli())
}

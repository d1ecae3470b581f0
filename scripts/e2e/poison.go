package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// record is one of the table's stream, in the form in which functions are handed it.
type record struct {
	raw      json.RawMessage
	game     string
	shard    string
	sequence string
}

// UnmarshalJSON keeps the whole of it beside what is looked at.
func (r *record) UnmarshalJSON(data []byte) error {
	var known struct {
		Change struct {
			Keys     map[string]map[string]string `json:"Keys"`           //nolint:tagliatelle // the name is theirs
			Sequence string                       `json:"SequenceNumber"` //nolint:tagliatelle // the name is theirs
		} `json:"dynamodb"`
	}
	err := json.Unmarshal(data, &known)
	r.raw, r.sequence = slices.Clone(data), known.Change.Sequence
	if known.Change.Keys["sk"]["S"] == "HEAD" {
		r.game = strings.TrimPrefix(known.Change.Keys["pk"]["S"], "GAME#")
	}
	return err
}

// poisoned is the game whose head nobody can read.
const poisoned = "poisoned"

// poison writes a head by hand that no program would write. The function says that it cannot follow it, and the change lands
// in the dead-letter queue, while those behind it go on. In a batch it does what comes before, and names it.
func (t *trial) poison(ctx context.Context) (string, error) {
	if err := t.moveAndSettle(ctx); err != nil {
		return "", err
	}
	err := t.cloud.ask(ctx, dynamodb, "PutItem", object{"TableName": t.stage.outputs.Table, "Item": object{
		"pk": object{"S": "GAME#" + poisoned}, "sk": object{"S": "HEAD"}, "rev": object{"N": "1"}, "body": object{"B": "bm8gaGVhZA=="},
	}}, nil)
	if err != nil {
		return "", err
	}
	err = await(ctx, usual, "the function does not say that it cannot follow", func(ctx context.Context) (bool, error) {
		said, err := t.stage.logged(ctx, "stream", "change not followed")
		return len(said) > 0, err
	})
	if err != nil {
		return "", err
	}
	err = await(ctx, minute, "no letter lands in the dead-letter queue", func(ctx context.Context) (bool, error) {
		letters, err := t.emulator.queued(ctx, t.cloud, t.stage.outputs.DeadLetters)
		return letters > 0, err
	})
	if err != nil {
		return "", err
	}
	if err := t.moveAndSettle(ctx); err != nil {
		return "", err
	}
	good, bad, err := t.goodAndBad(ctx)
	if err != nil {
		return "", err
	}
	for _, batch := range [][]record{{good, bad, good}, {good}} {
		if err := t.handOver(ctx, batch); err != nil {
			return "", err
		}
	}
	return "", nil
}

// moveAndSettle makes a move, and waits until it is announced and everybody's list is as the game is.
func (t *trial) moveAndSettle(ctx context.Context) error {
	if _, err := t.moves(ctx); err != nil {
		return err
	}
	_, err := t.waiting(ctx)
	return err
}

// handOver calls the function with a batch, of which it has to name the poisoned record and no other.
func (t *trial) handOver(ctx context.Context, batch []record) error {
	raw := make([]json.RawMessage, len(batch))
	for i, r := range batch {
		raw[i] = r.raw
	}
	event, err := json.Marshal(object{"Records": raw})
	if err != nil {
		return err
	}
	var answer struct {
		Failures []struct {
			Item string `json:"itemIdentifier"` //nolint:tagliatelle // the name is theirs
		} `json:"batchItemFailures"` //nolint:tagliatelle // the name is theirs
	}
	if err := t.stage.function(ctx, "stream", http.MethodPost, "/invocations", event, &answer); err != nil {
		return err
	}
	var failed, poison []string
	for _, f := range answer.Failures {
		failed = append(failed, f.Item)
	}
	for _, r := range batch {
		if r.game == poisoned {
			poison = append(poison, r.sequence)
		}
	}
	if !slices.Equal(failed, poison) {
		return fmt.Errorf("of a batch of %d records it names %v, and %v are poisoned", len(batch), failed, poison)
	}
	return nil
}

// goodAndBad are the newest record of the game and the poisoned one, as the stream has them.
func (t *trial) goodAndBad(ctx context.Context) (good, bad record, err error) {
	records, err := t.records(ctx)
	for _, r := range records {
		switch r.game {
		case t.table.game.ID:
			good = r
		case poisoned:
			bad = r
		}
	}
	if err == nil && (good.game == "" || bad.game == "") {
		err = fmt.Errorf("the stream has %d records, but not those that are looked for", len(records))
	}
	return good, bad, err
}

// records reads the table's stream from its beginning.
func (t *trial) records(ctx context.Context) ([]record, error) {
	var list struct {
		Streams []struct {
			ARN string `json:"StreamArn"` //nolint:tagliatelle // the name is theirs
		} `json:"Streams"` //nolint:tagliatelle // the name is theirs
	}
	if err := t.cloud.ask(ctx, streams, "ListStreams", object{"TableName": t.stage.outputs.Table}, &list); err != nil {
		return nil, err
	}
	if len(list.Streams) != 1 {
		return nil, fmt.Errorf("the table has %d streams", len(list.Streams))
	}
	t.stage.stream = list.Streams[0].ARN
	var shape struct {
		Description struct {
			Shards []struct {
				ID string `json:"ShardId"` //nolint:tagliatelle // the name is theirs
			} `json:"Shards"` //nolint:tagliatelle // the name is theirs
		} `json:"StreamDescription"` //nolint:tagliatelle // the name is theirs
	}
	if err := t.cloud.ask(ctx, streams, "DescribeStream", object{"StreamArn": t.stage.stream}, &shape); err != nil {
		return nil, err
	}
	var all []record
	for _, shard := range shape.Description.Shards {
		records, err := t.shard(ctx, shard.ID)
		if err != nil {
			return nil, err
		}
		all = append(all, records...)
	}
	return all, nil
}

func (t *trial) shard(ctx context.Context, id string) ([]record, error) {
	var at struct {
		Iterator string `json:"ShardIterator"` //nolint:tagliatelle // the name is theirs
	}
	question := object{"StreamArn": t.stage.stream, "ShardId": id, "ShardIteratorType": "TRIM_HORIZON"}
	if err := t.cloud.ask(ctx, streams, "GetShardIterator", question, &at); err != nil {
		return nil, err
	}
	var all []record
	for iterator := at.Iterator; iterator != ""; {
		var page struct {
			Records []record `json:"Records"`           //nolint:tagliatelle // the name is theirs
			Next    string   `json:"NextShardIterator"` //nolint:tagliatelle // the name is theirs
		}
		if err := t.cloud.ask(ctx, streams, "GetRecords", object{"ShardIterator": iterator}, &page); err != nil {
			return nil, err
		}
		if len(page.Records) == 0 {
			break
		}
		for i := range page.Records {
			page.Records[i].shard = id
		}
		all, iterator = append(all, page.Records...), page.Next
	}
	return all, nil
}

// requeue puts a letter about a sound record beside that of the poisoned one. The operator's program takes the sound one in,
// and leaves the other.
func (t *trial) requeue(ctx context.Context) (string, error) {
	good, _, err := t.goodAndBad(ctx)
	if err != nil {
		return "", err
	}
	queue := t.stage.outputs.DeadLetters
	letter, err := json.Marshal(object{"DDBStreamBatchInfo": object{
		"shardId": good.shard, "startSequenceNumber": good.sequence, "endSequenceNumber": good.sequence, "batchSize": 1,
		"streamArn": t.stage.stream,
	}})
	if err != nil {
		return "", err
	}
	question := object{"QueueUrl": queue, "MessageBody": string(letter)}
	if err := t.cloud.ask(ctx, sqs, "SendMessage", question, nil); err != nil {
		return "", err
	}
	said, err := t.operate(ctx, "requeue", "--queue", queue)
	if err != nil {
		return "", err
	}
	if !strings.Contains(said, t.table.game.ID+": taken in") || !strings.Contains(said, poisoned+": still ") {
		return "", errors.New("requeue says: " + said)
	}
	left, err := t.emulator.queued(ctx, t.cloud, queue)
	if err == nil && left != 1 {
		err = fmt.Errorf("%d letters are left", left)
	}
	return "", err
}

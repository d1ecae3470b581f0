package notify

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
)

const (
	// crew is how many notices are sent at the same time: one provider that hangs holds up no other.
	crew = 16
	// round is how many are looked for at once.
	round = store.MaxLimit
	// beat is how soon what has fallen due is looked for.
	beat = time.Second
)

// Sweep sends all that has fallen due, and says how much of it is dealt with.
func (s *Sender) Sweep(ctx context.Context) (int, error) {
	total := 0
	for {
		due, err := s.Table.DueNotices(ctx, s.Now().UnixMilli(), round)
		if err != nil {
			return total, err
		}
		var settled atomic.Int64
		err = each(byChannel(due), func(queue []store.Due) error {
			failures := make([]error, 0, len(queue))
			for _, d := range queue {
				done, err := s.settleDue(ctx, d)
				if done {
					settled.Add(1)
				}
				failures = append(failures, err)
			}
			return errors.Join(failures...)
		})
		total += int(settled.Load())
		if err != nil || settled.Load() == 0 {
			return total, err
		}
	}
}

// byChannel are queues of what goes to one channel of one player. Each is worked off in its order, so that a digest is made
// once, and messages come as things happened.
func byChannel(due []store.Due) [][]store.Due {
	var queues [][]store.Due
	at := map[[2]string]int{}
	for _, d := range due {
		key := [2]string{d.Player, d.Channel}
		i, known := at[key]
		if !known {
			i = len(queues)
			at[key] = i
			queues = append(queues, nil)
		}
		queues[i] = append(queues[i], d)
	}
	return queues
}

// settleDue takes an entry off the list once its notice is dealt with. What fails stays there, unless nobody will ever be
// able to read it.
func (s *Sender) settleDue(ctx context.Context, due store.Due) (done bool, err error) {
	done, err = s.deliver(ctx, due.NoticeKey)
	err = poisoned(err)
	switch {
	case errors.Is(err, store.ErrNotFound):
		// It is listed first and written then: the writer may be in between.
		done = due.Since < s.Now().Add(-lostAfter).UnixMilli()
	case errors.Is(err, store.ErrInvalid):
		s.Log.ErrorContext(ctx, "notice passed over", "game", due.Game, "version", due.Version, "error", err)
		done = true
	case err != nil:
		return false, err
	}
	if !done {
		return false, nil
	}
	return true, s.Table.DropDue(ctx, due)
}

// Run sweeps when it is woken, and every second in any case, until the context ends.
func (s *Sender) Run(ctx context.Context, wake <-chan struct{}) {
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		if _, err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			s.Log.ErrorContext(ctx, "notices not sent", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-ticker.C:
		}
	}
}

// Handle sends the records that a batch of the table's stream tells of. Its event source passes on new records alone. What
// fails is named, and comes again.
func (s *Sender) Handle(ctx context.Context, event events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	var mutex sync.Mutex
	var response events.DynamoDBEventResponse
	_ = each(event.Records, func(record events.DynamoDBEventRecord) error {
		if err := s.take(ctx, record); err != nil {
			s.Log.ErrorContext(ctx, "notice not sent", "record", record.Change.SequenceNumber, "error", err)
			mutex.Lock()
			defer mutex.Unlock()
			response.BatchItemFailures = append(response.BatchItemFailures,
				events.DynamoDBBatchItemFailure{ItemIdentifier: record.Change.SequenceNumber})
		}
		return nil
	})
	return response, nil
}

func (s *Sender) take(ctx context.Context, record events.DynamoDBEventRecord) error {
	change, err := dynamodb.ChangeOf(record)
	if err != nil {
		return err
	}
	if change.New == nil || !store.IsNotice(change.Key()) {
		return nil
	}
	key, err := store.ParseNoticeKey(change.Key())
	if err != nil {
		return err
	}
	_, err = s.deliver(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// each does something with all of a list, a crew at a time, and fails with all that failed.
func each[T any](list []T, do func(T) error) error {
	var working sync.WaitGroup
	slots := make(chan struct{}, crew)
	failures := make([]error, len(list))
	for i, item := range list {
		slots <- struct{}{}
		working.Go(func() {
			defer func() { <-slots }()
			failures[i] = do(item)
		})
	}
	working.Wait()
	return errors.Join(failures...)
}

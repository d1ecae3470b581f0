package host_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsdynamodb "github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/fxamacker/cbor/v2"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/catalogue"
	"boulevard/engine/lords"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
	"boulevard/functions/internal/store/dynamodb/dynamotest"
)

// BenchmarkDesigns plays the same games of four on three designs of a table, and tells what the table says each took: this
// one; the state as JSON and each event as an item, written together in a transaction; and a history that grows inside the
// game's item. All keep the whole history.
func BenchmarkDesigns(b *testing.B) {
	b.Run("boulevard", func(b *testing.B) { benchmarkDesign(b, func(*designed) design { return nil }) })
	b.Run("transaction", func(b *testing.B) {
		benchmarkDesign(b, func(d *designed) design { return &transaction{designed: d} })
	})
	b.Run("history", func(b *testing.B) { benchmarkDesign(b, func(d *designed) design { return &history{designed: d} }) })
}

// design takes in one action after the other.
type design interface {
	// act reads the game, and writes what the action made of it.
	act(b *testing.B, game *host.Game, events []engine.Event)
}

// designed is a table, and what was consumed.
type designed struct {
	driver        *dynamodb.Driver
	used          dynamotest.Capacity
	written, read float64
	stored        int
}

func benchmarkDesign(b *testing.B, choose func(*designed) design) {
	b.Helper()
	d := &designed{}
	options := dynamotest.Options(b)
	options.OnCapacity = d.used.Add
	d.driver = dynamotest.Create(b, options)
	keys, err := host.NewKeyring(bytes.Repeat([]byte("boulevard"), 4))
	require.NoError(b, err)
	h := hosting{host.New(host.Config{Store: store.NewTable(d.driver), Catalogue: catalogue.All(), Keys: keys, Now: time.Now})}
	other := choose(d)
	var game *host.Game
	var players []store.Player
	var random *rand.Rand
	games := 0
	for b.Loop() {
		if game == nil || game.Status != store.Playing {
			games++
			game, players = h.started(b, benchSeats)
			random = rand.New(rand.NewPCG(uint64(games), 1)) // the same games for every design
		}
		d.used.Count(other == nil)
		before := game.Head
		game = h.playOn(b, game, players, random)
		d.used.Count(false)
		if other != nil {
			change, err := h.Change(b.Context(), &before, game.Head)
			require.NoError(b, err)
			other.act(b, game, change.Events)
		}
	}
	d.written, d.read = d.written+d.used.Written(), d.read+d.used.Read()
	if other == nil {
		d.stored = stored(b, d.driver)
	}
	b.ReportMetric(d.written/float64(b.N), "wru/action")
	b.ReportMetric(d.read/float64(b.N), "rru/action")
	b.ReportMetric(float64(d.stored)/float64(games), "stored-B/game")
	b.ReportMetric(float64(b.N)/float64(games), "actions/game")
}

// stored is what all items of a table take, in bytes.
func stored(b *testing.B, driver store.Driver) int {
	b.Helper()
	total := 0
	for after := (store.Key{}); ; {
		items, next, err := driver.Scan(b.Context(), after, store.MaxLimit)
		require.NoError(b, err)
		for _, item := range items {
			total += len(item.PK) + len(item.SK) + len(item.Body)
		}
		if next == (store.Key{}) {
			return total
		}
		after = next
	}
}

// document is what a game is in the other designs.
type document struct {
	ID      string       `json:"id"`
	Game    string       `json:"game"`
	Status  string       `json:"status"`
	Version uint64       `json:"version"`
	Players []string     `json:"players"`
	Asked   []int8       `json:"asked"`
	State   *lords.State `json:"state"`
	History []happening  `json:"history,omitempty"`
}

// happening is what was done, and what followed.
type happening struct {
	Version uint64         `json:"version"`
	At      int64          `json:"at"`
	Seat    int8           `json:"seat"`
	Action  string         `json:"action"`
	Args    map[string]any `json:"args"`
	Events  []engine.Event `json:"events"`
}

func documentOf(b *testing.B, game *host.Game) document {
	b.Helper()
	state := new(lords.State)
	require.NoError(b, cbor.Unmarshal(game.State, state))
	doc := document{
		ID: game.ID, Game: game.Game, Status: game.Status.String(), Version: game.Version, Asked: game.Asked, State: state,
	}
	for _, p := range game.Players {
		doc.Players = append(doc.Players, p.ID, p.Name)
	}
	return doc
}

func happeningOf(b *testing.B, game *host.Game, events []engine.Event) happening {
	b.Helper()
	entry := game.Tail[len(game.Tail)-1]
	h := happening{Version: game.Version, At: game.Updated(), Seat: entry.Seat, Events: events}
	lords, _ := catalogue.All().Latest(game.Game)
	action, err := lords.DecodeAction(entry.Action)
	require.NoError(b, err)
	args, err := json.Marshal(action)
	require.NoError(b, err)
	require.NoError(b, json.Unmarshal(args, &h.Args))
	h.Action = action.Kind()
	return h
}

// put writes an item with a body of JSON, and says what the table took for it and how large it is.
func (d *designed) put(b *testing.B, pk, sk string, value any) (units float64, size int) {
	b.Helper()
	body, err := json.Marshal(value)
	require.NoError(b, err)
	table := d.driver.Table()
	answer, err := d.driver.Client().PutItem(b.Context(), &awsdynamodb.PutItemInput{
		TableName: &table, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		Item: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: pk}, "sk": &types.AttributeValueMemberS{Value: sk},
			"body": &types.AttributeValueMemberS{Value: string(body)},
		},
	})
	require.NoError(b, err)
	return aws.ToFloat64(answer.ConsumedCapacity.CapacityUnits), len(pk) + len(sk) + len(body)
}

// get reads an item, as strongly as this design's commands have to.
func (d *designed) get(b *testing.B, pk, sk string) {
	b.Helper()
	table := d.driver.Table()
	answer, err := d.driver.Client().GetItem(b.Context(), &awsdynamodb.GetItemInput{
		TableName: &table, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal, ConsistentRead: aws.Bool(true),
		Key: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: pk}, "sk": &types.AttributeValueMemberS{Value: sk},
		},
	})
	require.NoError(b, err)
	d.read += aws.ToFloat64(answer.ConsumedCapacity.CapacityUnits)
}

// transaction writes the game's item and one for the event. The emulator knows no transactions, so the two are written one
// after the other and count twice, as DynamoDB counts what is written in one.
type transaction struct {
	*designed

	sizes map[string]int
}

const twice = 2

func (t *transaction) act(b *testing.B, game *host.Game, events []engine.Event) {
	b.Helper()
	t.get(b, "naive#"+game.ID, "state")
	state, size := t.put(b, "naive#"+game.ID, "state", documentOf(b, game))
	event, more := t.put(b, "naive#"+game.ID, "event#"+strconv.FormatUint(game.Version, 10), happeningOf(b, game, events))
	t.written += twice * (state + event)
	if t.sizes == nil {
		t.sizes = map[string]int{}
	}
	t.stored += more + size - t.sizes[game.ID]
	t.sizes[game.ID] = size
}

// history writes one item, in which everything is.
type history struct {
	*designed

	game string
	past []happening
	size int
}

func (h *history) act(b *testing.B, game *host.Game, events []engine.Event) {
	b.Helper()
	if h.game != game.ID {
		h.game, h.past, h.size = game.ID, nil, 0
	}
	h.past = append(h.past, happeningOf(b, game, events))
	doc := documentOf(b, game)
	doc.History = h.past
	h.get(b, "naive#"+game.ID, "game")
	units, size := h.put(b, "naive#"+game.ID, "game", doc)
	h.written += units
	h.stored += size - h.size
	h.size = size
}

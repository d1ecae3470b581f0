package cloudtest

import (
	"bytes"
	"encoding/base64"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/engine/catalogue"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
	"boulevard/functions/internal/store/dynamodb/dynamotest"
)

// Secret is the keyring of a place, as functions get it.
var Secret = base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("boulevard"), 4))

// keyID is that of the key that functions sign their calls with.
const keyID = "test"

// Place is where functions work, as the test that looks in on them has it.
type Place struct {
	Table *store.Table
	Host  *host.Host

	driver *dynamodb.Driver
	env    map[string]string
}

// NewPlace is a place with an empty table.
func NewPlace(t *testing.T) Place {
	t.Helper()
	options := dynamotest.Options(t)
	driver := dynamotest.Create(t, options)
	table := store.NewTable(driver)
	keys, err := host.ParseKeyring(Secret)
	require.NoError(t, err)
	return Place{
		Table: table, driver: driver,
		Host: host.New(host.Config{Store: table, Sessions: table, Catalogue: catalogue.All(), Keys: keys, Now: time.Now}),
		env: map[string]string{
			"AWS_REGION": options.Region, "AWS_ACCESS_KEY_ID": keyID, "AWS_SECRET_ACCESS_KEY": "secret",
			"BOULEVARD_TABLE": options.Table, "BOULEVARD_DYNAMODB_ENDPOINT": options.Endpoint, "BOULEVARD_SECRET": Secret,
			"BOULEVARD_STAGE": "test",
		},
	}
}

// Env are the variables of a function that works there, and more.
func (p Place) Env(more map[string]string) map[string]string {
	env := maps.Clone(p.env)
	maps.Copy(env, more)
	return env
}

// Guest is a player who has signed in.
func (p Place) Guest(t *testing.T, name string) host.Tokens {
	t.Helper()
	guest, err := p.Host.Guest(t.Context(), name)
	require.NoError(t, err)
	return guest
}

// NewGame is a game of two with one free seat.
func (p Place) NewGame(t *testing.T, of store.Player) *host.Game {
	t.Helper()
	answer, err := p.Host.Create(t.Context(), of, "create", host.NewGame{Game: "lords-of-vegas", Seats: 2})
	require.NoError(t, err)
	return answer.Game
}

// Join has a player take the last seat, so that the game begins.
func (p Place) Join(t *testing.T, game string, player store.Player) *host.Game {
	t.Helper()
	answer, err := p.Host.Act(t.Context(), host.Command{Game: game, Player: player, Key: "join", Deed: store.Join})
	require.NoError(t, err)
	return answer.Game
}

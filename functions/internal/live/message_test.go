package live_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"boulevard/api"
	"boulevard/functions/internal/live"
)

// badMessages are what a client may get wrong, and how it is told.
var badMessages = map[string]struct{ text, code string }{
	"no JSON":             {`{"type":`, "malformed_json"},
	"nothing":             {``, "malformed_json"},
	"two values":          {`{"type":"ping"}{"type":"ping"}`, "malformed_json"},
	"no object":           {`["ping"]`, "wrong_type"},
	"null":                {`null`, "wrong_type"},
	"no type":             {`{"games":[]}`, "missing_field"},
	"type of a number":    {`{"type":1}`, "wrong_type"},
	"unknown type":        {`{"type":"shout"}`, "unknown_type"},
	"a server's type":     {`{"type":"version","games":[{"id":"a"}]}`, "unknown_type"},
	"type in capitals":    {`{"Type":"ping"}`, "unknown_field"},
	"type twice":          {`{"type":"ping","type":"ping"}`, "invalid_value"},
	"unknown field":       {`{"type":"ping","loud":true}`, "unknown_field"},
	"ping with games":     {`{"type":"ping","games":[]}`, "unknown_field"},
	"no games":            {`{"type":"subscribe"}`, "missing_field"},
	"empty games":         {`{"type":"subscribe","games":[]}`, "missing_field"},
	"games of text":       {`{"type":"subscribe","games":["a"]}`, "wrong_type"},
	"game without id":     {`{"type":"subscribe","games":[{"since":1}]}`, "missing_field"},
	"id of null":          {`{"type":"subscribe","games":[{"id":null}]}`, "wrong_type"},
	"long id":             {`{"type":"subscribe","games":[{"id":"` + strings.Repeat("a", 65) + `"}]}`, "invalid_value"},
	"unknown game field":  {`{"type":"subscribe","games":[{"id":"a","at":1}]}`, "unknown_field"},
	"since below 0":       {`{"type":"subscribe","games":[{"id":"a","since":-1}]}`, "wrong_type"},
	"since in halves":     {`{"type":"subscribe","games":[{"id":"a","since":1.5}]}`, "wrong_type"},
	"since as text":       {`{"type":"subscribe","games":[{"id":"a","since":"1"}]}`, "wrong_type"},
	"since out of bounds": {`{"type":"subscribe","games":[{"id":"a","since":1000000000000000000}]}`, "invalid_value"},
	"unsubscribe since":   {`{"type":"unsubscribe","games":[{"id":"a","since":1}]}`, "unknown_field"},
	"101 games":           {`{"type":"subscribe","games":[` + strings.Repeat(`{"id":"a"},`, 100) + `{"id":"a"}]}`, "too_many_games"},
}

func TestDecode_RefusesWhatTheContractDoesNotDescribe(t *testing.T) {
	t.Parallel()
	for name, bad := range badMessages {
		_, err := live.Decode([]byte(bad.text))
		var problem *live.Problem
		require.ErrorAs(t, err, &problem, name)
		require.Equal(t, bad.code, problem.Code, name)
	}
}

func TestDecode_AcceptsFieldsInAnyOrder(t *testing.T) {
	t.Parallel()
	message, err := live.Decode([]byte(` {"games":[{"since":3,"id":"a"},{"id":"b"}], "type":"subscribe"} `))
	require.NoError(t, err)
	require.Equal(t, live.Message{Type: "subscribe", Games: []live.Watch{{Game: "a", Since: 3}, {Game: "b"}}}, message)
}

// The examples of the contract are what the decoder accepts, and every code that it answers is written there.
func TestContract_ExamplesAreAccepted_CodesAreDescribed(t *testing.T) {
	t.Parallel()
	examples := 0
	for line := range bytes.Lines(api.LiveContract) {
		example, found := bytes.CutPrefix(bytes.TrimSpace(line), []byte("- payload: "))
		if !found {
			continue
		}
		require.True(t, json.Valid(example), "%s", example)
		examples++
		if examples <= 3 { // what the client says comes first
			_, err := live.Decode(example)
			require.NoError(t, err, "%s", example)
		}
	}
	require.Equal(t, 7, examples)
	for _, bad := range badMessages {
		require.Contains(t, string(api.LiveContract), "`"+bad.code+"`")
	}
}

// FuzzMessage decodes anything. What is accepted is within bounds and means the same when it is written anew; what is not
// gets a problem.
func FuzzMessage(f *testing.F) {
	for _, bad := range badMessages {
		f.Add([]byte(bad.text))
	}
	f.Add([]byte(`{"type":"subscribe","games":[{"id":"a","since":3}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		message, err := live.Decode(data)
		if err != nil {
			var problem *live.Problem
			require.ErrorAs(t, err, &problem)
			return
		}
		require.LessOrEqual(t, len(message.Games), live.MaxGames)
		if !utf8.Valid(data) {
			return // a connection is closed before such a message is decoded
		}
		again, err := live.Decode(written(t, message))
		require.NoError(t, err)
		require.Equal(t, message, again)
	})
}

func written(t *testing.T, m live.Message) []byte {
	t.Helper()
	if m.Games == nil {
		return fmt.Appendf(nil, `{"type":%q}`, m.Type)
	}
	games := make([]map[string]any, len(m.Games))
	for i, w := range m.Games {
		games[i] = map[string]any{"id": w.Game}
		if w.Since != 0 {
			games[i]["since"] = w.Since
		}
	}
	text, err := json.Marshal(map[string]any{"type": m.Type, "games": games})
	require.NoError(t, err)
	return text
}

package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// badBodies are what nobody should send, with what they are told.
var badBodies = map[string]struct {
	body   string
	status int
	code   string
	// refusal is the rules' own code, where they are the ones to refuse.
	refusal string
}{
	"no JSON":            {`{"kind":`, 400, "malformed_json", ""},
	"not an object":      {`"draw"`, 400, "wrong_type", ""},
	"trailing data":      {`{"kind":"end"} {}`, 400, "malformed_json", ""},
	"broken UTF-8":       {"{\"kind\":\"en\xffd\"}", 422, "refused", "unknown_action"},
	"lone surrogate":     {`{"kind":"\ud800"}`, 422, "refused", "unknown_action"},
	"unknown field":      {`{"kind":"end","cheat":true}`, 400, "unknown_field", ""},
	"missing field":      {`{"args":{}}`, 400, "missing_field", ""},
	"kind of a number":   {`{"kind":7}`, 400, "wrong_type", ""},
	"empty kind":         {`{"kind":""}`, 400, "invalid_value", ""},
	"long kind":          {`{"kind":"` + strings.Repeat("a", 65) + `"}`, 400, "invalid_value", ""},
	"prompt of 0":        {`{"kind":"end","prompt":0}`, 400, "invalid_value", ""},
	"prompt of -1":       {`{"kind":"end","prompt":-1}`, 400, "invalid_value", ""},
	"prompt of 2^32":     {`{"kind":"end","prompt":4294967296}`, 400, "invalid_value", ""},
	"prompt of 10^30":    {`{"kind":"end","prompt":1000000000000000000000000000000}`, 400, "wrong_type", ""},
	"fractional prompt":  {`{"kind":"end","prompt":1.5}`, 400, "wrong_type", ""},
	"17 KB":              {`{"kind":"` + strings.Repeat("a", 17<<10) + `"}`, 413, "body_too_large", ""},
	"deeply nested":      {`{"kind":"end","args":` + nested(8000) + `}`, 422, "refused", "bad_argument"},
	"unknown kind":       {`{"kind":"cheat"}`, 422, "refused", "unknown_action"},
	"odd Unicode kind":   {`{"kind":"e\u0301nd\u202e"}`, 422, "refused", "unknown_action"},
	"args of a list":     {`{"kind":"end","args":[]}`, 422, "refused", "bad_argument"},
	"args of a number":   {`{"kind":"end","args":3}`, 422, "refused", "bad_argument"},
	"unknown argument":   {`{"kind":"end","args":{"lot":"A2"}}`, 422, "refused", "bad_argument"},
	"lot A0":             {`{"kind":"build","args":{"lot":"A0","color":"gold"}}`, 422, "refused", "unknown_lot"},
	"lot A99":            {`{"kind":"build","args":{"lot":"A99","color":"gold"}}`, 422, "refused", "unknown_lot"},
	"lot of odd Unicode": {`{"kind":"build","args":{"lot":"А2","color":"gold"}}`, 422, "refused", "unknown_lot"},
	"no lot":             {`{"kind":"build","args":{"color":"gold"}}`, 422, "refused", "unknown_lot"},
	"lot of a number":    {`{"kind":"build","args":{"lot":2,"color":"gold"}}`, 422, "refused", "bad_argument"},
	"unknown colour":     {`{"kind":"build","args":{"lot":"A2","color":"puce"}}`, 422, "refused", "unknown_color"},
	"bet of 0":           {`{"kind":"gamble","args":{"casino":"A2","bet":0}}`, 422, "refused", ""},
	"bet of -5":          {`{"kind":"gamble","args":{"casino":"A2","bet":-5}}`, 422, "refused", ""},
	"bet of 1.5":         {`{"kind":"gamble","args":{"casino":"A2","bet":1.5}}`, 422, "refused", "bad_argument"},
	"bet of 10^30":       {`{"kind":"gamble","args":{"casino":"A2","bet":1e30}}`, 422, "refused", "bad_argument"},
	"bet of 2^64":        {`{"kind":"gamble","args":{"casino":"A2","bet":18446744073709551616}}`, 422, "refused", "bad_argument"},
	"bet in words":       {`{"kind":"gamble","args":{"casino":"A2","bet":"5"}}`, 422, "refused", "bad_argument"},
}

// nested is an empty list in as many lists as asked for.
func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func TestBadBody_IsToldWhich_AndChangesNothing(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		game = draw(game, players)
		active := players[game.Turn.Value]
		for name, bad := range badBodies {
			got := active.post(actions(game.ID), bad.body, ifMatch(game.Version), newKey())
			if got.status != bad.status {
				t.Errorf("%s: status %d: %s", name, got.status, got.body)
				continue
			}
			problem := got.problem(bad.status, bad.code)
			if bad.refusal != "" {
				require.Equal(t, bad.refusal, problem.Refusal.Value.Code, name)
			}
		}
		require.Equal(t, game.Version, active.game(game.ID).Version)
		require.NotContains(t, b.logs.String(), "ERROR")
	})
}

func TestBadAddress_IsToldWhich(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		ann := players[0]
		none := "/v1/games/" + strings.Repeat("a", 26)

		ann.get(none).problem(404, "game_not_found")
		ann.get(none+"/journal").problem(404, "game_not_found")
		ann.post(none+"/join", nil, newKey()).problem(404, "game_not_found")
		ann.get("/v1/games/"+strings.Repeat("a", 65)).problem(400, "invalid_parameter")
		ann.get("/v1/games/%00%ff").problem(404, "game_not_found")
		ann.get("/v2").problem(404, "not_found")
		ann.send(http.MethodDelete, "/v1/games/"+game.ID, "").problem(405, "method_not_allowed")

		for _, query := range []string{"limit=0", "limit=101", "limit=x", "limit=1.5", "limit="} {
			ann.get("/v1/games?"+query).problem(400, "invalid_parameter")
		}
		ann.get("/v1/games?cursor=!").problem(400, "invalid_cursor")
		ann.get("/v1/games/"+game.ID+"/journal?cursor=eHl6").problem(400, "invalid_cursor")
		require.NotContains(t, b.logs.String(), "ERROR")
	})
}

func TestBadHeader_IsToldWhich(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob")
		ann, nobody := players[0], &client{b: b}
		end := action("end", struct{}{})

		ann.post(actions(game.ID), end, ifMatch(game.Version)).problem(400, "missing_parameter")
		ann.post(actions(game.ID), end, ifMatch(game.Version), key("short")).problem(400, "invalid_parameter")
		ann.post(actions(game.ID), end, ifMatch(game.Version), key(strings.Repeat("k", 65))).problem(400, "invalid_parameter")
		ann.post(actions(game.ID), end, ifMatch(game.Version), key("with a space")).problem(400, "invalid_parameter")
		for _, tag := range []string{"7", `"-1"`, `"1.5"`, `W/"1"`, `"9999999999999999999"`, `*`} {
			ann.post(actions(game.ID), end, header{"If-Match", tag}, newKey()).problem(400, "invalid_parameter")
		}
		ann.post(actions(game.ID), end, ifMatch(999999999999999999), newKey()).problem(409, "conflict")
		ann.post(actions(game.ID), `{"kind":"end"}`, header{"Content-Type", "text/plain"}, newKey()).
			problem(415, "unsupported_media_type")
		ann.post(actions(game.ID), `{"kind":"end"}`, header{"Content-Type", ";;"}, newKey()).problem(415, "unsupported_media_type")

		ann.post(actions(game.ID), nil, header{"Content-Type", "application/json"}, newKey()).problem(400, "body_missing")

		nobody.get("/v1/games").problem(401, "token_missing")
		nobody.post(actions(game.ID), end, ifMatch(game.Version), newKey()).problem(401, "token_missing")
		require.NotContains(t, b.logs.String(), "ERROR")
	})
}

func TestNewGame_BadInput_IsToldWhich(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		ann := b.guest("Ann")
		for body, want := range map[string]struct {
			status        int
			code, refusal string
		}{
			`{"game":"chess","seats":2}`:                                       {422, "game_unknown", ""},
			`{"game":"lords-of-vegas","seats":1}`:                              {422, "refused", "bad_seats"},
			`{"game":"lords-of-vegas","seats":7}`:                              {422, "refused", "bad_seats"},
			`{"game":"lords-of-vegas","seats":0}`:                              {400, "invalid_value", ""},
			`{"game":"lords-of-vegas","seats":17}`:                             {400, "invalid_value", ""},
			`{"game":"lords-of-vegas","seats":2.5}`:                            {400, "wrong_type", ""},
			`{"game":"lords-of-vegas"}`:                                        {400, "missing_field", ""},
			`{"game":"lords-of-vegas","seats":2,"options":{"risers":"maybe"}}`: {422, "refused", "bad_option"},
			`{"game":"lords-of-vegas","seats":2,"options":{"luck":"on"}}`:      {422, "refused", "bad_option"},
			`{"game":"lords-of-vegas","seats":2,"options":{"risers":true}}`:    {400, "wrong_type", ""},
			`{"game":"lords-of-vegas","seats":2,"extra":1}`:                    {400, "unknown_field", ""},
		} {
			problem := ann.post("/v1/games", body, newKey()).problem(want.status, want.code)
			require.Equal(t, want.refusal, problem.Refusal.Value.Code, body)
		}
	})
}

func TestGuest_NamesThatDoNotShow_AreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	nobody := &client{b: b}
	for _, name := range []string{"Ann", "李雷", "Zoë", "O'Neil-Smith 2", "🂡"} {
		nobody.post("/v1/players", map[string]any{"name": name}).expect(http.StatusCreated)
	}
	for body, code := range map[string]string{
		`{"name":" "}`:               "bad_name",
		`{"name":"a\u0000b"}`:        "bad_name",
		`{"name":"a\nb"}`:            "bad_name",
		`{"name":"\u202eevil"}`:      "bad_name",
		`{"name":"zero\u200bwidth"}`: "bad_name",
	} {
		nobody.post("/v1/players", body).problem(422, code)
	}
	nobody.post("/v1/players", `{"name":""}`).problem(400, "invalid_value")
	nobody.post("/v1/players", map[string]any{"name": strings.Repeat("é", 33)}).problem(400, "invalid_value")
	nobody.post("/v1/players", `{"name":null}`).problem(400, "wrong_type")
}

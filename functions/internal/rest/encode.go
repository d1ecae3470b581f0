package rest

import (
	"encoding/hex"
	"encoding/json"
	"strconv"

	"github.com/go-faster/jx"

	"boulevard/api"
	"boulevard/engine"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

func gameAnswer(game *host.Game, caller store.Player) (*api.GameHeaders, error) {
	doc, err := encodeGame(game, caller.ID)
	return &api.GameHeaders{ETag: etag(game), Response: doc}, err
}

func doneAnswer(answer host.Answer, caller store.Player) (*api.DoneHeaders, error) {
	doc, err := encodeGame(answer.Game, caller.ID)
	if err != nil {
		return nil, err
	}
	events, err := encodeEvents(engine.Visible(answer.Events, answer.Game.SeatOf(caller.ID)))
	return &api.DoneHeaders{ETag: etag(answer.Game), Response: api.Done{Events: events, Game: doc}}, err
}

// encodeGame is the game document as a player may see it.
func encodeGame(game *host.Game, player string) (api.Game, error) {
	seat := game.SeatOf(player)
	commitment := game.Commitment()
	doc := api.Game{
		ID: game.ID, Game: game.Game, Rules: game.Rules, Options: sorted(game.Options),
		Status: api.GameStatus(game.Status.String()), Version: int64(game.Version), Seats: game.Seats,
		Players: encodePlayers(game.Players), Commitment: hex.EncodeToString(commitment[:]),
		Created: game.Created, Updated: game.Updated(), You: optSeat(seat), Turn: optSeat(game.Turn()),
		Asked: make([]int, 0, len(game.Asked)), Prompts: encodePrompts(game.Prompts()),
	}
	if len(game.Players) > 0 {
		doc.Host = game.Players[0].ID
	}
	for _, asked := range game.Asked {
		doc.Asked = append(doc.Asked, int(asked))
	}
	if outcome := game.Outcome(); outcome != nil {
		doc.Outcome = api.NewOptOutcome(encodeOutcome(outcome))
	}
	err := encodeSeat(&doc, game, seat)
	return doc, err
}

// encodeSeat adds what the seat alone is told.
func encodeSeat(doc *api.Game, game *host.Game, seat engine.Seat) (err error) {
	if doc.View, err = raw(game.View(seat)); err != nil {
		return err
	}
	if doc.Choices, err = encodeChoices(game.Choices(seat)); err != nil {
		return err
	}
	if doc.Offers, err = encodeChoices(game.Offers(seat)); err != nil {
		return err
	}
	orders, err := game.OrdersOf(seat)
	if err != nil {
		return err
	}
	doc.Undo = encodeUndo(game.UndoReason(seat))
	doc.Orders, err = encodeOrders(orders)
	return err
}

// raw is a value that has a schema of its own; nil is left out.
func raw(value any) (jx.Raw, error) {
	if value == nil {
		return nil, nil
	}
	return json.Marshal(value)
}

// sorted is a map as an object whose names are in order, so that the same answer is the same text. The generated encoder
// would take them as they come.
func sorted[V string | []string](m map[string]V) jx.Raw {
	encoded, err := json.Marshal(m)
	if err != nil {
		return jx.Raw("null") // maps of strings can be encoded
	}
	return encoded
}

func optSeat(seat engine.Seat) api.OptInt {
	if seat == engine.NoSeat {
		return api.OptInt{}
	}
	return api.NewOptInt(int(seat))
}

func encodePlayers(players []store.Player) []api.Player {
	encoded := make([]api.Player, len(players))
	for i, p := range players {
		encoded[i] = api.Player{ID: p.ID, Name: p.Name}
	}
	return encoded
}

func encodePrompts(prompts []engine.Prompt) []api.Prompt {
	encoded := make([]api.Prompt, len(prompts))
	for i, p := range prompts {
		encoded[i] = api.Prompt{ID: int64(p.ID), Seat: int(p.Seat), Kind: p.Kind}
		if p.Optional {
			encoded[i].Optional, encoded[i].Decided = api.NewOptBool(true), api.NewOptBool(p.Decided)
		}
	}
	return encoded
}

func encodeChoices(choices []engine.Choice) ([]api.Choice, error) {
	encoded := make([]api.Choice, len(choices))
	for i, c := range choices {
		args, err := raw(c.Action)
		if err != nil {
			return nil, err
		}
		facts, err := raw(c.Facts)
		if err != nil {
			return nil, err
		}
		encoded[i] = api.Choice{Kind: c.Action.Kind(), Args: args, Fill: encodeParams(c.Fill), Facts: facts}
		if c.Prompt != 0 {
			encoded[i].Prompt = api.NewOptInt64(int64(c.Prompt))
		}
	}
	return encoded, nil
}

func encodeParams(params []engine.Param) []api.Parameter {
	if len(params) == 0 {
		return nil // an empty list would be sent
	}
	encoded := make([]api.Parameter, len(params))
	for i, p := range params {
		parameter := api.Parameter{
			Name: p.Name, Kind: api.ParameterKind(p.Kind), Slots: p.Slots, Values: p.Values, Parties: encodeParties(p.Parties),
		}
		if p.Kind == engine.Range {
			parameter.Min, parameter.Max = api.NewOptInt(p.Min), api.NewOptInt(p.Max)
		}
		encoded[i] = parameter
	}
	return encoded
}

func encodeParties(parties []engine.Party) []api.Party {
	if len(parties) == 0 {
		return nil
	}
	encoded := make([]api.Party, len(parties))
	for i, p := range parties {
		encoded[i] = api.Party{Seat: int(p.Seat), Money: p.Money, Goods: sorted(p.Goods)}
	}
	return encoded
}

func encodeEvents(events []engine.Event) ([]api.Event, error) {
	encoded := make([]api.Event, len(events))
	for i, e := range events {
		args, err := raw(e.Args)
		if err != nil {
			return nil, err
		}
		encoded[i] = api.Event{Code: e.Code, Rule: optString(e.Rule), Args: args}
	}
	return encoded, nil
}

func optString(s string) api.OptString {
	if s == "" {
		return api.OptString{}
	}
	return api.NewOptString(s)
}

func encodeOutcome(outcome *engine.Outcome) api.Outcome {
	encoded := api.Outcome{Reason: outcome.Reason}
	for _, s := range outcome.Ranking {
		standing := api.Standing{Seat: int(s.Seat), Rank: s.Rank}
		for _, score := range s.Scores {
			standing.Scores = append(standing.Scores, api.Score(score))
		}
		encoded.Ranking = append(encoded.Ranking, standing)
	}
	return encoded
}

func encodeCatalogue(games []engine.Game) *api.Catalogue {
	catalogue := &api.Catalogue{Games: make([]api.CatalogueGame, len(games))}
	for i, game := range games {
		info := game.Info()
		catalogue.Games[i] = api.CatalogueGame{
			ID: info.ID, Name: info.Name, Rules: info.Version, MinSeats: info.MinSeats, MaxSeats: info.MaxSeats,
			Board: api.CatalogueGameBoard(info.Board), Options: []api.GameOption{}, Orders: []api.OrderType{},
		}
		for _, o := range game.Orders() {
			catalogue.Games[i].Orders = append(catalogue.Games[i].Orders, api.OrderType{Kind: o.Kind, Answers: o.Answers})
		}
		for _, o := range info.Options {
			option := api.GameOption{Name: o.Name, Values: o.Values, Default: o.Values[0]}
			catalogue.Games[i].Options = append(catalogue.Games[i].Options, option)
		}
	}
	return catalogue
}

func encodeOpenGames(games []store.OpenGame, next string) *api.OpenGames {
	encoded := &api.OpenGames{Games: make([]api.OpenGame, len(games)), Next: encodeCursor(next)}
	for i, g := range games {
		encoded.Games[i] = api.OpenGame{
			ID: g.ID, Game: g.Game, Options: sorted(g.Options), Seats: g.Seats,
			Players: encodePlayers(g.Players), Created: g.Created,
		}
	}
	return encoded
}

func encodeJournal(records []host.Record, more bool) (*api.Journal, error) {
	journal := &api.Journal{Entries: make([]api.Entry, len(records))}
	for i, r := range records {
		entry := api.Entry{Version: int64(r.Version), At: r.At, Kind: r.Entry.Deed.String()}
		if r.Entry.Player != nil {
			entry.Player = api.NewOptPlayer(api.Player{ID: r.Entry.Player.ID, Name: r.Entry.Player.Name})
		}
		if r.Entry.Prompt != 0 {
			entry.Prompt = api.NewOptInt64(int64(r.Entry.Prompt))
		}
		if r.Entry.Auto {
			entry.Auto = api.NewOptBool(true)
		}
		if r.Entry.Back != 0 {
			entry.Back = api.NewOptInt64(int64(r.Entry.Back))
		}
		if r.Entry.Player == nil {
			entry.Seat = api.NewOptInt(int(r.Entry.Seat))
		}
		if r.Action != nil {
			args, err := raw(r.Action)
			if err != nil {
				return nil, err
			}
			entry.Kind, entry.Args = r.Action.Kind(), args
		}
		journal.Entries[i] = entry
	}
	if more {
		journal.Next = encodeCursor(strconv.FormatUint(records[len(records)-1].Version, 10))
	}
	return journal, nil
}

package rest

import (
	"context"
	"encoding/json"

	"github.com/go-faster/jx"

	"boulevard/api"
	"boulevard/engine"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

// Preview says what an action would do.
func (s *server) Preview(ctx context.Context, req *api.NewAction, p api.PreviewParams) (*api.PreviewHeaders, error) {
	cmd := host.Command{
		Game: p.Game, Player: caller(ctx), Play: host.Play{Kind: req.Kind, Args: req.Args},
		Prompt: engine.PromptID(req.Prompt.Value),
	}
	preview, err := s.host.Preview(ctx, cmd)
	if err != nil {
		return nil, err
	}
	return encodePreview(preview, preview.Game.SeatOf(cmd.Player.ID))
}

// Undo takes back the caller's last action.
func (s *server) Undo(ctx context.Context, p api.UndoParams) (*api.DoneHeaders, error) {
	version, err := decodeVersion(p.IfMatch)
	if err != nil {
		return nil, err
	}
	return s.do(ctx, host.Command{Game: p.Game, Key: p.IdempotencyKey, Deed: store.Undo, Version: version})
}

// SetOrders replaces the caller's standing orders.
func (s *server) SetOrders(ctx context.Context, req *api.NewOrders, p api.SetOrdersParams) (*api.DoneHeaders, error) {
	version, err := decodeVersion(p.IfMatch)
	if err != nil {
		return nil, err
	}
	return s.do(ctx, host.Command{
		Game: p.Game, Key: p.IdempotencyKey, Deed: store.Order, Orders: decodeOrders(req.Orders), Version: version,
	})
}

// GetGameAt shows a game as it was.
func (s *server) GetGameAt(ctx context.Context, p api.GetGameAtParams) (*api.GameHeaders, error) {
	game, err := s.host.At(ctx, p.Game, uint64(p.Version))
	if err != nil {
		return nil, err
	}
	return gameAnswer(game, caller(ctx))
}

// ExportGame writes a game as one document.
func (s *server) ExportGame(ctx context.Context, p api.ExportGameParams) (jx.Raw, error) {
	doc, err := s.host.Export(ctx, p.Game, caller(ctx).ID)
	if err != nil {
		return nil, err
	}
	return json.Marshal(doc)
}

// GetProof writes what the dice can be checked by.
func (s *server) GetProof(ctx context.Context, p api.GetProofParams) (jx.Raw, error) {
	doc, err := s.host.Proof(ctx, p.Game)
	if err != nil {
		return nil, err
	}
	return json.Marshal(doc)
}

// GetDice counts the faces that were rolled.
func (s *server) GetDice(ctx context.Context, p api.GetDiceParams) (*api.Histogram, error) {
	faces, err := s.host.Histogram(ctx, p.Game)
	return &api.Histogram{Faces: faces[:]}, err
}

// ListWaiting lists the decisions that wait for the caller.
func (s *server) ListWaiting(ctx context.Context, p api.ListWaitingParams) (*api.Inbox, error) {
	cursor, err := decodeCursor(p.Cursor)
	if err != nil {
		return nil, err
	}
	waiting, next, err := s.host.Waiting(ctx, caller(ctx).ID, cursor, p.Limit.Or(defaultLimit))
	if err != nil {
		return nil, err
	}
	inbox := &api.Inbox{Waiting: make([]api.Waiting, len(waiting)), Next: encodeCursor(next)}
	for i, w := range waiting {
		if inbox.Waiting[i], err = encodeWaiting(w); err != nil {
			return nil, err
		}
	}
	return inbox, nil
}

func encodeWaiting(w host.Waiting) (api.Waiting, error) {
	choices, err := encodeChoices(w.Choices)
	encoded := api.Waiting{
		ID: w.Game.ID, Game: w.Game.Game, Version: int64(w.Game.Version), Seat: int(w.Seat), Kind: w.Prompt.Kind,
		Players: encodePlayers(w.Game.Players), Updated: w.Game.Updated(), Choices: choices,
	}
	if w.Prompt.ID != 0 {
		encoded.Prompt = api.NewOptInt64(int64(w.Prompt.ID))
	}
	return encoded, err
}

func encodePreview(preview host.Preview, seat engine.Seat) (*api.PreviewHeaders, error) {
	events, err := encodeEvents(engine.Visible(preview.Events, seat))
	if err != nil {
		return nil, err
	}
	encoded := api.Preview{Version: int64(preview.Game.Version), Events: events}
	if preview.Stopped != "" {
		encoded.Stopped = api.NewOptPreviewStopped(api.PreviewStopped(preview.Stopped))
	}
	if preview.After != nil {
		encoded.View, err = raw(preview.After.View(seat))
	}
	return &api.PreviewHeaders{ETag: etag(preview.Game), Response: encoded}, err
}

func encodeUndo(reason string) api.Undo {
	undo := api.Undo{Allowed: reason == ""}
	if reason != "" {
		undo.Reason = api.NewOptUndoReason(api.UndoReason(reason))
	}
	return undo
}

func encodeOrders(orders []engine.Order) ([]api.StandingOrder, error) {
	encoded := make([]api.StandingOrder, len(orders))
	for i, o := range orders {
		args, err := raw(o)
		if err != nil {
			return nil, err
		}
		encoded[i] = api.StandingOrder{Kind: o.Kind(), Args: args}
	}
	return encoded, nil
}

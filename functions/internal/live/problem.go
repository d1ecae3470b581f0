package live

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/go-faster/jx"

	"boulevard/api"
	"boulevard/functions/internal/host"
)

// The codes of what a message can get wrong, beside those of host.Error. Where HTTP knows the same fault it has the same
// name.
const (
	malformedJSON = "malformed_json"
	unknownField  = "unknown_field"
	missingField  = "missing_field"
	wrongType     = "wrong_type"
	invalidValue  = "invalid_value"
	unknownType   = "unknown_type"
	tooManyGames  = "too_many_games"
	tokenMissing  = "token_missing"
	internal      = "internal"
)

// Problem is why a message was not followed. The connection stays.
type Problem struct {
	// Code is stable.
	Code string
	// Detail is for developers.
	Detail string
	// Game is the one that the problem is about, if it is about one.
	Game string
}

// Error tells developers. Clients read the fields.
func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

func (p *Problem) encode() []byte {
	return encode(func(e *jx.Encoder) {
		e.Field("type", func(e *jx.Encoder) { e.Str(problem) })
		e.Field("code", func(e *jx.Encoder) { e.Str(p.Code) })
		if p.Detail != "" {
			e.Field("detail", func(e *jx.Encoder) { e.Str(p.Detail) })
		}
		if p.Game != "" {
			e.Field("game", func(e *jx.Encoder) { e.Str(p.Game) })
		}
	})
}

// unknown does not repeat the name: what the client made up can be long, or not print.
func unknown() error {
	return &Problem{Code: unknownField, Detail: "a field is not one of this message's"}
}

func tooMany() *Problem {
	return &Problem{Code: tooManyGames, Detail: "a connection watches at most 100 games"}
}

// problemOf is what a client is told of an error. What is not meant for clients is logged instead.
func problemOf(ctx context.Context, log *slog.Logger, err error) *Problem {
	if known, ok := errors.AsType[*Problem](err); ok {
		return known
	}
	if known, ok := errors.AsType[*host.Error](err); ok {
		return &Problem{Code: known.Code, Detail: known.Message}
	}
	log.ErrorContext(ctx, "live message failed", "error", err)
	return &Problem{Code: internal}
}

// unauthorized answers a connection without a token that works.
func unauthorized(w http.ResponseWriter, p *Problem) {
	const status = http.StatusUnauthorized
	body := api.Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Code: p.Code, Detail: api.NewOptString(p.Detail),
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	var e jx.Encoder
	body.Encode(&e)
	_, _ = w.Write(e.Bytes())
}

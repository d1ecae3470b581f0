package rest

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/go-faster/jx"
	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/ogen-go/ogen/openapi"
	"github.com/ogen-go/ogen/validate"

	"boulevard/api"
	"boulevard/engine"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/notify"
)

// The codes of what HTTP itself can get wrong, beside those of host.Error.
const (
	internal           = "internal"
	notFoundCode       = "not_found"
	methodCode         = "method_not_allowed"
	bodyMissing        = "body_missing"
	bodyTooLarge       = "body_too_large"
	mediaType          = "unsupported_media_type"
	malformedJSON      = "malformed_json"
	unknownField       = "unknown_field"
	missingField       = "missing_field"
	wrongType          = "wrong_type"
	invalidValue       = "invalid_value"
	missingParameter   = "missing_parameter"
	invalidParameter   = "invalid_parameter"
	tokenMissing       = "token_missing"
	cursorInvalid      = "invalid_cursor"
	unreadable         = "unreadable_request"
	tooManyRequests    = "too_many_requests"
	problemContentType = "application/problem+json"
)

// statuses is the HTTP status of every code.
var statuses = map[string]int{
	internal:         http.StatusInternalServerError,
	notFoundCode:     http.StatusNotFound,
	methodCode:       http.StatusMethodNotAllowed,
	bodyMissing:      http.StatusBadRequest,
	bodyTooLarge:     http.StatusRequestEntityTooLarge,
	mediaType:        http.StatusUnsupportedMediaType,
	malformedJSON:    http.StatusBadRequest,
	unknownField:     http.StatusBadRequest,
	missingField:     http.StatusBadRequest,
	wrongType:        http.StatusBadRequest,
	invalidValue:     http.StatusBadRequest,
	missingParameter: http.StatusBadRequest,
	invalidParameter: http.StatusBadRequest,
	cursorInvalid:    http.StatusBadRequest,
	unreadable:       http.StatusBadRequest,
	tokenMissing:     http.StatusUnauthorized,
	tooManyRequests:  http.StatusTooManyRequests,

	host.TokenInvalid:         http.StatusUnauthorized,
	host.TokenExpired:         http.StatusUnauthorized,
	host.TokenRevoked:         http.StatusUnauthorized,
	host.IssuerNotConfigured:  http.StatusNotFound,
	host.BadName:              http.StatusUnprocessableEntity,
	host.GameNotFound:         http.StatusNotFound,
	host.GameUnknown:          http.StatusUnprocessableEntity,
	host.NotSeated:            http.StatusForbidden,
	host.NotAsked:             http.StatusForbidden,
	host.NotHost:              http.StatusForbidden,
	host.AlreadySeated:        http.StatusConflict,
	host.GameFull:             http.StatusConflict,
	host.GameNotOpen:          http.StatusConflict,
	host.GameNotPlaying:       http.StatusConflict,
	host.TooFewPlayers:        http.StatusConflict,
	host.PlayerInvalid:        http.StatusUnprocessableEntity,
	host.AlreadyInvited:       http.StatusConflict,
	host.TooManyInvited:       http.StatusConflict,
	host.VersionConflict:      http.StatusConflict,
	host.PromptClosed:         http.StatusConflict,
	host.VersionMissing:       http.StatusPreconditionRequired,
	host.VersionAndPrompt:     http.StatusBadRequest,
	host.UndoRefused:          http.StatusConflict,
	host.VersionNotFound:      http.StatusNotFound,
	host.KeyReused:            http.StatusUnprocessableEntity,
	host.Refused:              http.StatusUnprocessableEntity,
	host.Busy:                 http.StatusServiceUnavailable,
	notify.ZoneUnknown:        http.StatusUnprocessableEntity,
	notify.ChannelNotFound:    http.StatusNotFound,
	notify.ChannelUnavailable: http.StatusUnprocessableEntity,
	notify.AddressInvalid:     http.StatusUnprocessableEntity,
	notify.TooManyChannels:    http.StatusConflict,
	notify.CodeWrong:          http.StatusForbidden,
	notify.TooSoon:            http.StatusTooManyRequests,
	notify.TicketInvalid:      http.StatusNotFound,

	host.Unavailable:    http.StatusServiceUnavailable,
	host.OutcomeUnknown: http.StatusServiceUnavailable,
}

func newProblem(code, detail string) *api.ProblemStatusCode {
	status := statuses[code]
	return &api.ProblemStatusCode{StatusCode: status, Response: api.Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Code: code, Detail: optString(detail),
	}}
}

// NewError makes a problem of an error that a handler returned. What is not meant for clients is logged instead.
func (s *server) NewError(ctx context.Context, err error) *api.ProblemStatusCode {
	var known *host.Error
	switch {
	case errors.As(err, &known):
		return s.fromHost(ctx, known)
	case errors.Is(err, ogenerrors.ErrSecurityRequirementIsNotSatisfied):
		return newProblem(tokenMissing, "send Authorization: Bearer and the token")
	}
	s.log.ErrorContext(ctx, "request failed", "error", err)
	return newProblem(internal, "")
}

func (s *server) fromHost(ctx context.Context, e *host.Error) *api.ProblemStatusCode {
	problem := newProblem(e.Code, e.Message)
	body := &problem.Response
	if e.Refusal != nil {
		body.Refusal = api.NewOptRefusal(s.encodeRefusal(ctx, e.Refusal))
	}
	if e.Conflict != nil {
		game, err := encodeGame(e.Conflict.Game, caller(ctx).ID)
		if err != nil {
			s.log.ErrorContext(ctx, "conflict without its game", "game", e.Conflict.Game.ID, "error", err)
			return problem
		}
		body.Game, body.StillLegal = api.NewOptGame(game), api.NewOptBool(e.Conflict.StillLegal)
	}
	return problem
}

func (s *server) encodeRefusal(ctx context.Context, r *engine.Refusal) api.Refusal {
	refusal := api.Refusal{Code: r.Code, Rule: optString(r.Rule)}
	if len(r.Args) == 0 {
		return refusal
	}
	var err error
	if refusal.Args, err = raw(r.Args); err != nil {
		s.log.ErrorContext(ctx, "refusal without its particulars", "code", r.Code, "error", err)
	}
	return refusal
}

// decodeFailed answers requests that do not fit the contract.
func (s *server) decodeFailed(_ context.Context, w http.ResponseWriter, r *http.Request, err error) {
	writeProblem(w, decodeProblem(r, err))
}

func decodeProblem(r *http.Request, err error) *api.ProblemStatusCode {
	var (
		tooLarge  *http.MaxBytesError
		media     *validate.InvalidContentTypeError
		parameter *ogenerrors.DecodeParamError
		body      *ogenerrors.DecodeBodyError
		fields    *validate.Error
	)
	switch {
	case errors.As(err, &tooLarge):
		return newProblem(bodyTooLarge, "the body is larger than 16 KB")
	case errors.As(err, &parameter):
		return parameterProblem(r, parameter)
	case errors.Is(err, validate.ErrBodyRequired):
		return newProblem(bodyMissing, "send a JSON object")
	case errors.As(err, &media), strings.Contains(err.Error(), "parse media type"):
		return newProblem(mediaType, "send application/json")
	case errors.As(err, &fields):
		return fieldsProblem(fields)
	case errors.As(err, &body):
		return bodyProblem(body)
	}
	return newProblem(unreadable, "")
}

// parameterProblem tells a parameter that is not there from one that is wrong. All that are required are headers.
func parameterProblem(r *http.Request, e *ogenerrors.DecodeParamError) *api.ProblemStatusCode {
	if e.In == openapi.LocationHeader && r.Header.Get(e.Name) == "" {
		return newProblem(missingParameter, e.Name)
	}
	return newProblem(invalidParameter, e.Name)
}

func fieldsProblem(e *validate.Error) *api.ProblemStatusCode {
	first := e.Fields[0]
	if errors.Is(first.Error, validate.ErrFieldRequired) {
		return newProblem(missingField, first.Name)
	}
	return newProblem(invalidValue, first.Name)
}

// bodyProblem tells JSON that is none from JSON of another shape. The generated decoder has no type for a field that it
// does not know, only words.
func bodyProblem(e *ogenerrors.DecodeBodyError) *api.ProblemStatusCode {
	switch {
	case !jx.Valid(e.Body):
		return newProblem(malformedJSON, "")
	case strings.Contains(e.Err.Error(), "unexpected field"):
		return newProblem(unknownField, "")
	}
	return newProblem(wrongType, "")
}

func badCursor() error {
	return &host.Error{Code: cursorInvalid, Message: "take the cursor from the page before"}
}

func notFound(w http.ResponseWriter, _ *http.Request) { writeProblem(w, newProblem(notFoundCode, "")) }

func methodNotAllowed(w http.ResponseWriter, _ *http.Request, allowed string) {
	w.Header().Set("Allow", allowed)
	writeProblem(w, newProblem(methodCode, ""))
}

func writeProblem(w http.ResponseWriter, problem *api.ProblemStatusCode) {
	w.Header().Set("Content-Type", problemContentType)
	w.WriteHeader(problem.StatusCode)
	encoder := jx.GetEncoder()
	defer jx.PutEncoder(encoder)
	problem.Response.Encode(encoder)
	_, _ = w.Write(encoder.Bytes())
}

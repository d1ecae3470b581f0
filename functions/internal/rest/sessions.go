package rest

import (
	"context"

	"boulevard/api"
	"boulevard/functions/internal/host"
)

// RefreshTokens exchanges a refresh token.
func (s *server) RefreshTokens(ctx context.Context, req *api.Refresh) (*api.Guest, error) {
	tokens, err := s.host.Refresh(ctx, req.Refresh)
	if err != nil {
		return nil, err
	}
	return encodeTokens(tokens), nil
}

// SignIn exchanges a token of the issuer's, which the gateway has checked.
func (s *server) SignIn(ctx context.Context) (*api.Guest, error) {
	person, _ := ctx.Value(personKey{}).(host.External)
	tokens, err := s.host.SignIn(ctx, person)
	if err != nil {
		return nil, err
	}
	return encodeTokens(tokens), nil
}

// ListSessions lists where the caller is signed in.
func (s *server) ListSessions(ctx context.Context) (*api.Sessions, error) {
	sessions, err := s.host.Sessions(ctx, caller(ctx).ID)
	if err != nil {
		return nil, err
	}
	encoded := &api.Sessions{Sessions: make([]api.Session, len(sessions))}
	current, _ := ctx.Value(sessionKey{}).(string)
	for i, session := range sessions {
		encoded.Sessions[i] = api.Session{
			ID: session.ID, Created: session.Created, Used: session.Used, Current: session.ID == current,
		}
	}
	return encoded, nil
}

// EndSession signs the caller out.
func (s *server) EndSession(ctx context.Context, p api.EndSessionParams) error {
	return s.host.EndSession(ctx, caller(ctx).ID, p.Session)
}

func encodeTokens(t host.Tokens) *api.Guest {
	return &api.Guest{Player: t.Player.ID, Name: t.Player.Name, Token: t.Access, Expires: t.Expires, Refresh: t.Refresh}
}

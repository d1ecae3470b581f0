package host

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/oklog/ulid/v2"

	"boulevard/functions/internal/store"
)

const maxName = 32

// grace is how long after a renewal the token that was exchanged is answered once more with what it was exchanged for: the
// answer may have been lost, or two tabs have sent it.
const grace = time.Minute

// Guest makes a new player, who is known by his session alone.
func (h *Host) Guest(ctx context.Context, name string) (Tokens, error) {
	if err := checkName(name); err != nil {
		return Tokens{}, err
	}
	return h.begin(ctx, ulid.MustNew(ulid.Timestamp(h.now()), ulid.DefaultEntropy()).String(), name)
}

// begin begins a session.
func (h *Host) begin(ctx context.Context, player, name string) (Tokens, error) {
	now := h.now().UnixMilli()
	s := store.Session{Player: player, ID: rand.Text(), Name: name, Created: now, Used: now, Count: 1}
	if err := h.sessions.CreateSession(ctx, s); err != nil {
		return Tokens{}, FromStore(err)
	}
	return h.tokens(s)
}

// External is a person whom an OpenID Connect issuer knows, as its token says and somebody else has checked.
type External struct {
	// Issuer and Subject name the person, and Name is what he wants to be called; it may be empty.
	Issuer, Subject, Name string
}

// unnamed is what a person is called whose issuer tells no name that prints.
const unnamed = "Player"

// SignIn begins a session of the player who is that person.
func (h *Host) SignIn(ctx context.Context, person External) (Tokens, error) {
	if person.Issuer == "" || person.Subject == "" {
		return Tokens{}, &Error{Code: IssuerNotConfigured, Message: "this host has no issuer of tokens"}
	}
	if checkName(person.Name) != nil {
		person.Name = unnamed
	}
	sum := sha256.Sum256([]byte("person\x00" + person.Issuer + "\x00" + person.Subject))
	return h.begin(ctx, ulid.ULID(sum[:len(ulid.ULID{})]).String(), person.Name)
}

// maxRenewals bounds how often a renewal is tried again that lost a race: the second time it is told what the winner was.
const maxRenewals = 3

// Refresh exchanges a refresh token for new tokens. One that was exchanged long before is in two hands, of which one has
// stolen it: nobody can tell which, so the session ends.
func (h *Host) Refresh(ctx context.Context, token string) (Tokens, error) {
	c, err := h.verify(token)
	if err != nil || !slices.Contains(c.Audience, forRefresh) {
		return Tokens{}, orInvalid(err)
	}
	for range maxRenewals {
		tokens, err := h.renew(ctx, c)
		if !errors.Is(err, store.ErrSessionMoved) {
			return tokens, FromStore(err)
		}
	}
	return Tokens{}, &Error{Code: Busy, Message: "too many renewals at once"}
}

func (h *Host) renew(ctx context.Context, c claims) (Tokens, error) {
	s, err := h.sessions.Session(ctx, c.Subject, c.Session)
	if errors.Is(err, store.ErrNotFound) {
		return Tokens{}, revoked()
	}
	if err != nil {
		return Tokens{}, err
	}
	now := h.now().UnixMilli()
	switch {
	case c.Count == s.Count:
		s.Count, s.Used = s.Count+1, now
		if err := h.sessions.RenewSession(ctx, s); err != nil {
			return Tokens{}, err
		}
	case c.Count+1 != s.Count || now-s.Used > grace.Milliseconds():
		if err := h.sessions.EndSession(ctx, s.Player, s.ID); err != nil {
			return Tokens{}, err
		}
		return Tokens{}, revoked()
	}
	return h.tokens(s)
}

func revoked() *Error { return &Error{Code: TokenRevoked, Message: "the session has ended"} }

// Sessions lists a player's sessions.
func (h *Host) Sessions(ctx context.Context, player string) ([]store.Session, error) {
	sessions, err := h.sessions.Sessions(ctx, player)
	return sessions, FromStore(err)
}

// EndSession ends one of a player's sessions. Its access token works until it expires, within the hour.
func (h *Host) EndSession(ctx context.Context, player, id string) error {
	return FromStore(h.sessions.EndSession(ctx, player, id))
}

// checkName accepts names that show as what they are: no control, direction or other invisible characters, and no space
// but the plain one.
func checkName(name string) error {
	ok := utf8.ValidString(name) && utf8.RuneCountInString(name) <= maxName
	visible := false
	for _, r := range name {
		ok = ok && unicode.IsPrint(r)
		visible = visible || (unicode.IsPrint(r) && r != ' ')
	}
	if !ok || !visible {
		return &Error{Code: BadName, Message: "a name has 1 to 32 characters that print"}
	}
	return nil
}

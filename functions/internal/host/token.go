package host

import (
	"errors"
	"slices"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"boulevard/functions/internal/store"
)

// accessLife is how long an access token works. Nobody is asked whether its session has ended meanwhile, so it is short.
const accessLife = time.Hour

const (
	issuer = "boulevard"
	// forRefresh is the audience of refresh tokens. Access tokens have none.
	forRefresh = "refresh"
)

// claims are those of both kinds of tokens.
type claims struct {
	jwt.RegisteredClaims
	Name string `json:"name,omitempty"`
	// Session is the session's id.
	Session string `json:"sid,omitempty"`
	// Count is which renewal of its session a refresh token is of.
	Count uint64 `json:"count,omitempty"`
}

// Tokens are what a session gives a player.
type Tokens struct {
	Player store.Player
	// Access is sent with every request until it expires, at Expires (unix milliseconds).
	Access  string
	Expires int64
	// Refresh is exchanged for new tokens, once.
	Refresh string
}

// tokens are those of a session as it stands: the same session gives the same tokens.
func (h *Host) tokens(s store.Session) (Tokens, error) {
	used := time.UnixMilli(s.Used)
	t := Tokens{Player: store.Player{ID: s.Player, Name: s.Name}, Expires: used.Add(accessLife).UnixMilli()}
	registered := jwt.RegisteredClaims{
		Issuer: issuer, Subject: s.Player, IssuedAt: jwt.NewNumericDate(used), ExpiresAt: jwt.NewNumericDate(used.Add(accessLife)),
	}
	var err error
	if t.Access, err = h.sign(claims{RegisteredClaims: registered, Name: s.Name, Session: s.ID}); err != nil {
		return Tokens{}, err
	}
	registered.Audience, registered.ExpiresAt = jwt.ClaimStrings{forRefresh}, jwt.NewNumericDate(used.Add(store.SessionLife))
	t.Refresh, err = h.sign(claims{RegisteredClaims: registered, Session: s.ID, Count: s.Count})
	return t, err
}

func (h *Host) sign(c claims) (string, error) {
	unsigned := jwt.NewWithClaims(jwt.SigningMethodHS256, c)
	unsigned.Header["kid"] = h.keys.inUse()
	return unsigned.SignedString(h.keys.masters[0].tokens[:])
}

// Player is whom an access token belongs to, and the id of the session that it is of.
func (h *Host) Player(token string) (player store.Player, session string, err error) {
	c, err := h.verify(token)
	if err != nil || slices.Contains(c.Audience, forRefresh) {
		return store.Player{}, "", orInvalid(err)
	}
	return store.Player{ID: c.Subject, Name: c.Name}, c.Session, nil
}

func (h *Host) verify(token string) (claims, error) {
	var c claims
	_, err := jwt.ParseWithClaims(token, &c, func(t *jwt.Token) (any, error) {
		kid, _ := t.Header["kid"].(string)
		m, err := h.keys.named(kid)
		return m.tokens[:], err
	}, jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithIssuer(issuer),
		jwt.WithExpirationRequired(), jwt.WithTimeFunc(h.now))
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return claims{}, &Error{Code: TokenExpired, Message: "the token has run out"}
	case err != nil || c.Subject == "":
		return claims{}, orInvalid(nil)
	}
	return c, nil
}

// orInvalid is the error, or the one of a token that is not what it should be.
func orInvalid(err error) error {
	if err != nil {
		return err
	}
	return &Error{Code: TokenInvalid, Message: "the token is not one of ours"}
}

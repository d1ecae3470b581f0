package host

import (
	"errors"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/golang-jwt/jwt/v5"
	"github.com/oklog/ulid/v2"

	"boulevard/functions/internal/store"
)

// tokenLife is how long a guest's token works. Games last months, and a guest has nothing but the token.
const tokenLife = 365 * 24 * time.Hour

const (
	issuer  = "boulevard"
	maxName = 32
)

type claims struct {
	jwt.RegisteredClaims
	Name string `json:"name"`
}

// Guest makes a new player, known by the token alone, and says when that expires (unix milliseconds).
func (h *Host) Guest(name string) (player store.Player, token string, expires int64, err error) {
	if err := checkName(name); err != nil {
		return store.Player{}, "", 0, err
	}
	now := h.now()
	until := now.Add(tokenLife)
	player = store.Player{ID: ulid.MustNew(ulid.Timestamp(now), ulid.DefaultEntropy()).String(), Name: name}
	unsigned := jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		Name: name,
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: issuer, Subject: player.ID, IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(until),
		},
	})
	unsigned.Header["kid"] = h.keys.inUse()
	token, err = unsigned.SignedString(h.keys.masters[0].tokens[:])
	return player, token, until.UnixMilli(), err
}

// Player is whom a token belongs to.
func (h *Host) Player(token string) (store.Player, error) {
	var c claims
	_, err := jwt.ParseWithClaims(token, &c, func(t *jwt.Token) (any, error) {
		kid, _ := t.Header["kid"].(string)
		m, err := h.keys.named(kid)
		return m.tokens[:], err
	}, jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithIssuer(issuer),
		jwt.WithExpirationRequired(), jwt.WithTimeFunc(h.now))
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return store.Player{}, &Error{Code: TokenExpired, Message: "the token has run out"}
	case err != nil || c.Subject == "":
		return store.Player{}, &Error{Code: TokenInvalid, Message: "the token is not one of ours"}
	}
	return store.Player{ID: c.Subject, Name: c.Name}, nil
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

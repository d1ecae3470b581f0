package rest_test

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"boulevard/api"
)

func TestToken_ForeignOrAlteredOrExpired_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	ann := b.guest("Ann")
	foreign := func(method jwt.SigningMethod, key any, header map[string]any) string {
		token := jwt.NewWithClaims(method, jwt.MapClaims{
			"iss": "boulevard", "sub": ann.player, "name": "Ann", "exp": time.Now().Add(time.Hour).Unix(),
		})
		maps.Copy(token.Header, header)
		signed, err := token.SignedString(key)
		require.NoError(t, err)
		return signed
	}
	parsed, _, err := jwt.NewParser().ParseUnverified(ann.token, jwt.MapClaims{})
	require.NoError(t, err)
	kid := parsed.Header["kid"]
	parts := strings.Split(ann.token, ".")
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	require.NoError(t, err)
	altered := base64.RawURLEncoding.EncodeToString(bytes.Replace(claims, []byte("Ann"), []byte("Bob"), 1))

	for what, token := range map[string]string{
		"not a token":     "ann",
		"another key":     foreign(jwt.SigningMethodHS256, []byte("guess"), map[string]any{"kid": kid}),
		"no key":          foreign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, map[string]any{"kid": kid}),
		"another method":  foreign(jwt.SigningMethodHS512, []byte("guess"), map[string]any{"kid": kid}),
		"unknown key id":  foreign(jwt.SigningMethodHS256, []byte("guess"), map[string]any{"kid": "other"}),
		"odd key id":      foreign(jwt.SigningMethodHS256, []byte("guess"), map[string]any{"kid": 7}),
		"altered claims":  parts[0] + "." + altered + "." + parts[2],
		"no signature":    parts[0] + "." + parts[1] + ".",
		"trailing garble": ann.token + "x",
	} {
		t.Run(what, func(*testing.T) {
			(&client{b: b, token: token}).get("/v1/games").problem(http.StatusUnauthorized, "token_invalid")
		})
	}
	ann.get("/v1/games").expect(http.StatusOK)
	b.ahead.Store(int64(366 * 24 * time.Hour))
	ann.get("/v1/games").problem(http.StatusUnauthorized, "token_expired")
}

// S1, for who is not at the table: a spectator sees the game, and may do nothing.
func TestS1_Spectator_SeesTheTable_AndIsOfferedNothing(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, _ := b.started("Ann", "Bob")
		seen := b.guest("Cleo").game(game.ID)
		require.False(t, seen.You.Set)
		require.Empty(t, seen.Choices)
		require.NotEmpty(t, seen.View)
	})
}

// S2: seed and secret in no answer, log line or error.
func TestS2_SecretsOfTheDice_InNoAnswerAndNoLog(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		game, players := b.started("Ann", "Bob", "Cleo")
		var seen bytes.Buffer
		for game.Status == api.GameStatusPlaying {
			for _, p := range append(players, b.guest("Dan")) {
				seen.Write(p.get("/v1/games/" + game.ID).body)
			}
			seen.Write(players[game.Turn.Value].post(actions(game.ID), action("draw", nil), ifMatch(1), newKey()).body)
			game = b.playOn(game, players)
		}
		seen.Write(players[0].get("/v1/games/" + game.ID + "/journal?limit=100").body)
		seen.WriteString(b.logs.String())
		for _, secret := range b.secrets(game.ID) {
			for _, form := range []string{
				string(secret), hex.EncodeToString(secret), base64.StdEncoding.EncodeToString(secret),
				base64.RawURLEncoding.EncodeToString(secret),
			} {
				require.NotContains(t, seen.String(), form)
			}
		}
	})
}

// secrets are what nobody may see: the master secret and what is derived of it, worked out here once more.
func (b *bundle) secrets(game string) [][]byte {
	b.tb.Helper()
	derive := func(purpose string) []byte {
		key, err := hkdf.Key(sha256.New, masterSecret, nil, "boulevard "+purpose, 32)
		require.NoError(b.tb, err)
		return key
	}
	secret := derive("game " + game)
	seed := hmac.New(sha256.New, secret)
	seed.Write([]byte(game))

	stored, err := b.host.Game(b.tb.Context(), game)
	require.NoError(b.tb, err)
	commitment := sha256.Sum256(secret)
	require.Equal(b.tb, commitment, stored.Commitment(), "these are the secrets that are used")
	return [][]byte{masterSecret, derive("tokens"), secret, seed.Sum(nil)}
}

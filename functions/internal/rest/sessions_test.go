package rest_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/api"
)

// newGuest is a guest with his tokens.
func (b *bundle) newGuest(name string) (*client, api.Guest) {
	b.tb.Helper()
	c := &client{b: b}
	var guest api.Guest
	c.post("/v1/players", map[string]any{"name": name}).expect(http.StatusCreated).into(&guest)
	c.player, c.token = guest.Player, guest.Token
	return c, guest
}

func (b *bundle) refresh(token string) *answer {
	b.tb.Helper()
	return (&client{b: b}).post("/v1/tokens", map[string]any{"refresh": token})
}

func (b *bundle) refreshed(token string) api.Guest {
	b.tb.Helper()
	var guest api.Guest
	b.refresh(token).expect(http.StatusOK).into(&guest)
	return guest
}

func TestTokens_AccessLastsAnHour_RefreshGoesOn(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		ann, guest := b.newGuest("Ann")
		b.ahead.Add(int64(59 * time.Minute))
		ann.get("/v1/me/sessions").expect(http.StatusOK)
		b.ahead.Add(int64(2 * time.Minute))
		ann.get("/v1/me/sessions").problem(http.StatusUnauthorized, "token_expired")
		again := b.refreshed(guest.Refresh)
		require.Equal(t, guest.Player, again.Player)
		require.Equal(t, "Ann", again.Name)
		require.NotEqual(t, guest.Refresh, again.Refresh)
		ann.token = again.Token
		ann.get("/v1/me/sessions").expect(http.StatusOK)
		b.ahead.Add(int64(181 * 24 * time.Hour))
		b.refresh(again.Refresh).problem(http.StatusUnauthorized, "token_expired")
	})
}

// A lost answer, or two tabs at once: the same request is answered alike.
func TestTokens_RefreshedAgainAtOnce_AreTheSame(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		_, guest := b.newGuest("Ann")
		var tabs sync.WaitGroup
		got := make([]*answer, 4)
		for i := range got {
			tabs.Go(func() { got[i] = b.refresh(guest.Refresh) })
		}
		tabs.Wait()
		for _, a := range got {
			require.Equal(t, string(got[0].expect(http.StatusOK).body), string(a.expect(http.StatusOK).body))
		}
	})
}

// A refresh token that is used again later is in two hands: the session ends for both.
func TestTokens_StolenRefreshToken_EndsTheSession(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(_ *testing.T, b *bundle) {
		_, guest := b.newGuest("Ann")
		second := b.refreshed(guest.Refresh)
		b.ahead.Add(int64(2 * time.Minute))
		b.refresh(guest.Refresh).problem(http.StatusUnauthorized, "token_revoked")
		b.refresh(second.Refresh).problem(http.StatusUnauthorized, "token_revoked")

		_, guest = b.newGuest("Bob")
		third := b.refreshed(b.refreshed(guest.Refresh).Refresh)
		b.refresh(guest.Refresh).problem(http.StatusUnauthorized, "token_revoked")
		b.refresh(third.Refresh).problem(http.StatusUnauthorized, "token_revoked")
	})
}

func TestSessions_AreEndedByTheirPlayerAlone(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(_ *testing.T, b *bundle) {
		ann, guest := b.newGuest("Ann")
		bob, _ := b.newGuest("Bob")
		var sessions api.Sessions
		ann.get("/v1/me/sessions").expect(http.StatusOK).into(&sessions)
		require.Len(b.tb, sessions.Sessions, 1)
		require.True(b.tb, sessions.Sessions[0].Current)
		path := "/v1/me/sessions/" + sessions.Sessions[0].ID
		bob.send(http.MethodDelete, path, "").expect(http.StatusNoContent)
		guest = b.refreshed(guest.Refresh)
		for range 2 {
			ann.send(http.MethodDelete, path, "").expect(http.StatusNoContent)
		}
		b.refresh(guest.Refresh).problem(http.StatusUnauthorized, "token_revoked")
	})
}

func TestTokens_OfTheOtherKind_AreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	ann, guest := b.newGuest("Ann")
	b.refresh(guest.Token).problem(http.StatusUnauthorized, "token_invalid")
	b.refresh("x").problem(http.StatusUnauthorized, "token_invalid")
	b.refresh(strings.Repeat("x", 2049)).problem(http.StatusBadRequest, "invalid_value")
	altered := guest.Refresh[:len(guest.Refresh)-2] + "AA"
	b.refresh(altered).problem(http.StatusUnauthorized, "token_invalid")
	ann.token = guest.Refresh
	ann.get("/v1/me/sessions").problem(http.StatusUnauthorized, "token_invalid")
}

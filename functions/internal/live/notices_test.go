package live_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/live"
	"boulevard/functions/internal/notify"
)

var turn = notify.Message{ID: "g.7.1.live", Kind: notify.YourTurn, Game: "g", Version: 7, Title: "Your turn: Lords of Vegas", Badge: 2}

var told = said{Type: "notice", ID: "g.7.1.live", Kind: "your_turn", Game: "g", Version: 7, Title: "Your turn: Lords of Vegas", Badge: 2}

func TestNotices_AreToldOnAllDevicesOfThePlayer_AndToNobodyElse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	channel := live.NewNotices(b.hub)
	ann, token := b.guest("Ann")
	to := notify.Address{Target: ann.ID}
	require.Equal(t, notify.Outcome{Verdict: notify.Refused, Reason: "no_connection"}, channel.Send(t.Context(), to, turn))
	online, err := b.hub.Online(t.Context(), ann.ID)
	require.NoError(t, err)
	require.False(t, online)

	phone, laptop, other := dial(t, b.url, token), dial(t, b.url, token), b.device()
	for _, d := range []*device{phone, laptop, other} {
		d.ping() // it is connected
	}
	online, err = b.hub.Online(t.Context(), ann.ID)
	require.NoError(t, err)
	require.True(t, online)
	require.Equal(t, notify.Accepted, channel.Send(t.Context(), to, turn).Verdict)
	require.Equal(t, told, phone.hear())
	require.Equal(t, told, laptop.hear())
	other.ping() // and has heard nothing
}

// A client that does not read is told a few, and the ledger learns that it was not told the rest.
func TestNotices_ForAClientThatDoesNotRead_AreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	channel := live.NewNotices(b.hub)
	ann, token := b.guest("Ann")
	dial(t, b.url, token).ping()
	long := turn
	long.Title = string(make([]byte, 1<<20))
	require.Eventually(t, func() bool {
		return channel.Send(t.Context(), notify.Address{Target: ann.ID}, long).Verdict == notify.Refused
	}, patience, 1)
}

func TestGateway_Notices_AreToldOnAllDevicesOfThePlayer(t *testing.T) {
	t.Parallel()
	c := setupCloud(t)
	channel := live.NewNotices(c.Gateway)
	ann, token := c.guest("Ann")
	to := notify.Address{Target: ann.ID}
	require.Equal(t, "no_connection", channel.Send(t.Context(), to, turn).Reason)
	for _, connection := range []string{"phone=", "laptop=", "gone="} {
		answer := c.event(connection, "CONNECT", "", map[string]string{"Authorization": "Bearer " + token})
		require.Equal(t, http.StatusOK, answer.StatusCode)
	}
	c.connect("other=")
	c.api.hangUp("gone=")
	require.Equal(t, notify.Accepted, channel.Send(t.Context(), to, turn).Verdict)
	require.Equal(t, []said{told}, c.api.heard("phone="))
	require.Equal(t, []said{told}, c.api.heard("laptop="))
	require.Empty(t, c.api.heard("other="))

	c.event("phone=", "DISCONNECT", "", nil)
	c.api.hangUp("laptop=") // which nobody is told of
	require.Equal(t, "no_connection", channel.Send(t.Context(), to, turn).Reason)
	online, err := c.Online(t.Context(), ann.ID)
	require.NoError(t, err)
	require.False(t, online, "whoever is found gone is forgotten")
}

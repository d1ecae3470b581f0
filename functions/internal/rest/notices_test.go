package rest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/api"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/addresses"
	"boulevard/functions/internal/notify/channels"
	"boulevard/functions/internal/notify/guard"
	"boulevard/functions/internal/store"
)

// loopback is open to the webhooks of tests.
var loopback = guard.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}

// checks are those of a host that has every kind of channel. It takes any mailbox and any device.
func checks() map[notify.ChannelKind]func(notify.Address) error {
	all := addresses.Checks([]notify.ChannelKind{notify.Webhook, notify.WebPush}, loopback)
	all[notify.Email] = func(notify.Address) error { return nil }
	return all
}

// sending sends what is due, until the test ends.
func (b *bundle) sending() {
	b.tb.Helper()
	list, err := channels.Open(channels.Config{Guard: loopback})
	require.NoError(b.tb, err)
	list[notify.Live] = live.NewNotices(live.NewHub())
	sender := &notify.Sender{
		Table: b.table, Host: b.host, Channels: list, Site: b.url, Queue: notify.Listed, Log: b.log, Now: b.now,
	}
	wake := make(chan struct{})
	close(wake) // it never sleeps
	ctx, cancel := context.WithCancel(b.tb.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		sender.Run(ctx, wake)
	}()
	b.tb.Cleanup(func() {
		cancel()
		<-done
	})
}

func (c *client) channel(body any) api.Channel {
	c.b.tb.Helper()
	var channel api.Channel
	c.post("/v1/me/channels", body).expect(http.StatusOK).into(&channel)
	return channel
}

func (c *client) contact() api.Contact {
	c.b.tb.Helper()
	var contact api.Contact
	c.get("/v1/me/contact").expect(http.StatusOK).into(&contact)
	return contact
}

func TestContact_IsKept_WithItsChannels(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		ann := b.guest("Ann")
		require.Equal(t, api.Contact{Zone: "UTC", Channels: []api.Channel{}, PushKey: api.NewOptString("push-key")}, ann.contact())
		added := ann.channel(map[string]any{"kind": "webhook", "address": "https://hooks.example.org/secret-path"})
		ann.sendJSON(http.MethodPut, "/v1/me/contact", map[string]any{
			"zone": "Europe/Vienna", "quiet": map[string]string{"from": "22:00", "to": "07:30"}, "digest": 15,
		}).expect(http.StatusOK)
		contact := ann.contact()
		require.Equal(t, "Europe/Vienna", contact.Zone)
		require.Equal(t, api.NewOptQuiet(api.Quiet{From: "22:00", To: "07:30"}), contact.Quiet)
		require.Equal(t, 15, contact.Digest)
		require.Len(t, contact.Channels, 1)
		require.Equal(t, api.ChannelStateOn, contact.Channels[0].State)
		require.Equal(t, "hooks.example.org", contact.Channels[0].Address, "as much as is needed to know it again")
		require.True(t, strings.HasPrefix(added.Secret.Value, "whsec_"))
		require.Empty(t, contact.Channels[0].Secret.Value, "it is told when the channel is added")

		again := ann.channel(map[string]any{"kind": "webhook", "address": "https://hooks.example.org/secret-path", "rank": 3})
		require.Equal(t, added.ID, again.ID)
		require.Equal(t, added.Secret, again.Secret)
		require.Len(t, ann.contact().Channels, 1)
		bob := b.guest("Bob")
		require.NotEqual(t, added.ID, bob.channel(map[string]any{"kind": "webhook", "address": "https://hooks.example.org/secret-path"}).ID)

		for range 2 {
			ann.send(http.MethodDelete, "/v1/me/channels/"+added.ID, "").expect(http.StatusNoContent)
		}
		require.Empty(t, ann.contact().Channels)
		require.Len(t, bob.contact().Channels, 1)
	})
}

func TestChannel_ThatCouldNeverBeReached_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	ann := b.guest("Ann")
	for name, c := range map[string]struct {
		body   string
		status int
		code   string
	}{
		"a kind that is none":   {`{"kind":"pigeon","address":"x"}`, 400, "invalid_value"},
		"no such channel here":  {`{"kind":"mobile","address":"token","variant":"apns"}`, 422, notify.ChannelUnavailable},
		"no address":            {`{"kind":"webhook","address":""}`, 400, "invalid_value"},
		"an address of 3 KB":    {`{"kind":"webhook","address":"https://` + strings.Repeat("a", 3000) + `"}`, 400, "invalid_value"},
		"metadata":              {`{"kind":"webhook","address":"https://169.254.169.254/latest"}`, 422, notify.AddressInvalid},
		"this machine":          {`{"kind":"webhook","address":"https://localhost/"}`, 422, notify.AddressInvalid},
		"no TLS":                {`{"kind":"webhook","address":"http://hooks.example.org/"}`, 422, notify.AddressInvalid},
		"a device's variant":    {`{"kind":"webhook","address":"https://hooks.example.org/","variant":"apns"}`, 422, notify.AddressInvalid},
		"push without keys":     {`{"kind":"webpush","address":"https://push.example.org/1"}`, 422, notify.AddressInvalid},
		"push with broken keys": {`{"kind":"webpush","address":"https://push.example.org","key":"AA","auth":"BB"}`, 422, notify.AddressInvalid},
		"a rank of 10":          {`{"kind":"webhook","address":"https://hooks.example.org/","rank":10}`, 400, "invalid_value"},
		"an unknown field":      {`{"kind":"webhook","address":"https://hooks.example.org/","extra":1}`, 400, "unknown_field"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problem := ann.post("/v1/me/channels", c.body).problem(c.status, c.code)
			require.NotContains(t, problem.Detail.Value, "hooks.example.org")
		})
	}
}

func TestContact_ThatMakesNoSense_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	ann := b.guest("Ann")
	for name, c := range map[string]struct {
		body   string
		status int
		code   string
	}{
		"a zone of nowhere":    {`{"zone":"Atlantis/Center"}`, 422, notify.ZoneUnknown},
		"the machine's zone":   {`{"zone":"Local"}`, 422, notify.ZoneUnknown},
		"a path":               {`{"zone":"../../etc/passwd"}`, 422, notify.ZoneUnknown},
		"an hour that is none": {`{"quiet":{"from":"24:00","to":"07:00"}}`, 400, "invalid_value"},
		"half a pair":          {`{"quiet":{"from":"22:00"}}`, 400, "missing_field"},
		"a digest of days":     {`{"digest":1441}`, 400, "invalid_value"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ann.sendJSON(http.MethodPut, "/v1/me/contact", c.body).problem(c.status, c.code)
		})
	}
	for i := range 16 {
		ann.channel(map[string]any{"kind": "webhook", "address": fmt.Sprintf("https://hooks.example.org/%d", i)})
	}
	ann.post("/v1/me/channels", map[string]any{"kind": "webhook", "address": "https://hooks.example.org/17"}).
		problem(http.StatusConflict, notify.TooManyChannels)
}

func TestMailbox_IsConfirmedByItsCode(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		ann := b.guest("Ann")
		channel := ann.channel(map[string]any{"kind": "email", "address": "ann@example.org"})
		require.Equal(t, api.ChannelStateUnconfirmed, channel.State)
		require.Equal(t, "a…@example.org", channel.Address)
		require.Equal(t, 1, channel.Rank)
		code := func() string {
			contact, err := b.table.Contact(t.Context(), ann.player)
			require.NoError(t, err)
			return contact.Channel(channel.ID).Code
		}
		first := code()
		path := "/v1/me/channels/" + channel.ID + "/confirm"
		for range 5 {
			ann.post(path, map[string]any{"code": "wrong"}).problem(http.StatusForbidden, notify.CodeWrong)
		}
		ann.post(path, map[string]any{"code": first}).problem(http.StatusForbidden, notify.CodeWrong)
		b.ahead.Add(int64(time.Minute))
		ann.channel(map[string]any{"kind": "email", "address": "ann@example.org"})
		require.NotEqual(t, first, code(), "after too many tries another one is sent")
		var confirmed api.Channel
		ann.post(path, map[string]any{"code": code()}).expect(http.StatusOK).into(&confirmed)
		require.Equal(t, api.ChannelStateOn, confirmed.State)
		require.Equal(t, api.ChannelStateOn, ann.channel(map[string]any{"kind": "email", "address": "ann@example.org"}).State)
		ann.post("/v1/me/channels/none/confirm", map[string]any{"code": "1"}).problem(http.StatusNotFound, notify.ChannelNotFound)
		ann.post("/v1/me/channels/none/test", nil).problem(http.StatusNotFound, notify.ChannelNotFound)
	})
}

// A mailbox that is not its owner's cannot be flooded.
func TestMailbox_IsSentFewCodes(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	ann := b.guest("Ann")
	for range 12 {
		ann.channel(map[string]any{"kind": "email", "address": "stranger@example.org"})
		b.ahead.Add(int64(time.Minute))
	}
	notices, _, err := b.table.Notices(t.Context(), ann.player, "", store.MaxLimit)
	require.NoError(t, err)
	require.Len(t, notices, 5)
}

func TestUnsubscribe_OneClick_SwitchesThatChannelOff(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		ann, nobody := b.guest("Ann"), &client{b: b}
		channel := ann.channel(map[string]any{"kind": "webhook", "address": "https://hooks.example.org/1"})
		other := ann.channel(map[string]any{"kind": "webhook", "address": "https://hooks.example.org/2"})
		contact, err := b.table.Contact(t.Context(), ann.player)
		require.NoError(t, err)
		ticket := strings.Join([]string{ann.player, channel.ID, contact.Channel(channel.ID).Unsubscribe}, ".")
		page := nobody.get("/v1/unsubscribe/" + ticket).expect(http.StatusOK)
		require.Contains(t, string(page.body), `<form method="post">`)
		require.Equal(t, api.ChannelStateOn, ann.contact().Channels[0].State, "a look changes nothing")

		click := header{"Content-Type", "application/x-www-form-urlencoded"}
		nobody.send(http.MethodPost, "/v1/unsubscribe/"+ticket, "List-Unsubscribe=One-Click", click).expect(http.StatusOK)
		require.Equal(t, api.ChannelStateOff, ann.contact().Channels[0].State)
		require.Equal(t, "unsubscribed", ann.contact().Channels[0].Reason.Value)
		require.Equal(t, other.ID, ann.contact().Channels[1].ID)
		require.Equal(t, api.ChannelStateOn, ann.contact().Channels[1].State)
		for _, wrong := range []string{
			"x", "a.b", "a.b.c", ann.player + "." + channel.ID + ".", ann.player + "." + other.ID + "." + contact.Channel(channel.ID).Unsubscribe,
			"nobody." + channel.ID + ".x", strings.Repeat("x", 200),
		} {
			nobody.send(http.MethodPost, "/v1/unsubscribe/"+wrong, "").problem(http.StatusNotFound, notify.TicketInvalid)
		}
	})
}

// N7, and "why was I not told?".
func TestNotices_TestAndLedger_GiveTheProvidersAnswer(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		b.sending()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, "not on the list")
		}))
		t.Cleanup(server.Close)
		ann := b.guest("Ann")
		channel := ann.channel(map[string]any{"kind": "webhook", "address": server.URL})
		var notice api.Notice
		ann.post("/v1/me/channels/"+channel.ID+"/test", nil).expect(http.StatusOK).into(&notice)
		require.Equal(t, api.NoticeStateFailed, notice.State)
		require.Equal(t, "status_403: not on the list", notice.Reason.Value)
		require.Equal(t, []api.NoticeKindsItem{api.NoticeKindsItemTest}, notice.Kinds)
		ann.post("/v1/me/channels/"+channel.ID+"/test", nil).problem(http.StatusTooManyRequests, notify.TooSoon)

		var notices api.Notices
		ann.get("/v1/me/notices").expect(http.StatusOK).into(&notices)
		require.Equal(t, []api.Notice{notice}, notices.Notices)
		b.guest("Bob").get("/v1/me/notices").expect(http.StatusOK).into(&notices)
		require.Empty(t, notices.Notices)
	})
}

func TestInvitations_AndSeen_OverTheAPI(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		ann, bob := b.guest("Ann"), b.guest("Bob")
		game := ann.create(2)
		path := "/v1/games/" + game.ID + "/invitations"
		retry := newKey()
		invited := ann.post(path, map[string]any{"player": bob.player}, retry).done().Game
		require.Equal(t, invited, ann.post(path, map[string]any{"player": bob.player}, retry).done().Game)
		ann.post(path, map[string]any{"player": bob.player}, newKey()).problem(http.StatusConflict, "already_invited")
		ann.post(path, map[string]any{"player": "nobody"}, newKey()).problem(http.StatusUnprocessableEntity, "player_invalid")
		bob.post(path, map[string]any{"player": bob.player}, newKey()).problem(http.StatusForbidden, "not_seated")
		game = bob.join(game.ID)
		seen := "/v1/games/" + game.ID + "/seen"
		ann.sendJSON(http.MethodPut, seen, map[string]any{"version": game.Version}).expect(http.StatusNoContent)
		ann.sendJSON(http.MethodPut, seen, map[string]any{"version": game.Version + 1}).problem(http.StatusNotFound, "version_not_found")
		ann.sendJSON(http.MethodPut, seen, map[string]any{"version": 0}).problem(http.StatusBadRequest, "invalid_value")
	})
}

// Nobody reads or changes how another is reached.
func TestNotices_WithoutAToken_AreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	nobody := &client{b: b}
	for _, request := range [][2]string{
		{http.MethodGet, "/v1/me/contact"}, {http.MethodPut, "/v1/me/contact"}, {http.MethodGet, "/v1/me/notices"},
		{http.MethodPost, "/v1/me/channels"}, {http.MethodDelete, "/v1/me/channels/x"}, {http.MethodPost, "/v1/me/channels/x/test"},
		{http.MethodPost, "/v1/me/channels/x/confirm"}, {http.MethodPut, "/v1/games/x/seen"}, {http.MethodPost, "/v1/games/x/invitations"},
	} {
		nobody.send(request[0], request[1], `{}`).problem(http.StatusUnauthorized, "token_missing")
	}
}

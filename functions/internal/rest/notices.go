package rest

import (
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"time"

	"boulevard/api"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/store"
)

// Invite asks a player to an open table.
func (s *server) Invite(ctx context.Context, req *api.NewInvitation, p api.InviteParams) (*api.DoneHeaders, error) {
	return s.do(ctx, host.Command{Game: p.Game, Key: p.IdempotencyKey, Deed: store.Invite, Invited: req.Player})
}

// SetSeen notes what the caller has looked at.
func (s *server) SetSeen(ctx context.Context, req *api.Seen, p api.SetSeenParams) error {
	return s.desk.Seen(ctx, caller(ctx).ID, p.Game, uint64(req.Version))
}

// GetContact says how the caller is reached.
func (s *server) GetContact(ctx context.Context) (*api.Contact, error) {
	contact, err := s.desk.Contact(ctx, caller(ctx).ID)
	return s.encodeContact(contact), err
}

// SetContact says when the caller may be reached.
func (s *server) SetContact(ctx context.Context, req *api.NewContact) (*api.Contact, error) {
	wanted := store.Contact{Player: caller(ctx).ID, Zone: req.Zone.Value, Digest: req.Digest.Value}
	if quiet, set := req.Quiet.Get(); set {
		wanted.QuietFrom, wanted.QuietTo = decodeMinute(quiet.From), decodeMinute(quiet.To)
	}
	contact, err := s.desk.SetContact(ctx, wanted)
	return s.encodeContact(contact), err
}

// minuteFormat is that of a minute of the day; the contract has it checked already.
const minuteFormat = "15:04"

func decodeMinute(text string) int {
	at, err := time.Parse(minuteFormat, text)
	if err != nil {
		return 0
	}
	return at.Hour()*60 + at.Minute()
}

func encodeMinute(minute int) string {
	return time.Time{}.Add(time.Duration(minute) * time.Minute).Format(minuteFormat)
}

// AddChannel adds a channel of the caller's.
func (s *server) AddChannel(ctx context.Context, req *api.NewChannel) (*api.Channel, error) {
	kind := notify.ChannelKind(req.Kind)
	rank := 0
	if kind == notify.Email {
		rank = 1
	}
	address := notify.Address{
		Target: req.Address, Variant: string(req.Variant.Value), Key: unpadded(req.Key.Value), Auth: unpadded(req.Auth.Value),
	}
	if kind == notify.Webhook && address.Variant == "" {
		address.Variant = notify.JSON
	}
	channel, err := s.desk.AddChannel(ctx, caller(ctx).ID, kind, address, req.Rank.Or(rank))
	if err != nil {
		return nil, err
	}
	encoded := encodeChannel(channel)
	if len(channel.Address.Secret) > 0 {
		encoded.Secret = api.NewOptString("whsec_" + base64.StdEncoding.EncodeToString(channel.Address.Secret))
	}
	return &encoded, nil
}

// unpadded is base64url as browsers write it, whoever has padded it on the way.
func unpadded(text string) string { return strings.TrimRight(text, "=") }

// RemoveChannel removes a channel of the caller's.
func (s *server) RemoveChannel(ctx context.Context, p api.RemoveChannelParams) error {
	return s.desk.RemoveChannel(ctx, caller(ctx).ID, p.Channel)
}

// ConfirmChannel takes the code that was sent to a channel.
func (s *server) ConfirmChannel(ctx context.Context, req *api.Confirmation, p api.ConfirmChannelParams) (*api.Channel, error) {
	channel, err := s.desk.Confirm(ctx, caller(ctx).ID, p.Channel, req.Code)
	if err != nil {
		return nil, err
	}
	encoded := encodeChannel(channel)
	return &encoded, nil
}

// TestChannel sends the caller a test.
func (s *server) TestChannel(ctx context.Context, p api.TestChannelParams) (*api.Notice, error) {
	notice, err := s.desk.Test(ctx, caller(ctx).ID, p.Channel)
	if err != nil {
		return nil, err
	}
	encoded := encodeNotice(notice)
	return &encoded, nil
}

// ListNotices lists what the caller was told.
func (s *server) ListNotices(ctx context.Context, p api.ListNoticesParams) (*api.Notices, error) {
	cursor, err := decodeCursor(p.Cursor)
	if err != nil {
		return nil, err
	}
	notices, next, err := s.desk.Notices(ctx, caller(ctx).ID, cursor, p.Limit.Or(defaultLimit))
	if err != nil {
		return nil, err
	}
	encoded := &api.Notices{Notices: make([]api.Notice, len(notices)), Next: encodeCursor(next)}
	for i, n := range notices {
		encoded.Notices[i] = encodeNotice(n)
	}
	return encoded, nil
}

var (
	//go:embed unsubscribe.html
	unsubscribePage string
	//go:embed unsubscribed.html
	unsubscribedPage string
)

// AskUnsubscribe is a page with a button. It tells nothing of the channel, and does nothing.
func (s *server) AskUnsubscribe(context.Context, api.AskUnsubscribeParams) (api.AskUnsubscribeOK, error) {
	return api.AskUnsubscribeOK{Data: strings.NewReader(unsubscribePage)}, nil
}

// Unsubscribe switches a channel off.
func (s *server) Unsubscribe(ctx context.Context, p api.UnsubscribeParams) (api.UnsubscribeOK, error) {
	return api.UnsubscribeOK{Data: strings.NewReader(unsubscribedPage)}, s.desk.Unsubscribe(ctx, p.Ticket)
}

func (s *server) encodeContact(c store.Contact) *api.Contact {
	encoded := &api.Contact{Zone: c.Zone, Digest: c.Digest, Channels: make([]api.Channel, len(c.Channels)), PushKey: optString(s.desk.PushKey)}
	if encoded.Zone == "" {
		encoded.Zone = time.UTC.String()
	}
	if c.QuietFrom != c.QuietTo {
		encoded.Quiet = api.NewOptQuiet(api.Quiet{From: encodeMinute(c.QuietFrom), To: encodeMinute(c.QuietTo)})
	}
	for i, channel := range c.Channels {
		encoded.Channels[i] = encodeChannel(channel)
	}
	return encoded
}

func encodeChannel(c store.ContactChannel) api.Channel {
	state := api.ChannelStateOn
	switch {
	case c.Off != "":
		state = api.ChannelStateOff
	case c.Code != "":
		state = api.ChannelStateUnconfirmed
	}
	return api.Channel{
		ID: c.ID, Kind: api.ChannelKind(c.Kind), Address: hint(c), Variant: optString(c.Address.Variant), Rank: c.Rank, State: state,
		Reason: optString(c.Off), Failures: c.Failures, Renewed: c.Renewed,
	}
}

// shown is how much is shown of a device's token, or of a name before its @.
const shown = 4

// hint is as much of an address as its owner needs to know it again. Whoever looks over his shoulder, or finds the answer
// in a log, can send nothing there.
func hint(c store.ContactChannel) string {
	target := c.Address.Target
	switch notify.ChannelKind(c.Kind) {
	case notify.Email:
		name, domain, _ := strings.Cut(target, "@")
		return fmt.Sprintf("%s…@%s", name[:min(1, len(name))], domain)
	case notify.Mobile:
		return "…" + target[max(0, len(target)-shown):]
	default:
		parsed, err := url.Parse(target)
		if err != nil {
			return ""
		}
		return parsed.Host
	}
}

func encodeNotice(n store.Notice) api.Notice {
	encoded := api.Notice{
		Kinds: make([]api.NoticeKindsItem, len(n.Kinds)), Channel: n.Channel, ChannelKind: optString(n.ChannelKind),
		State: api.NoticeState(n.State.String()), Reason: optString(n.Reason), Created: n.At, Changed: n.Changed, Attempts: n.Attempts,
	}
	for i, kind := range n.Kinds {
		encoded.Kinds[i] = api.NoticeKindsItem(kind)
	}
	if n.Game != "" {
		encoded.Game, encoded.Version = api.NewOptString(n.Game), api.NewOptInt64(int64(n.Version))
	}
	if n.State == store.Queued && n.Due > 0 {
		encoded.Due = api.NewOptInt64(n.Due)
	}
	return encoded
}

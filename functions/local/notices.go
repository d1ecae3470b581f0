package main

import (
	"context"
	"log/slog"
	"maps"
	"net/netip"
	"slices"
	"time"

	"boulevard/functions/internal/fanout"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/addresses"
	"boulevard/functions/internal/notify/channels"
	"boulevard/functions/internal/notify/email"
	"boulevard/functions/internal/notify/guard"
	"boulevard/functions/internal/notify/mobile"
	"boulevard/functions/internal/notify/webpush"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/dynamodb"
)

// notices say how players are told of what happens while they are away.
type notices struct {
	Site  string         `help:"URL that players reach this server by, for the links in notices; the address itself if empty."`
	Owner string         `help:"Whom push services can ask about this server: a mailto: or https: URL." default:"https://localhost"`
	Allow []netip.Prefix `help:"Networks that webhooks and pushes may reach although they are not public, such as 127.0.0.1/32."`

	MailFrom    string `help:"Address that e-mails are from, in SES; no e-mail if empty." env:"BOULEVARD_MAIL_FROM"`
	APNs        string `help:"ARN of the SNS platform application of iOS apps." name:"apns" env:"BOULEVARD_APNS"`
	FCM         string `help:"ARN of the SNS platform application of Android apps." name:"fcm" env:"BOULEVARD_FCM"`
	AWSRegion   string `help:"Region of SES and SNS." env:"AWS_REGION" default:"us-east-1"`
	AWSEndpoint string `help:"URL of a server that stands in for SES and SNS." env:"AWS_ENDPOINT_URL"`
}

// post is the part of a server that tells players.
type post struct {
	channels map[notify.ChannelKind]notify.Channel
	desk     *notify.Desk
	bell     bell
}

// planner follows the games of a table.
func planner(table *store.Table, reader *host.Host, hub *live.Hub) *notify.Planner {
	return &notify.Planner{Table: table, Host: reader, Presence: hub, Queue: notify.Listed, Now: time.Now}
}

// open makes the channels, and the desk where players ask for them.
func (n *notices) open(site *site, hub *live.Hub, bell bell) (post, error) {
	key, err := site.keys.Push()
	if err != nil {
		return post{}, err
	}
	options := guard.Options{Allow: n.Allow}
	public, private := webpush.Keys(key)
	list, err := channels.Open(channels.Config{
		Guard: options, Push: &webpush.Config{Subject: n.Owner, PublicKey: public, PrivateKey: private},
		Mail: n.mail(), Mobile: n.phones(),
	})
	if err != nil {
		return post{}, err
	}
	desk := &notify.Desk{
		Table: site.table, Checks: addresses.Checks(slices.Collect(maps.Keys(list)), options), PushKey: public,
		Queue: bell.listed, Now: time.Now,
	}
	list[notify.Live] = live.NewNotices(hub)
	return post{channels: list, desk: desk, bell: bell}, nil
}

// mail is nil where no sender is configured.
func (n *notices) mail() *email.Config {
	if n.MailFrom == "" {
		return nil
	}
	return &email.Config{
		From: n.MailFrom, Region: n.AWSRegion, Endpoint: n.AWSEndpoint, Credentials: dynamodb.EnvironmentCredentials(),
	}
}

// phones is nil where no platform application is configured.
func (n *notices) phones() *mobile.Config {
	applications := map[string]string{notify.APNs: n.APNs, notify.FCM: n.FCM}
	maps.DeleteFunc(applications, func(_, arn string) bool { return arn == "" })
	if len(applications) == 0 {
		return nil
	}
	return &mobile.Config{
		Applications: applications, Region: n.AWSRegion, Endpoint: n.AWSEndpoint, Credentials: dynamodb.EnvironmentCredentials(),
	}
}

// send sends what is due, until the context ends.
func (p post) send(site *site, url string, log *slog.Logger) func(context.Context) {
	sender := &notify.Sender{
		Table: site.table, Host: site.reader, Channels: p.channels, Site: url, Queue: p.bell.listed, Log: log, Now: time.Now,
	}
	return func(ctx context.Context) { sender.Run(ctx, p.bell) }
}

// bell wakes the sender.
type bell chan struct{}

var _ fanout.Follower = bell(nil)

func newBell() bell { return make(bell, 1) }

// Follow rings when a game was written: there may be notices of it.
func (b bell) Follow(context.Context, *store.Head, *store.Head) error {
	b.ring()
	return nil
}

// listed has a notice listed as due, and rings. It may ring too early; the sender looks again in a moment.
func (b bell) listed(notice *store.Notice, now time.Time) {
	notify.Listed(notice, now)
	b.ring()
}

func (b bell) ring() {
	select {
	case b <- struct{}{}:
	default: // it has rung already
	}
}

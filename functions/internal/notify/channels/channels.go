// Package channels puts the channels of a host together.
package channels

import (
	"errors"
	"net/http"
	"slices"

	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/guard"
	"boulevard/functions/internal/notify/webhook"
	"boulevard/functions/internal/notify/webpush"
)

// Config says which channels a host has, besides webhooks, which every host has.
type Config struct {
	// Guard opens doors to addresses that are not public.
	Guard guard.Options
	// Push is nil where there is no web push. Its Client is made here.
	Push *webpush.Config
}

// Open makes the channels.
func Open(c Config) (map[notify.ChannelKind]notify.Channel, error) {
	client := guard.NewClient(c.Guard)
	list := map[notify.ChannelKind]notify.Channel{notify.Webhook: webhook.New(webhook.Config{Client: client})}
	if c.Push != nil {
		if err := c.openPush(list, client); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (c Config) openPush(list map[notify.ChannelKind]notify.Channel, client *http.Client) error {
	config := *c.Push
	config.Client = client
	push, err := webpush.New(config)
	list[notify.WebPush] = push
	return err
}

// Checks are what refuses the addresses of the kinds that a host has.
func Checks(kinds []notify.ChannelKind, options guard.Options) map[notify.ChannelKind]func(notify.Address) error {
	all := map[notify.ChannelKind]func(notify.Address) error{
		notify.Webhook: func(to notify.Address) error { return checkWebhook(to, options) },
		notify.WebPush: func(to notify.Address) error {
			return errors.Join(options.CheckURL(to.Target), webpush.CheckKeys(to.Key, to.Auth))
		},
	}
	for kind := range all {
		if !slices.Contains(kinds, kind) {
			delete(all, kind)
		}
	}
	return all
}

func checkWebhook(to notify.Address, options guard.Options) error {
	if !slices.Contains([]string{notify.JSON, notify.Discord, notify.Slack}, to.Variant) {
		return errors.New("channels: a webhook's variant is json, discord or slack")
	}
	return options.CheckURL(to.Target)
}

// Package channels puts the channels of a host together.
package channels

import (
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/email"
	"boulevard/functions/internal/notify/guard"
	"boulevard/functions/internal/notify/mobile"
	"boulevard/functions/internal/notify/webhook"
	"boulevard/functions/internal/notify/webpush"
)

// Config says which channels a host has, besides webhooks, which every host has.
type Config struct {
	// Guard opens doors to addresses that are not public.
	Guard guard.Options
	// Push is nil where there is no web push. Its Client is made here.
	Push *webpush.Config
	// Mail and Mobile are nil where there is none.
	Mail   *email.Config
	Mobile *mobile.Config
}

// Open makes the channels.
func Open(c Config) (map[notify.ChannelKind]notify.Channel, error) {
	client := guard.NewClient(c.Guard)
	list := map[notify.ChannelKind]notify.Channel{notify.Webhook: webhook.New(webhook.Config{Client: client})}
	if c.Push != nil {
		config := *c.Push
		config.Client = client
		push, err := webpush.New(config)
		if err != nil {
			return nil, err
		}
		list[notify.WebPush] = push
	}
	if c.Mail != nil {
		mail, err := email.New(*c.Mail)
		if err != nil {
			return nil, err
		}
		list[notify.Email] = mail
	}
	if c.Mobile != nil {
		list[notify.Mobile] = mobile.New(*c.Mobile)
	}
	return list, nil
}

// Package mailroom sends notices in the cloud, on the channels that the environment configures.
package mailroom

import (
	"context"
	"os"
	"time"

	"boulevard/functions/internal/cloud"
	"boulevard/functions/internal/cloud/gateway"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/channels"
	"boulevard/functions/internal/notify/webpush"
)

// Open makes the sender. BOULEVARD_SITE begins the links in notices. Web push needs BOULEVARD_PUSH_KEY,
// BOULEVARD_PUSH_SUBJECT, and the private key in the secret that BOULEVARD_PUSH_SECRET_ID names.
func Open(ctx context.Context, place cloud.Place) (*notify.Sender, error) {
	config, err := configuration(ctx)
	if err != nil {
		return nil, err
	}
	list, err := channels.Open(config)
	if err != nil {
		return nil, err
	}
	list[notify.Live] = live.NewNotices(gateway.Open(place))
	return &notify.Sender{
		Table: place.Table, Host: place.Host, Channels: list, Site: os.Getenv("BOULEVARD_SITE"), Queue: notify.Streamed,
		Log: place.Log, Observe: place.Watch.Notice, Now: time.Now,
	}, nil
}

func configuration(ctx context.Context) (channels.Config, error) {
	var config channels.Config
	if key := os.Getenv("BOULEVARD_PUSH_KEY"); key != "" {
		private, err := cloud.Secret(ctx, "BOULEVARD_PUSH_SECRET_ID", "BOULEVARD_PUSH_SECRET")
		if err != nil {
			return config, err
		}
		config.Push = &webpush.Config{Subject: os.Getenv("BOULEVARD_PUSH_SUBJECT"), PublicKey: key, PrivateKey: private}
	}
	return config, nil
}

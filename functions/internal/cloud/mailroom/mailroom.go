// Package mailroom sends notices in the cloud, on the channels that the environment configures.
package mailroom

import (
	"context"
	"maps"
	"os"
	"time"

	"boulevard/functions/internal/cloud"
	"boulevard/functions/internal/cloud/gateway"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/channels"
	"boulevard/functions/internal/notify/email"
	"boulevard/functions/internal/notify/mobile"
	"boulevard/functions/internal/notify/webpush"
	"boulevard/functions/internal/store/dynamodb"
)

// Open makes the sender. BOULEVARD_SITE begins the links in notices. Web push needs BOULEVARD_PUSH_KEY,
// BOULEVARD_PUSH_SUBJECT, and the private key in the secret that BOULEVARD_PUSH_SECRET_ID names; e-mail BOULEVARD_MAIL_FROM;
// phones the platform applications in BOULEVARD_APNS and BOULEVARD_FCM.
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
	config := channels.Config{Mail: mail(), Mobile: phones()}
	if key := os.Getenv("BOULEVARD_PUSH_KEY"); key != "" {
		private, err := cloud.Secret(ctx, "BOULEVARD_PUSH_SECRET_ID", "BOULEVARD_PUSH_SECRET")
		if err != nil {
			return config, err
		}
		config.Push = &webpush.Config{Subject: os.Getenv("BOULEVARD_PUSH_SUBJECT"), PublicKey: key, PrivateKey: private}
	}
	return config, nil
}

// mail is nil where no sender is configured.
func mail() *email.Config {
	from := os.Getenv("BOULEVARD_MAIL_FROM")
	if from == "" {
		return nil
	}
	return &email.Config{
		From: from, ConfigurationSet: os.Getenv("BOULEVARD_MAIL_CONFIGURATION"), Region: os.Getenv("AWS_REGION"),
		Endpoint: os.Getenv("AWS_ENDPOINT_URL"), Credentials: dynamodb.EnvironmentCredentials(),
	}
}

// phones is nil where no platform application is configured.
func phones() *mobile.Config {
	applications := map[string]string{notify.APNs: os.Getenv("BOULEVARD_APNS"), notify.FCM: os.Getenv("BOULEVARD_FCM")}
	maps.DeleteFunc(applications, func(_, arn string) bool { return arn == "" })
	if len(applications) == 0 {
		return nil
	}
	return &mobile.Config{
		Applications: applications, Region: os.Getenv("AWS_REGION"), Endpoint: os.Getenv("AWS_ENDPOINT_URL"),
		Credentials: dynamodb.EnvironmentCredentials(),
	}
}

// Package addresses refuses addresses that could never be reached, when a player registers them. It knows the forms of
// addresses, and none of the services behind them: the function that players register with carries none of those.
package addresses

import (
	"errors"
	"slices"

	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/guard"
	"boulevard/functions/internal/notify/webpush"
)

// Checks are what refuses the addresses of the kinds that a host has.
func Checks(kinds []notify.ChannelKind, options guard.Options) map[notify.ChannelKind]func(notify.Address) error {
	all := map[notify.ChannelKind]func(notify.Address) error{
		notify.Email:   func(to notify.Address) error { return CheckMailbox(to.Target) },
		notify.Mobile:  func(to notify.Address) error { return CheckToken(to.Variant, to.Target) },
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
		return errors.New("addresses: a webhook's variant is json, discord or slack")
	}
	return options.CheckURL(to.Target)
}

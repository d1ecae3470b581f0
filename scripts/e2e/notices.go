package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"boulevard/api"
)

const address = "bob@players.example"

var codeFormat = regexp.MustCompile(`[0-9]{8}`)

// confirmMailbox registers a mailbox, reads the mail that the emulator was given for it, and sends the code that is in it.
func (t *trial) confirmMailbox(ctx context.Context) (string, error) {
	p := t.table.players[mailbox]
	channel, err := p.api.AddChannel(ctx, &api.NewChannel{Kind: api.ChannelKindEmail, Address: address})
	if err != nil {
		return "", err
	}
	p.channel = channel.ID
	var code string
	err = await(ctx, usual, "no code has come", func(ctx context.Context) (bool, error) {
		mails, err := t.emulator.mails(ctx, address)
		if len(mails) > 0 {
			code = codeFormat.FindString(mails[0].Text)
		}
		return code != "", err
	})
	if err != nil {
		return "", err
	}
	confirmed, err := p.api.ConfirmChannel(ctx, &api.Confirmation{Code: code}, api.ConfirmChannelParams{Channel: channel.ID})
	if err == nil && confirmed.State != api.ChannelStateOn {
		err = fmt.Errorf("the channel is %s", confirmed.State)
	}
	return "", err
}

// addPhone registers a phone, and has something sent to it.
func (t *trial) addPhone(ctx context.Context) (string, error) {
	p := t.table.players[phone]
	channel, err := p.api.AddChannel(ctx, &api.NewChannel{
		Kind: api.ChannelKindMobile, Variant: api.NewOptNewChannelVariant(api.NewChannelVariantFcm),
		Address: "a-device-of-cleo:APA91bF-0123456789abcdefghijklmnopqrstuvwxyz-0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	})
	if err != nil {
		return "", err
	}
	p.channel = channel.ID
	if _, err := p.api.TestChannel(ctx, api.TestChannelParams{Channel: channel.ID}); err != nil {
		return "", err
	}
	return "", await(ctx, usual, "nothing was pushed to the phone", func(context.Context) (bool, error) {
		pushes, err := t.emulator.pushes()
		return pushes > 0, err
	})
}

// settling is how long notices may be under way: some wait for the clock.
const settling = 2 * time.Minute

// notices compares what the ledger says was accepted with what the emulator was given.
func (t *trial) notices(ctx context.Context) (string, error) {
	accepted := make([]int, len(names))
	for seat, p := range t.table.players {
		err := await(ctx, settling, "notices are under way to "+p.name, func(ctx context.Context) (settled bool, err error) {
			accepted[seat], settled, err = p.accepted(ctx)
			return settled, err
		})
		if err != nil {
			return "", err
		}
		if accepted[seat] == 0 {
			return "", errors.New(p.name + " was told nothing")
		}
	}
	mails, err := t.emulator.mails(ctx, address)
	if err != nil {
		return "", err
	}
	pushes, err := t.emulator.pushes()
	if err != nil {
		return "", err
	}
	heard := t.ear.count("notice")
	if accepted[mailbox] != len(mails) || accepted[phone] != pushes || accepted[live] != heard {
		return "", fmt.Errorf("the ledgers say %v, and there were %d notices heard, %d mails and %d pushes",
			accepted, heard, len(mails), pushes)
	}
	return fmt.Sprintf(": %d heard, %d mails, %d pushes", heard, len(mails), pushes), nil
}

// accepted counts what of a player's ledger is said to have arrived, and whether all of it has come to an end.
func (p *player) accepted(ctx context.Context) (n int, settled bool, err error) {
	settled = true
	params := api.ListNoticesParams{Limit: api.NewOptInt(100)}
	for {
		page, err := p.api.ListNotices(ctx, params)
		if err != nil {
			return 0, false, err
		}
		for _, notice := range page.Notices {
			switch notice.State {
			case api.NoticeStateAccepted:
				n++
			case api.NoticeStateQueued, api.NoticeStateSent:
				settled = false
			case api.NoticeStateFailed:
				return 0, false, fmt.Errorf("to %s: %v by %s failed: %s", p.name, notice.Kinds, notice.ChannelKind.Value, notice.Reason.Value)
			case api.NoticeStateSuperseded:
			}
		}
		if !page.Next.Set {
			return n, settled, nil
		}
		params.Cursor = page.Next
	}
}

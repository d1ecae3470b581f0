// Package email writes to players' mailboxes by way of Amazon SES.
package email

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"

	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/addresses"
	"boulevard/functions/internal/notify/awscall"
)

// Config is what a channel needs. From, Region and Credentials are required.
type Config struct {
	// From is whom the mail is from, an address or a name and an address: "Boulevard <news@example.com>". SES has to know it.
	From string
	// Region is the AWS region.
	Region string
	// Endpoint is the URL of another server than AWS's; empty takes AWS's.
	Endpoint string
	// ConfigurationSet is where SES reports what becomes of the mail; it may be empty.
	ConfigurationSet string
	// Credentials sign the calls.
	Credentials aws.CredentialsProvider
	// Timeout bounds one attempt; 0 is five seconds.
	Timeout time.Duration
	// Now is time.Now if nil.
	Now func() time.Time
}

const defaultTimeout = 5 * time.Second

// Channel sends mail.
type Channel struct {
	config Config
	from   string
	client *sesv2.Client
}

var _ notify.Channel = (*Channel)(nil)

// New makes a channel. It fails where SES would take nothing of what it sends.
func New(config Config) (*Channel, error) {
	from, err := sender(config.From)
	if err != nil {
		return nil, err
	}
	if config.Region == "" || config.Credentials == nil {
		return nil, errors.New("email: a region and credentials are needed")
	}
	if config.Timeout == 0 {
		config.Timeout = defaultTimeout
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	return &Channel{config: config, from: from, client: connect(config)}, nil
}

// connect makes a client that asks once: when to ask again is the ledger's matter.
func connect(config Config) *sesv2.Client {
	options := sesv2.Options{
		Region: config.Region, Credentials: config.Credentials, HTTPClient: awscall.NewClient(), Retryer: aws.NopRetryer{},
	}
	if config.Endpoint != "" {
		options.BaseEndpoint = &config.Endpoint
	}
	return sesv2.New(options)
}

// Send makes one attempt. It refuses a silent message: what was once written to a mailbox stays there. What it returns is
// never Gone, since SES tells of mailboxes that are no more only after it has taken a message on.
func (c *Channel) Send(ctx context.Context, to notify.Address, message notify.Message) notify.Outcome {
	if message.Silent {
		return refused("nothing_to_correct")
	}
	if err := addresses.CheckMailbox(to.Target); err != nil {
		return refused("bad_address")
	}
	content, err := letterOf(message).content(message.ID)
	if err != nil {
		return refused("bad_message")
	}
	return c.post(ctx, to, content)
}

func (c *Channel) post(ctx context.Context, to notify.Address, content *types.EmailContent) notify.Outcome {
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	ctx, trace := notify.WithTrace(ctx)
	input := sesv2.SendEmailInput{
		FromEmailAddress: &c.from,
		Destination:      &types.Destination{ToAddresses: []string{to.Target}},
		Content:          content,
	}
	if c.config.ConfigurationSet != "" {
		input.ConfigurationSetName = &c.config.ConfigurationSet
	}
	answer, err := c.client.SendEmail(ctx, &input)
	if err != nil {
		return awscall.Outcome(err, trace, to, c.config.Now())
	}
	if aws.ToString(answer.MessageId) == "" {
		return awscall.BadAnswer()
	}
	return notify.Outcome{Verdict: notify.Accepted, ProviderID: *answer.MessageId}
}

func refused(reason string) notify.Outcome {
	return notify.Outcome{Verdict: notify.Refused, Reason: reason}
}

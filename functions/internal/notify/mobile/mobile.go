// Package mobile sends to the apps of phones by way of Amazon SNS, which passes on to Apple's service and to Google's.
//
// SNS calls a device an endpoint. An endpoint is made of a token when the first message is sent to it; SNS makes no second
// one of the same token. When Apple or Google says that a token is no more, SNS disables its endpoint, and this channel
// finds the address gone. But a token can come to life again, with the same app on the same phone, and SNS would not notice.
// So the endpoint is enabled at once: the address is not written to until the player registers it anew, and then it works.
package mobile

import (
	"context"
	"maps"
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sns"

	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/awscall"
)

// Config is what a channel needs. Applications, Region and Credentials are required.
type Config struct {
	// Applications are the ARNs of SNS's platform applications, of notify.APNs and of notify.FCM. A variant may be left out:
	// its devices are not reached.
	Applications map[string]string
	// Region is the AWS region.
	Region string
	// Endpoint is the URL of another server than AWS's; empty takes AWS's.
	Endpoint string
	// Credentials sign the calls.
	Credentials aws.CredentialsProvider
	// Timeout bounds one attempt with all of its calls; 0 is five seconds.
	Timeout time.Duration
	// Now is time.Now if nil.
	Now func() time.Time
}

const defaultTimeout = 5 * time.Second

// Channel sends to phones.
type Channel struct {
	config    Config
	client    *sns.Client
	endpoints endpoints
}

var _ notify.Channel = (*Channel)(nil)

// New makes a channel.
func New(config Config) *Channel {
	config.Applications = maps.Clone(config.Applications)
	if config.Timeout == 0 {
		config.Timeout = defaultTimeout
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	return &Channel{config: config, client: connect(config), endpoints: endpoints{arns: map[key]string{}}}
}

// connect makes a client that asks once: when to ask again is the ledger's matter.
func connect(config Config) *sns.Client {
	options := sns.Options{
		Region: config.Region, Credentials: config.Credentials, HTTPClient: awscall.NewClient(), Retryer: aws.NopRetryer{},
	}
	if config.Endpoint != "" {
		options.BaseEndpoint = &config.Endpoint
	}
	return sns.New(options)
}

// Send makes one attempt.
func (c *Channel) Send(ctx context.Context, to notify.Address, message notify.Message) notify.Outcome {
	application := c.config.Applications[to.Variant]
	platform, known := platforms[to.Variant]
	if application == "" || !known {
		return refused("not_configured")
	}
	content, ok := platform.structured(message)
	if !ok {
		return refused("too_large")
	}
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	endpoint, outcome := c.endpoint(ctx, application, to)
	if endpoint == "" {
		return outcome
	}
	return c.publish(ctx, to, &sns.PublishInput{
		TargetArn: &endpoint, Message: &content, MessageStructure: aws.String("json"),
		MessageAttributes: attributes(to.Variant, message),
	})
}

// endpoint is the ARN of a device's, or "" and what has become of the message instead.
func (c *Channel) endpoint(ctx context.Context, application string, to notify.Address) (string, notify.Outcome) {
	k := keyOf(to.Variant, to.Target)
	if arn, known := c.endpoints.get(k); known {
		return arn, notify.Outcome{}
	}
	traced, trace := notify.WithTrace(ctx)
	answer, err := c.client.CreatePlatformEndpoint(traced, &sns.CreatePlatformEndpointInput{
		PlatformApplicationArn: &application, Token: &to.Target,
	})
	arn := existing(err)
	if err == nil {
		arn = aws.ToString(answer.EndpointArn)
	}
	switch {
	case arn != "":
		c.endpoints.put(k, arn)
		return arn, notify.Outcome{}
	case err == nil:
		return "", unsent(awscall.BadAnswer())
	}
	outcome := awscall.Outcome(err, trace, to, c.config.Now())
	if isBadToken(err) {
		outcome.Verdict = notify.Gone
	}
	return "", unsent(outcome)
}

// unsent is the outcome before anything was published: whatever has become of the endpoint, the message can be sent again.
func unsent(outcome notify.Outcome) notify.Outcome {
	if outcome.Verdict == notify.Unknown {
		outcome.Verdict = notify.TryLater
	}
	return outcome
}

// alreadyExists is how SNS says which endpoint has the token. It gives its ARN only so, if the endpoint is disabled.
var alreadyExists = regexp.MustCompile(`Endpoint (arn:\S+) already exists with the same [Tt]oken`)

func existing(err error) string {
	code, message := awscall.Said(err)
	if match := alreadyExists.FindStringSubmatch(message); code == invalidParameter && match != nil {
		return match[1]
	}
	return ""
}

// The codes that say something of an endpoint.
const (
	invalidParameter = "InvalidParameter"
	notFound         = "NotFound"
	endpointDisabled = "EndpointDisabled"
)

func isBadToken(err error) bool {
	code, message := awscall.Said(err)
	message = strings.ToLower(message)
	return code == invalidParameter &&
		(strings.Contains(message, "invalid parameter: token") || strings.Contains(message, "invalid token"))
}

func (c *Channel) publish(ctx context.Context, to notify.Address, input *sns.PublishInput) notify.Outcome {
	traced, trace := notify.WithTrace(ctx)
	answer, err := c.client.Publish(traced, input)
	if err == nil && aws.ToString(answer.MessageId) != "" {
		return notify.Outcome{Verdict: notify.Accepted, ProviderID: *answer.MessageId}
	}
	if err == nil {
		return awscall.BadAnswer()
	}
	outcome := awscall.Outcome(err, trace, to, c.config.Now())
	switch code, _ := awscall.Said(err); {
	case code == endpointDisabled:
		outcome.Verdict = notify.Gone
		c.enable(ctx, *input.TargetArn)
	case isLost(err):
		outcome.Verdict = notify.TryLater
		c.endpoints.forget(keyOf(to.Variant, to.Target))
	case isBadToken(err):
		outcome.Verdict = notify.Gone
	}
	return outcome
}

// isLost tells that an endpoint was deleted, which SNS says in two ways: another can be made of the same token.
func isLost(err error) bool {
	code, message := awscall.Said(err)
	return code == notFound || (code == invalidParameter && strings.Contains(message, "No endpoint found"))
}

// enable lets an endpoint work when the player registers its token again. That it fails harms nothing now: the endpoint will
// be found disabled again then, and enabled for the registration after that.
func (c *Channel) enable(ctx context.Context, endpoint string) {
	_, _ = c.client.SetEndpointAttributes(ctx, &sns.SetEndpointAttributesInput{
		EndpointArn: &endpoint, Attributes: map[string]string{"Enabled": "true"},
	})
}

func refused(reason string) notify.Outcome {
	return notify.Outcome{Verdict: notify.Refused, Reason: reason}
}

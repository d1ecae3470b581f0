package live

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// Poster says things on connections that API Gateway holds open.
type Poster struct {
	// Endpoint is the API's callback URL: https://{api}.execute-api.{region}.amazonaws.com/{stage}.
	Endpoint string
	// Region and Credentials sign the calls.
	Region      string
	Credentials aws.CredentialsProvider
	// Client has a timeout.
	Client *http.Client
	// Now is time.Now outside tests.
	Now func() time.Time
}

// postTimeout bounds one message to one connection.
const postTimeout = 3 * time.Second

// NewPoster posts to the connections of the API at the endpoint.
func NewPoster(endpoint, region string, credentials aws.CredentialsProvider) *Poster {
	return &Poster{
		Endpoint: endpoint, Region: region, Credentials: credentials, Client: &http.Client{Timeout: postTimeout}, Now: time.Now,
	}
}

// ErrGone says that the connection has ended.
var ErrGone = errors.New("live: the connection is gone")

// Post sends a message, once: what is lost is made up for by the client's next subscription.
func (p *Poster) Post(ctx context.Context, connection string, message []byte) error {
	return p.call(ctx, http.MethodPost, connection, message)
}

// Close ends a connection.
func (p *Poster) Close(ctx context.Context, connection string) error {
	return p.call(ctx, http.MethodDelete, connection, nil)
}

func (p *Poster) call(ctx context.Context, method, connection string, body []byte) error {
	// Ids end with "=", which the signature wants escaped.
	target := p.Endpoint + "/@connections/" + url.QueryEscape(connection)
	request, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err != nil {
		return err
	}
	credentials, err := p.Credentials.Retrieve(ctx)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	err = v4.NewSigner().SignHTTP(ctx, credentials, request, hex.EncodeToString(sum[:]), "execute-api", p.Region, p.Now())
	if err != nil {
		return err
	}
	response, err := p.Client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, MaxMessage)) // so that the connection is used again
	switch {
	case response.StatusCode == http.StatusGone:
		return ErrGone
	case response.StatusCode >= http.StatusMultipleChoices:
		return fmt.Errorf("live: %s on a connection: %s", method, response.Status)
	}
	return nil
}

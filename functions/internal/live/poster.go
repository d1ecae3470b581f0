package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"boulevard/functions/internal/signed"
)

// Poster says things on connections that API Gateway holds open.
type Poster struct {
	// Endpoint is the API's callback URL: https://{api}.execute-api.{region}.amazonaws.com/{stage}.
	Endpoint string
	// Client signs for the service execute-api.
	Client signed.Client
}

// postTimeout bounds one message to one connection.
const postTimeout = 3 * time.Second

// NewPoster posts to the connections of the API at the endpoint.
func NewPoster(endpoint, region string, credentials aws.CredentialsProvider) *Poster {
	return &Poster{Endpoint: endpoint, Client: signed.Client{
		Service: "execute-api", Region: region, Credentials: credentials, HTTP: &http.Client{Timeout: postTimeout}, Now: time.Now,
	}}
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
	response, err := p.Client.Do(ctx, method, target, nil, body)
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

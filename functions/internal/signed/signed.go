// Package signed calls services of AWS that need no client of their own: a request or two, signed (Signature Version 4).
package signed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// Client signs and sends requests to one service.
type Client struct {
	// Service and Region are what the signature is for.
	Service, Region string
	Credentials     aws.CredentialsProvider
	// HTTP has a timeout.
	HTTP *http.Client
	// Now is time.Now outside tests.
	Now func() time.Time
}

// Do sends a request once. The caller closes the body of the answer.
func (c *Client) Do(ctx context.Context, method, url string, header http.Header, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	maps.Copy(request.Header, header)
	credentials, err := c.Credentials.Retrieve(ctx)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	err = v4.NewSigner().SignHTTP(ctx, credentials, request, hex.EncodeToString(sum[:]), c.Service, c.Region, c.Now())
	if err != nil {
		return nil, err
	}
	return c.HTTP.Do(request)
}

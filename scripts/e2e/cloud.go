package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// object is one of JSON.
type object = map[string]any

// cloud calls the services of AWS, or of what stands in for it.
type cloud struct {
	url    string
	http   *http.Client
	signer *v4.Signer
}

func newCloud(url string) *cloud {
	return &cloud{url: url, http: &http.Client{Timeout: time.Minute}, signer: v4.NewSigner()}
}

// service is one that is asked in JSON, with the operation in a header.
type service struct {
	name, target, version string
}

// older is the version of JSON that some services take.
const older = "1.0"

var (
	sqs      = service{"sqs", "AmazonSQS", older}
	logs     = service{"logs", "Logs_20140328", "1.1"}
	secrets  = service{"secretsmanager", "secretsmanager", "1.1"}
	dynamodb = service{"dynamodb", "DynamoDB_20120810", older}
	streams  = service{dynamodb.name, "DynamoDBStreams_20120810", older}
)

// ask has a service do something.
func (c *cloud) ask(ctx context.Context, s service, operation string, question object, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	header := contentType("application/x-amz-json-" + s.version)
	header.Set("X-Amz-Target", s.target+"."+operation)
	said, err := c.call(ctx, s.name, http.MethodPost, "/", header, body)
	if err != nil || answer == nil {
		return err
	}
	return json.Unmarshal(said, answer)
}

// form asks a service that takes forms and answers in XML.
func (c *cloud) form(ctx context.Context, service, version, action string, values url.Values) ([]byte, error) {
	values.Set("Action", action)
	values.Set("Version", version)
	return c.call(ctx, service, http.MethodPost, "/", contentType("application/x-www-form-urlencoded"), []byte(values.Encode()))
}

func contentType(name string) http.Header { return http.Header{"Content-Type": {name}} }

func jsonHeader() http.Header { return contentType("application/json") }

// call sends a signed request, and fails where it was not done.
func (c *cloud) call(ctx context.Context, service, method, path string, header http.Header, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = header
	sum := sha256.Sum256(body)
	keys := aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}
	if err := c.signer.SignHTTP(ctx, keys, request, hex.EncodeToString(sum[:]), service, region, time.Now()); err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	said, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s %s: %s: %.300s", service, path, response.Status, said)
	}
	return said, err
}

// prepare makes what a host has before the first deployment: a mail identity, and an application for pushes to phones.
func (t *trial) prepare(ctx context.Context) (string, error) {
	_, err := t.cloud.call(ctx, "ses", http.MethodPost, "/v2/email/identities",
		jsonHeader(), []byte(`{"EmailIdentity":"boulevard.example"}`))
	if err != nil {
		return "", err
	}
	_, err = t.cloud.form(ctx, "sns", "2010-03-31", "CreatePlatformApplication", url.Values{
		"Name": {"boulevard"}, "Platform": {"GCM"},
		"Attributes.entry.1.key": {"PlatformCredential"}, "Attributes.entry.1.value": {"none"},
	})
	return "", err
}

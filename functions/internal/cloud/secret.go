package cloud

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"boulevard/functions/internal/signed"
	"boulevard/functions/internal/store/dynamodb"
)

const (
	// secretTimeout bounds the one call that a function makes for a secret when it starts.
	secretTimeout = 3 * time.Second
	// maxSecret bounds what is read of an answer: a secret has at most 64 KB.
	maxSecret = 128 << 10
)

// Secret is a secret of Secrets Manager, by its id, which the environment variable names. Where there is no such variable
// the secret is in the environment itself, under the other name, or empty.
func Secret(ctx context.Context, idVariable, variable string) (string, error) {
	id := os.Getenv(idVariable)
	if id == "" {
		return os.Getenv(variable), nil
	}
	value, err := fetch(ctx, id)
	if err != nil {
		return "", fmt.Errorf("cloud: secret of %s: %w", idVariable, err)
	}
	return value, nil
}

func fetch(ctx context.Context, id string) (string, error) {
	region := os.Getenv("AWS_REGION")
	endpoint := os.Getenv("AWS_ENDPOINT_URL")
	if endpoint == "" {
		endpoint = "https://secretsmanager." + region + ".amazonaws.com"
	}
	client := signed.Client{
		Service: "secretsmanager", Region: region, Credentials: dynamodb.EnvironmentCredentials(),
		HTTP: &http.Client{Timeout: secretTimeout}, Now: time.Now,
	}
	body, err := json.Marshal(map[string]string{"SecretId": id})
	if err != nil {
		return "", err
	}
	header := http.Header{
		"Content-Type": {"application/x-amz-json-1.1"}, "X-Amz-Target": {"secretsmanager.GetSecretValue"},
	}
	response, err := client.Do(ctx, http.MethodPost, endpoint+"/", header, body)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	return read(response)
}

// read takes the secret out of an answer. No error holds any of it.
func read(response *http.Response) (string, error) {
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("secrets manager answered %s", response.Status)
	}
	var answer struct {
		Secret string `json:"SecretString"` //nolint:tagliatelle // the name is theirs
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxSecret)).Decode(&answer); err != nil || answer.Secret == "" {
		return "", fmt.Errorf("secrets manager answered %s, and no secret", response.Status)
	}
	return answer.Secret, nil
}

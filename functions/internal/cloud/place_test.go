package cloud_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/cloud"
)

var master = base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1}, 32))

func TestOpen_WithoutItsConfiguration_SaysWhatIsMissing(t *testing.T) {
	t.Setenv("AWS_REGION", "eu-central-1")
	for missing, given := range map[string]struct{ table, secret string }{
		"illegal base64":    {"table", "not base64!"},
		"at least 32 bytes": {"table", base64.StdEncoding.EncodeToString([]byte("short"))},
		`table ""`:          {"", master},
	} {
		t.Setenv("BOULEVARD_TABLE", given.table)
		t.Setenv("BOULEVARD_SECRET", given.secret)
		_, err := cloud.Open(t.Context(), slog.New(slog.DiscardHandler))
		require.ErrorContains(t, err, missing)
	}
}

// vault answers as Secrets Manager does.
func vault(t *testing.T, answer func(w http.ResponseWriter)) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked map[string]string
		if r.Header.Get("X-Amz-Target") != "secretsmanager.GetSecretValue" || json.NewDecoder(r.Body).Decode(&asked) != nil ||
			asked["SecretId"] != "arn:of:keyring" || !strings.Contains(r.Header.Get("Authorization"), "/eu-central-1/secretsmanager/aws4_request") {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		answer(w)
	}))
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": server.URL, "AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key",
		"BOULEVARD_SECRET_ID": "arn:of:keyring", "BOULEVARD_TABLE": "table",
	} {
		t.Setenv(name, value)
	}
}

func TestOpen_TakesTheKeyringFromItsSecret(t *testing.T) {
	vault(t, func(w http.ResponseWriter) { _ = json.NewEncoder(w).Encode(map[string]string{"SecretString": master}) })
	place, err := cloud.Open(t.Context(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	_, _, err = place.Host.Player("no token of ours")
	require.ErrorContains(t, err, "token_invalid", "it has keys to judge by")
}

func TestOpen_WithoutItsSecret_SaysSo_AndNothingOfIt(t *testing.T) {
	for want, answer := range map[string]func(w http.ResponseWriter){
		"403":           func(w http.ResponseWriter) { w.WriteHeader(http.StatusForbidden) },
		"and no secret": func(w http.ResponseWriter) { _, _ = w.Write([]byte(`{"SecretString":""}`)) },
		"200":           func(w http.ResponseWriter) { _, _ = w.Write([]byte(master + "{")) },
	} {
		vault(t, answer)
		_, err := cloud.Open(t.Context(), slog.New(slog.DiscardHandler))
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), master)
	}
}

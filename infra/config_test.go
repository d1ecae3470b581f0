package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAStageNeedsNothingButAName(t *testing.T) {
	t.Parallel()
	config, err := ParseConfig([]byte("stage: dev"))
	require.NoError(t, err)
	require.Equal(t, "arm64", config.Architecture)
	require.Equal(t, 30, config.LogDays)
	require.False(t, config.Throwaway)
	require.Equal(t, []string{"webhook"}, config.Channels())
}

func TestAnEmulatorListensWhereItIsSaidTo_AndRunsFunctionsOnThisMachine(t *testing.T) {
	t.Parallel()
	config, err := LoadConfig("stages", "emulator")
	require.NoError(t, err)
	require.Equal(t, runtime.GOARCH, config.goArch())
	for url, want := range map[string]string{"": config.Emulator, "http://127.0.0.1:4999": "http://127.0.0.1:4999"} {
		moved, err := config.emulatedAt(url)
		require.NoError(t, err)
		require.Equal(t, want, moved.Emulator)
	}
	_, err = config.emulatedAt("https://dynamodb.eu-central-1.amazonaws.com")
	require.ErrorContains(t, err, "emulator")
	atAWS, err := exampleConfig().emulatedAt("http://127.0.0.1:4999")
	require.NoError(t, err)
	require.Empty(t, atAWS.Emulator, "a stage at AWS does not move to one")
}

func TestTheExampleConfiguresEverything(t *testing.T) {
	t.Parallel()
	config := exampleConfig()
	require.Equal(t, []string{"webhook", "webpush", "email", "mobile"}, config.Channels())
	require.NotNil(t, config.Domain)
	require.NotEmpty(t, config.Issuer)
	require.NotEmpty(t, config.AlarmEmail)
	require.Len(t, config.Concurrency, len(functionSpecs))
}

func TestAnUnknownFieldIsRefused(t *testing.T) {
	t.Parallel()
	for field, text := range map[string]string{
		"troway":  "stage: dev\ntroway: true",
		"sender":  "stage: dev\nmail: {sender: a@example.org}",
		"expires": "stage: dev\ndomain: {expires: never}",
	} {
		_, err := ParseConfig([]byte(text))
		require.ErrorContains(t, err, field)
	}
}

func TestWhatIsNoConfigurationIsRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"not of its type": "stage: dev\nlog_days: long",
		"twice":           "stage: dev\nstage: prod",
		"two documents":   "stage: dev\n---\nstage: prod",
		"empty":           "",
		"no YAML":         "stage: [dev",
	} {
		_, err := ParseConfig([]byte(text))
		require.Error(t, err, name)
	}
}

// Each of these has one wrong value, and the message begins with its field.
var refused = []struct{ field, text string }{
	{"stage", "stage: Dev"},
	{"stage", "stage: " + strings.Repeat("a", 21)},
	{"stage", "stage: dev/../prod"},
	{"account", `account: "1234"`},
	{"region", "region: Frankfurt"},
	{"emulator", "emulator: http://127.0.0.1:4566"},
	{"emulator", "throwaway: true\nemulator: http://192.168.0.1:4566"},
	{"architecture", "architecture: riscv"},
	{"log_days", "log_days: 31"},
	{"gateway_log_role", "gateway_log_role: mine"},
	{"site", "site: http://play.example.org"},
	{"site", "site: https://play.example.org?a=b"},
	{"issuer", "issuer: login.example.org\nissuer_audience: [a]"},
	{"issuer", "issuer: https://user:pass@login.example.org\nissuer_audience: [a]"},
	{"issuer_audience", "issuer: https://login.example.org"},
	{"issuer_audience", "issuer_audience: [boulevard-web]"},
	{"cors_origins[0]", `cors_origins: ["*"]`},
	{"cors_origins[0]", "cors_origins: [https://play.example.org/]"},
	{"cors_origins[1]", "cors_origins: [http://localhost:5173, http://play.example.org]"},
	{"alarm_email", "alarm_email: nobody"},
	{"domain.name", "domain: {name: localhost, certificate_arn: " + anyCertificate + "}"},
	{"domain.live", "domain: {name: a.example.org, live: a.example.org, certificate_arn: " + anyCertificate + "}"},
	{"domain.live", "domain: {name: a.example.org, live: https, certificate_arn: " + anyCertificate + "}"},
	{"domain.certificate_arn", "domain: {name: a.example.org}"},
	{"domain.certificate_arn", "domain: {name: a.example.org, certificate_arn: 'arn:aws:iam::123456789012:role/r'}"},
	{"mail.identity", "mail: {identity: nowhere, from: a@nowhere}"},
	{"mail.from", "mail: {identity: example.org, from: example.org}"},
	{"mail.from", "mail: {identity: example.org, from: a@example.com}"},
	{"mail.from", "mail: {identity: example.org, from: a@badexample.org}"},
	{"mail.configuration_set", "mail: {identity: example.org, from: a@example.org, configuration_set: a/b}"},
	{"push.subject", "push: {subject: 'mailto:', public_key: " + anyKey + ", private_key_secret_arn: " + anyVAPID + "}"},
	{"push.subject", "push: {subject: host, public_key: " + anyKey + ", private_key_secret_arn: " + anyVAPID + "}"},
	{"push.public_key", "push: {subject: 'https://example.org', public_key: abc, private_key_secret_arn: " + anyVAPID + "}"},
	{"push.private_key_secret_arn", "push: {subject: 'https://example.org', public_key: " + anyKey + "}"},
	{"push.private_key_secret_arn", "push: {subject: 'https://example.org', public_key: " + anyKey +
		", private_key_secret_arn: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:vapid'}"},
	{"mobile", "mobile: {}"},
	{"mobile.apns_arn", "mobile: {apns_arn: 'arn:aws:sns:eu-central-1:123456789012:app/GCM/a'}"},
	{"mobile.fcm_arn", "mobile: {fcm_arn: 'arn:aws:sns:eu-central-1:123456789012:topic'}"},
	{"mobile.fcm_arn", "mobile: {fcm_arn: 'arn:aws:sns:eu-central-1:123456789012:app/GCM/*'}"},
	{"mobile.fcm_arn", "region: us-east-1\nmobile: {fcm_arn: 'arn:aws:sns:eu-central-1:123456789012:app/GCM/a'}"},
	{"domain.certificate_arn", "region: us-east-1\ndomain: {name: a.example.org, certificate_arn: " + anyCertificate + "}"},
	{"push.private_key_secret_arn", "region: us-east-1\npush: {subject: 'https://example.org', public_key: " + anyKey +
		", private_key_secret_arn: " + anyVAPID + "}"},
	{"concurrency.web", "concurrency: {web: 1}"},
	{"concurrency.http", "concurrency: {http: -1}"},
}

const (
	anyCertificate = "'arn:aws:acm:eu-central-1:123456789012:certificate/1'"
	anyKey         = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
	anyVAPID       = "'arn:aws:secretsmanager:eu-central-1:123456789012:secret:vapid-AbCdEf'"
)

func TestEveryWrongValueIsRefusedByItsFieldsName(t *testing.T) {
	t.Parallel()
	for _, c := range refused {
		text := c.text
		if c.field != "stage" {
			text = "stage: dev\n" + text
		}
		_, err := ParseConfig([]byte(text))
		require.Error(t, err, c.text)
		require.True(t, strings.HasPrefix(err.Error(), c.field+": "), "%s: %v", c.text, err)
		require.NotContains(t, err.Error(), "\n", "%s: one fault", c.text)
	}
}

func TestAllWrongValuesAreToldAtOnce(t *testing.T) {
	t.Parallel()
	_, err := ParseConfig([]byte("stage: dev\nregion: here\nlog_days: 2\nsite: play"))
	for _, field := range []string{"region: ", "log_days: ", "site: "} {
		require.ErrorContains(t, err, field)
	}
}

func TestAStageIsReadFromTheFileOfItsName(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "prod.yaml"), []byte("stage: dev"), 0o600))
	_, err := LoadConfig(folder, "prod")
	require.ErrorContains(t, err, "stage:")
	_, err = LoadConfig(folder, "dev")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = LoadConfig(folder, "../stages/prod")
	require.ErrorContains(t, err, "stage:")
}

func TestAllDestructionNamesTheStageTwice(t *testing.T) {
	t.Parallel()
	for _, throwaway := range []bool{true, false} {
		config := Config{Stage: "dev", Throwaway: throwaway}
		require.ErrorContains(t, MayDestroy(config, "", ""), "CONFIRM=dev")
		require.ErrorContains(t, MayDestroy(config, "dev", ""), "CONFIRM_DATA_LOSS=dev")
		require.ErrorContains(t, MayDestroy(config, "dev", "prod"), "CONFIRM_DATA_LOSS=dev")
		require.ErrorContains(t, MayDestroy(config, "", "dev"), "CONFIRM=dev")
		require.NoError(t, MayDestroy(config, "dev", "dev"))
	}
	require.ErrorContains(t, MayDestroy(Config{Stage: "dev", Throwaway: true}, "", ""), "every game")
	require.ErrorContains(t, MayDestroy(Config{Stage: "dev"}, "", ""), "stay")
}

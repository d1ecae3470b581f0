package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Config is what one stage is set up with. It is read from a file named after the stage, in which a field that is unknown,
// or a value that cannot work, is refused before anything is synthesized.
type Config struct {
	// Stage names the stage, and is the name of its file.
	Stage string `yaml:"stage"`
	// Account and Region say where the stage lives; without them it lives where whoever deploys it is at home.
	Account string `yaml:"account"`
	Region  string `yaml:"region"`
	// Throwaway makes a stage that takes its data with it when it is destroyed.
	Throwaway bool `yaml:"throwaway"`
	// Emulator is where an emulator of AWS listens on this machine, whose APIs are behind paths and not behind names.
	Emulator string `yaml:"emulator"`
	// Architecture of the functions: arm64 or x86_64. Without it, an emulator's is this machine's, which runs them, and any
	// other stage's is arm64.
	Architecture string `yaml:"architecture"`
	// LogDays is how long logs are kept.
	LogDays int `yaml:"log_days"`
	// Traces has X-Ray follow the functions.
	Traces bool `yaml:"traces"`
	// GatewayLogRole says who lets API Gateway write the access logs of WebSocket APIs, a setting that all stages in one
	// region of an account share: this stack (create), or whoever did before (existing).
	GatewayLogRole string `yaml:"gateway_log_role"`
	// Site is the public base URL of the client, for links in notices; without it, the API's own.
	Site string `yaml:"site"`
	// Issuer is the OpenID Connect issuer whose tokens can be exchanged for players' own, and IssuerAudience the ids of the
	// clients that they have to be for.
	Issuer         string   `yaml:"issuer"`
	IssuerAudience []string `yaml:"issuer_audience"`
	// Domain serves the API under a name of the host's own.
	Domain *Domain `yaml:"domain"`
	// CORS lists the origins of pages that may call the API.
	CORS []string `yaml:"cors_origins"`
	// Mail, Push and Mobile switch on the channels of notices that need something of the host's.
	Mail   *Mail   `yaml:"mail"`
	Push   *Push   `yaml:"push"`
	Mobile *Mobile `yaml:"mobile"`
	// AlarmEmail is told of alarms.
	AlarmEmail string `yaml:"alarm_email"`
	// Concurrency overrides how many instances of a function are reserved, which is also its limit; 0 reserves none.
	Concurrency map[string]int `yaml:"concurrency"`
}

// Domain is a name for the HTTP API, and perhaps one for the WebSocket API: the two cannot share one.
type Domain struct {
	Name        string `yaml:"name"`
	Live        string `yaml:"live"`
	Certificate string `yaml:"certificate_arn"`
}

// Mail is an identity of SES, an address of it, and perhaps a configuration set.
type Mail struct {
	Identity      string `yaml:"identity"`
	From          string `yaml:"from"`
	Configuration string `yaml:"configuration_set"`
}

// Push is a VAPID key pair for Web Push, and a subject by which a push service reaches the host.
type Push struct {
	Subject       string `yaml:"subject"`
	PublicKey     string `yaml:"public_key"`
	PrivateSecret string `yaml:"private_key_secret_arn"`
}

// Mobile names the platform applications of SNS.
type Mobile struct {
	APNS string `yaml:"apns_arn"`
	FCM  string `yaml:"fcm_arn"`
}

// LoadConfig reads and checks the configuration of a stage.
func LoadConfig(folder, stage string) (Config, error) {
	if !stageName.MatchString(stage) {
		return Config{}, fmt.Errorf("stage: %q is to match %s", stage, stageName)
	}
	path := filepath.Join(folder, stage+".yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return Config{}, err
	}
	config, err := ParseConfig(text)
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", path, err)
	}
	if config.Stage != stage {
		return Config{}, fmt.Errorf("%s: stage: %q is not the file's name", path, config.Stage)
	}
	return config, nil
}

// ParseConfig decodes a configuration strictly, fills in what it leaves out, and checks it.
func ParseConfig(text []byte) (Config, error) {
	config := Config{LogDays: 30, GatewayLogRole: gatewayRoleCreate}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&config); err != nil && !errors.Is(err, io.EOF) {
		return Config{}, err
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		return Config{}, errors.New("a configuration is one document")
	}
	if config.Architecture == "" {
		config.Architecture = config.usualArchitecture()
	}
	return config, config.Check()
}

// usualArchitecture is that of a stage which names none.
func (c Config) usualArchitecture() string {
	if c.Emulator != "" {
		for name, architecture := range architectures {
			if architecture.goArch == runtime.GOARCH {
				return name
			}
		}
	}
	return "arm64"
}

// emulatedAt is the configuration with its emulator elsewhere, such as on a port that is free. A stage without one stays as
// it is.
func (c Config) emulatedAt(url string) (Config, error) {
	if c.Emulator == "" || url == "" {
		return c, nil
	}
	c.Emulator = url
	return c, c.Check()
}

// Channels lists the kinds of channels that the stage can tell players by.
func (c Config) Channels() []string {
	channels := []string{"webhook"}
	for _, optional := range []struct {
		kind       string
		configured bool
	}{
		{"webpush", c.Push != nil},
		{"email", c.Mail != nil},
		{"mobile", c.Mobile != nil},
	} {
		if optional.configured {
			channels = append(channels, optional.kind)
		}
	}
	return channels
}

// concurrency is how many instances of a function are reserved.
func (c Config) concurrency(function functionSpec) int {
	if n, ok := c.Concurrency[function.name]; ok {
		return n
	}
	return function.concurrency
}

// goArch is what Go calls the architecture.
func (c Config) goArch() string { return architectures[c.Architecture].goArch }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

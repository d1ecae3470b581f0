package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awssecretsmanager"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// keyLength makes a master secret of letters and digits: 44 of them are base64 for 33 bytes, and have 262 bits.
const keyLength = 44

// noKey are the characters that a key has not. That ExcludePunctuation says the same is not known to every emulator.
const noKey = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// newKeyring makes the secret that holds the keyring: master secrets in base64, the one in use first, older ones behind
// commas. It is generated once. Whoever changes how it is generated makes CloudFormation generate it anew, and so loses
// every game and token that was made with it; a test keeps the way it is.
func newKeyring(scope constructs.Construct, config Config) awssecretsmanager.Secret {
	keyring := awssecretsmanager.NewSecret(scope, jsii.String("Keyring"), &awssecretsmanager.SecretProps{
		Description: jsii.Sprintf("Boulevard %s: the master secrets, newest first, comma separated", config.Stage),
		GenerateSecretString: &awssecretsmanager.SecretStringGenerator{
			PasswordLength:          jsii.Number(keyLength),
			ExcludePunctuation:      jsii.Bool(true),
			ExcludeCharacters:       jsii.String(noKey),
			IncludeSpace:            jsii.Bool(false),
			RequireEachIncludedType: jsii.Bool(false),
		},
		RemovalPolicy: removal(config),
	})
	suppress(keyring, "AwsSolutions-SMG4",
		"A master secret is replaced by putting a new one before it: games and tokens made with the old one still need it.")
	return keyring
}

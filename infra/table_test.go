package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const tableType = "AWS::DynamoDB::GlobalTable"

func TestTheTableIsAsTheStoreExpects(t *testing.T) {
	everything().has(t, tableType, object{
		"KeySchema": []any{
			object{"AttributeName": "pk", "KeyType": "HASH"}, object{"AttributeName": "sk", "KeyType": "RANGE"},
		},
		"AttributeDefinitions": []any{
			object{"AttributeName": "pk", "AttributeType": "S"}, object{"AttributeName": "sk", "AttributeType": "S"},
		},
		"BillingMode":             "PAY_PER_REQUEST",
		"TimeToLiveSpecification": object{"AttributeName": "ttl", "Enabled": true},
		"StreamSpecification":     object{"StreamViewType": "NEW_AND_OLD_IMAGES"},
	})
}

func TestNoTableIsLostByAccident(t *testing.T) {
	for _, c := range []struct {
		stage    synthesized
		protect  bool
		deletion string
	}{{everything(), true, "Retain"}, {smallest(), false, "Delete"}} {
		c.stage.has(t, tableType, object{"Replicas": []any{object{
			"DeletionProtectionEnabled":        c.protect,
			"PointInTimeRecoverySpecification": object{"PointInTimeRecoveryEnabled": true},
		}}})
		for _, kind := range []string{tableType, "AWS::SecretsManager::Secret"} {
			kept := c.stage.only(t, kind)
			require.Equal(t, c.deletion, kept["DeletionPolicy"], kind)
			require.Equal(t, c.deletion, kept["UpdateReplacePolicy"], kind)
		}
		require.Equal(t, c.protect, *c.stage.stack.TerminationProtection())
	}
}

// Another way of generating, even a length, would have CloudFormation generate the keyring anew: every game and every token
// would be lost.
func TestTheWayTheKeyringIsGeneratedNeverChanges(t *testing.T) {
	for _, stage := range []synthesized{everything(), smallest()} {
		require.Equal(t, object{
			"PasswordLength": 44.0, "ExcludePunctuation": true, "ExcludeCharacters": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
			"IncludeSpace": false, "RequireEachIncludedType": false,
		}, properties(stage.only(t, "AWS::SecretsManager::Secret"))["GenerateSecretString"])
		require.Contains(t, stage.resources("AWS::SecretsManager::Secret"), "Keyring5277DB2C")
	}
}

// A stage's resources that hold data are known by these names: another one makes another table, which is empty.
func TestTheTableKeepsItsName(t *testing.T) {
	require.Contains(t, everything().resources(tableType), "TableCD117FA1")
}

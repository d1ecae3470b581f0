package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// newTable makes the one table. What it is called, and what its attributes are, is the store's business
// (functions/internal/store/dynamodb). It is encrypted at rest with DynamoDB's own key: one of the host's would add a
// charge to every request, and keep out nobody whom the permissions let in.
func newTable(scope constructs.Construct, config Config) awsdynamodb.TableV2 {
	return awsdynamodb.NewTableV2(scope, jsii.String("Table"), &awsdynamodb.TablePropsV2{
		PartitionKey:        &awsdynamodb.Attribute{Name: jsii.String("pk"), Type: awsdynamodb.AttributeType_STRING},
		SortKey:             &awsdynamodb.Attribute{Name: jsii.String("sk"), Type: awsdynamodb.AttributeType_STRING},
		TimeToLiveAttribute: jsii.String("ttl"),
		// A game day is unlike a game night: there is no capacity that would fit both.
		Billing:      awsdynamodb.Billing_OnDemand(nil),
		DynamoStream: awsdynamodb.StreamViewType_NEW_AND_OLD_IMAGES,
		Encryption:   awsdynamodb.TableEncryptionV2_DynamoOwnedKey(),
		PointInTimeRecoverySpecification: &awsdynamodb.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: jsii.Bool(true),
		},
		DeletionProtection: jsii.Bool(!config.Throwaway),
		RemovalPolicy:      removal(config),
	})
}

// streamARNs are all streams of the table, for what can be asked of no single one.
func streamARNs(table awsdynamodb.TableV2) string {
	return *awscdk.Fn_Join(jsii.String(""), jsii.Strings(*table.TableArn(), "/stream/*"))
}

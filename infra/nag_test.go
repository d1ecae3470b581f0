package main

import (
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2/assertions"
	"github.com/aws/jsii-runtime-go"
	"github.com/stretchr/testify/require"
)

func TestEveryRuleOfCdkNagIsKeptOrItsExceptionExplained(t *testing.T) {
	for name, stage := range map[string]func() synthesized{"everything": everything, "smallest": smallest} {
		t.Run(name, func(t *testing.T) {
			annotations := assertions.Annotations_FromStack(stage().stack)
			asserted(t, func() { annotations.HasNoError(jsii.String("*"), assertions.Match_AnyValue()) })
			asserted(t, func() { annotations.HasNoWarning(jsii.String("*"), assertions.Match_AnyValue()) })
		})
	}
}

func TestEverySuppressionHasAReason(t *testing.T) {
	count := 0
	for id, resource := range everything().json["Resources"].(object) {
		metadata, _ := resource.(object)["Metadata"].(object)
		nag, _ := metadata["cdk_nag"].(object)
		rules, _ := nag["rules_to_suppress"].([]any)
		for _, rule := range rules {
			count++
			require.Greater(t, len(rule.(object)["reason"].(string)), 20, "%s: %v", id, rule)
		}
	}
	require.Positive(t, count)
}

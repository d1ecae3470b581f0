package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mappings are the event source mappings by the name of their function.
func mappings(t *testing.T) map[string]object {
	t.Helper()
	all := map[string]object{}
	for _, resource := range everything().resources("AWS::Lambda::EventSourceMapping") {
		function := text(properties(resource)["FunctionName"])
		for _, name := range followerNames() {
			if strings.HasPrefix(function, "${Functions"+name) {
				all[name] = properties(resource)
			}
		}
	}
	require.Len(t, all, len(followers))
	return all
}

func TestAPoisonedRecordIsPutAsideAndTheRestGoesOn(t *testing.T) {
	for name, mapping := range mappings(t) {
		require.Equal(t, true, mapping["BisectBatchOnFunctionError"], name)
		require.Equal(t, []any{"ReportBatchItemFailures"}, mapping["FunctionResponseTypes"], name)
		require.InDelta(t, retries, mapping["MaximumRetryAttempts"], 0, name)
		require.InDelta(t, recordAge, mapping["MaximumRecordAgeInSeconds"], 0, name)
		require.InDelta(t, parallel, mapping["ParallelizationFactor"], 0, name)
		require.Equal(t, "TRIM_HORIZON", mapping["StartingPosition"], name)
		require.Equal(t, "${TableCD117FA1.StreamArn}", text(mapping["EventSourceArn"]), name)
		destination := mapping["DestinationConfig"].(object)["OnFailure"].(object)["Destination"]
		require.True(t, strings.HasPrefix(text(destination), "${Stream"+name+"DeadLetters"), name)
	}
}

func TestAFunctionGetsTheRecordsThatConcernIt(t *testing.T) {
	for name, want := range map[string]string{
		streamName: `{"dynamodb": {"Keys": {"sk": {"S": ["HEAD"]}}}}`,
		notifyName: `{"eventName": ["INSERT"], "dynamodb": {"Keys": {"pk": {"S": [{"prefix": "NOTICE#"}]}}}}`,
	} {
		filters := mappings(t)[name]["FilterCriteria"].(object)["Filters"].([]any)
		require.Len(t, filters, 1)
		require.JSONEq(t, want, filters[0].(object)["Pattern"].(string), name)
	}
}

func TestDeadLettersAreKeptAndEncrypted(t *testing.T) {
	queues := everything().resources("AWS::SQS::Queue")
	require.Len(t, queues, 3)
	for id, queue := range queues {
		require.InDelta(t, 14*24*60*60, properties(queue)["MessageRetentionPeriod"], 0, id)
		require.Equal(t, true, properties(queue)["SqsManagedSseEnabled"], id)
	}
	policies := everything().resources("AWS::SQS::QueuePolicy")
	require.Len(t, policies, len(queues))
	for id, policy := range policies {
		text, err := json.Marshal(policy)
		require.NoError(t, err)
		require.Contains(t, string(text), `{"Bool":{"aws:SecureTransport":"false"}}`, id)
	}
}

func TestTheClockTicksEveryMinute(t *testing.T) {
	schedule := properties(everything().only(t, "AWS::Scheduler::Schedule"))
	require.Equal(t, "rate(1 minute)", schedule["ScheduleExpression"])
	target := schedule["Target"].(object)
	require.True(t, strings.HasPrefix(text(target["Arn"]), "${Functionsclock"))
	require.Contains(t, target, "DeadLetterConfig")
	require.Equal(t, object{"MaximumEventAgeInSeconds": 60.0, "MaximumRetryAttempts": 1.0}, target["RetryPolicy"])
}

func TestAFailedTickIsNotRepeatedButKept(t *testing.T) {
	everything().has(t, "AWS::Lambda::EventInvokeConfig", object{"MaximumRetryAttempts": 0, "MaximumEventAgeInSeconds": 60})
	invoke := properties(everything().only(t, "AWS::Lambda::EventInvokeConfig"))
	require.Contains(t, invoke["DestinationConfig"], "OnFailure")
}

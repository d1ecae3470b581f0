package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// alarmsOf are the alarms by the ids that they have in this folder.
func alarmsOf(t *testing.T, s synthesized) map[string]object {
	t.Helper()
	all := map[string]object{}
	for id, resource := range s.resources("AWS::CloudWatch::Alarm") {
		// CDK puts what the alarm is in before the id, and eight digits of a hash behind it.
		all[strings.TrimPrefix(id[:len(id)-8], "Alarms")] = properties(resource)
	}
	return all
}

func TestWhatNeedsSomebodyHasAnAlarm(t *testing.T) {
	want := []string{
		"ServerErrors", "Latency", "ReadsThrottled", "WritesThrottled", "Conflicts", "NoticesFailed", "ClockSilent",
		"Errorshttp", "Errorssocket", "Errorsstream", "Errorsnotify", "Errorsclock",
		"IteratorAgestream", "IteratorAgenotify",
		"DeadLettersstream", "DeadLettersnotify", "DeadLettersclock",
	}
	require.ElementsMatch(t, want, sortedKeys(alarmsOf(t, everything())))
	for id, alarm := range alarmsOf(t, everything()) {
		require.Len(t, alarm["AlarmActions"], 1, id)
		require.NotEmpty(t, alarm["AlarmDescription"], id)
		require.NotEmpty(t, alarm["TreatMissingData"], id)
	}
}

func TestAnAlarmOfAFunctionsOwnMetricNamesTheStage(t *testing.T) {
	for id, dims := range map[string][]any{
		"Conflicts":     {object{"Name": "Stage", "Value": "example"}},
		"NoticesFailed": {object{"Name": "Outcome", "Value": "failed"}, object{"Name": "Stage", "Value": "example"}},
	} {
		alarm := alarmsOf(t, everything())[id]
		require.Equal(t, "Boulevard", alarm["Namespace"], id)
		require.ElementsMatch(t, dims, alarm["Dimensions"], id)
	}
}

func TestAClockThatHasStoppedIsNoticed(t *testing.T) {
	alarm := alarmsOf(t, everything())["ClockSilent"]
	require.Equal(t, "LessThanThreshold", alarm["ComparisonOperator"])
	require.Equal(t, "breaching", alarm["TreatMissingData"])
	require.Equal(t, "notBreaching", alarmsOf(t, everything())["Conflicts"]["TreatMissingData"], "no data is no conflict")
}

func TestAlarmsAreMailedWhereConfigured(t *testing.T) {
	everything().has(t, "AWS::SNS::Subscription", object{"Protocol": "email", "Endpoint": "host@example.org"})
	require.Empty(t, smallest().resources("AWS::SNS::Subscription"))
	require.Contains(t, properties(everything().only(t, "AWS::SNS::Topic")), "KmsMasterKeyId")
	everything().has(t, "AWS::KMS::Key", object{"EnableKeyRotation": true})
}

func TestTheDashboardShowsEveryChart(t *testing.T) {
	body := text(properties(everything().only(t, "AWS::CloudWatch::Dashboard"))["DashboardBody"])
	var dashboard struct {
		Widgets []struct {
			Properties struct {
				Title string `json:"title"`
			} `json:"properties"`
		} `json:"widgets"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &dashboard))
	var titles []string
	for _, widget := range dashboard.Widgets {
		titles = append(titles, widget.Properties.Title)
	}
	require.Equal(t, []string{
		"Requests", "Latency", "Commands by result", "Fan-out delay", "Conflicts", "Notices by outcome", "Write units",
		"Table throttled", "Iterator age", "Function errors", "Function duration", "Dead letters",
	}, titles)
	require.Contains(t, body, `SEARCH('{Boulevard,Stage,Result} MetricName=\"Commands\" Stage=\"example\"', 'Sum')`)
}

func TestTheOutputsSayWhereEverythingIs(t *testing.T) {
	common := []string{
		"ApiUrl", "LiveUrl", "TableName", "DashboardUrl", "DeadLettersUrlOfstream", "DeadLettersUrlOfnotify", "DeadLettersUrlOfclock",
	}
	small := smallest().json["Outputs"].(object)
	require.ElementsMatch(t, common, sortedKeys(small))
	require.Equal(t, "${LiveApiACBCF7C0.ApiEndpoint}/live", text(small["LiveUrl"].(object)["Value"]))
	all := everything().json["Outputs"].(object)
	require.ElementsMatch(t, append(common, "ApiDomainTarget", "LiveDomainTarget"), sortedKeys(all))
	require.Equal(t, "wss://live.example.org", all["LiveUrl"].(object)["Value"])
}

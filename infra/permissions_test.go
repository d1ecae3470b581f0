package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite testdata/permissions.txt; read what has changed before it is committed")

const permissionsFile = "testdata/permissions.txt"

// statement is one permission of the template.
type statement struct {
	holder, effect, principal, condition string
	actions, resources                   []string
}

func (s statement) String() string {
	lines := []string{s.holder, s.effect + " " + strings.Join(s.actions, ", ")}
	for _, part := range []struct{ name, value string }{{"by", s.principal}, {"if", s.condition}} {
		if part.value != "" {
			lines = append(lines, part.name+" "+part.value)
		}
	}
	for _, resource := range s.resources {
		lines = append(lines, "on "+resource)
	}
	return strings.Join(lines, "\n  ") + "\n"
}

// holders says where the kinds of resources that hold permissions hold them.
var holders = map[string]func(object) []any{
	"AWS::IAM::Policy":        func(p object) []any { return statements(p["PolicyDocument"]) },
	"AWS::IAM::ManagedPolicy": func(p object) []any { return statements(p["PolicyDocument"]) },
	"AWS::SQS::QueuePolicy":   func(p object) []any { return statements(p["PolicyDocument"]) },
	"AWS::SNS::TopicPolicy":   func(p object) []any { return statements(p["PolicyDocument"]) },
	"AWS::KMS::Key":           func(p object) []any { return statements(p["KeyPolicy"]) },
	"AWS::IAM::Role":          ofRole,
	"AWS::Lambda::Permission": ofPermission,
}

func statements(document any) []any {
	held, _ := document.(object)["Statement"].([]any)
	return held
}

// ofRole are who may take the role, what is in it, and the policies that it refers to.
func ofRole(p object) []any {
	held := statements(p["AssumeRolePolicyDocument"])
	inline, _ := p["Policies"].([]any)
	for _, policy := range inline {
		held = append(held, statements(policy.(object)["PolicyDocument"])...)
	}
	managed, _ := p["ManagedPolicyArns"].([]any)
	for _, arn := range managed {
		held = append(held, object{"Effect": "Allow", "Action": "what the managed policy allows", "Resource": arn})
	}
	return held
}

func ofPermission(p object) []any {
	return []any{object{
		"Effect": "Allow", "Action": p["Action"], "Principal": p["Principal"], "Resource": p["FunctionName"],
		"Condition": object{"SourceArn": p["SourceArn"]},
	}}
}

// permissions are all statements of the template, in the order of their holders' names.
func permissions(s synthesized) []statement {
	var all []statement
	for _, kind := range sortedKeys(holders) {
		resources := s.resources(kind)
		for _, id := range sortedKeys(resources) {
			for _, held := range holders[kind](properties(resources[id])) {
				all = append(all, readStatement(kind+" "+id, held.(object)))
			}
		}
	}
	return all
}

func readStatement(holder string, held object) statement {
	s := statement{holder: holder, effect: held["Effect"].(string), actions: texts(held["Action"]), resources: texts(held["Resource"])}
	if who, ok := held["Principal"]; ok {
		s.principal = text(who)
	}
	if when, ok := held["Condition"]; ok {
		s.condition = text(when)
	}
	return s
}

func texts(value any) []string {
	if value == nil {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	all := make([]string, len(list))
	for i := range list {
		all[i] = text(list[i])
	}
	slices.Sort(all)
	return all
}

// text writes a value of a template: references as ${Id} and ${Id.Attribute}, as CloudFormation's Sub does.
func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case object:
		return textOf(v)
	default:
		return fmt.Sprint(v)
	}
}

func textOf(v object) string {
	if ref, ok := v["Ref"]; ok {
		return "${" + ref.(string) + "}"
	}
	if attribute, ok := v["Fn::GetAtt"].([]any); ok {
		return "${" + text(attribute[0]) + "." + text(attribute[1]) + "}"
	}
	if joined, ok := v["Fn::Join"].([]any); ok {
		parts := make([]string, 0)
		for _, part := range joined[1].([]any) {
			parts = append(parts, text(part))
		}
		return strings.Join(parts, text(joined[0]))
	}
	parts := make([]string, 0, len(v))
	for _, key := range sortedKeys(v) {
		parts = append(parts, key+"="+text(v[key]))
	}
	return strings.Join(parts, " ")
}

// The file lists every permission that a stage with all that can be configured has. A difference is for a reviewer to read.
func TestEveryPermissionIsOnTheReviewedList(t *testing.T) {
	var list strings.Builder
	for _, s := range permissions(everything()) {
		list.WriteString(s.String() + "\n")
	}
	if *update {
		require.NoError(t, os.WriteFile(permissionsFile, []byte(list.String()), 0o600))
	}
	reviewed, err := os.ReadFile(permissionsFile)
	require.NoError(t, err)
	require.Equal(t, string(reviewed), list.String(), "review, then: go test ./infra -run Permission -update")
}

// wildcards are those that may be, by the end of the resource or by the holder. The log group's Arn, which is no wildcard
// in a template, stands for all streams of that one group.
var wildcards = []struct{ holder, action, resource, reason string }{
	{"AWS::IAM::Policy Functions", "execute-api:ManageConnections", "/live/POST/@connections/*", "API Gateway names connections"},
	{"AWS::IAM::Policy Functions", "execute-api:ManageConnections", "/live/DELETE/@connections/*", "API Gateway names connections"},
	{"AWS::IAM::Policy Functions", "dynamodb:ListStreams", ".Arn}/stream/*", "it is asked of all streams of the table"},
	{"AWS::IAM::Policy Functions", "sns:Publish", ":endpoint/APNS/boulevard/*", "SNS names endpoints"},
	{"AWS::IAM::Policy Functions", "sns:SetEndpointAttributes", ":endpoint/APNS/boulevard/*", "SNS names endpoints"},
	{"AWS::IAM::Policy Functions", "sns:Publish", ":endpoint/GCM/boulevard/*", "SNS names endpoints"},
	{"AWS::IAM::Policy Functions", "sns:SetEndpointAttributes", ":endpoint/GCM/boulevard/*", "SNS names endpoints"},
	{"AWS::IAM::Policy Functions", "xray:PutTraceSegments", "*", "X-Ray knows no resources"},
	{"AWS::IAM::Policy Functions", "xray:PutTelemetryRecords", "*", "X-Ray knows no resources"},
	{"AWS::KMS::Key AlarmsKey", "kms:*", "*", "the account administers its key; * is the key itself"},
	{"AWS::KMS::Key AlarmsKey", "kms:Decrypt", "*", "* is the key itself"},
	{"AWS::KMS::Key AlarmsKey", "kms:GenerateDataKey", "*", "* is the key itself"},
}

func TestNoPermissionHasAWildcardWithoutAReason(t *testing.T) {
	used := map[int]bool{}
	for _, s := range permissions(everything()) {
		for _, pair := range s.wild() {
			i := allowed(s.holder, pair[0], pair[1])
			require.GreaterOrEqual(t, i, 0, "%s: %s on %s", s.holder, pair[0], pair[1])
			used[i] = true
		}
	}
	for i, w := range wildcards {
		require.True(t, used[i], "%v is not needed any more", w)
		require.NotEmpty(t, w.reason)
	}
}

// wild are the pairs of an allowed action and a resource of which one has a wildcard.
func (s statement) wild() [][2]string {
	if s.effect != "Allow" {
		return nil
	}
	var pairs [][2]string
	for _, action := range s.actions {
		for _, resource := range s.resources {
			if strings.Contains(action+resource, "*") {
				pairs = append(pairs, [2]string{action, resource})
			}
		}
	}
	return pairs
}

func allowed(holder, action, resource string) int {
	for i, w := range wildcards {
		exact := w.resource == "*" && resource == "*"
		ends := w.resource != "*" && strings.HasSuffix(resource, w.resource) && strings.Count(resource, "*") == 1
		if strings.HasPrefix(holder, w.holder) && action == w.action && (exact || ends) {
			return i
		}
	}
	return -1
}

// effects counts what looks like a statement, wherever it is.
func effects(value any) int {
	count := 0
	switch v := value.(type) {
	case object:
		if _, ok := v["Effect"]; ok {
			count++
		}
		for _, part := range v {
			count += effects(part)
		}
	case []any:
		for _, part := range v {
			count += effects(part)
		}
	}
	return count
}

func TestNoPermissionIsOverlooked(t *testing.T) {
	read := 0
	for _, s := range permissions(everything()) {
		made := strings.HasPrefix(s.holder, "AWS::Lambda::Permission") || strings.Contains(s.actions[0], "managed policy")
		if !made {
			read++
		}
	}
	require.Equal(t, effects(everything().json), read)
}

func TestNobodyOutsideIsAllowedAnything(t *testing.T) {
	for _, s := range permissions(everything()) {
		if s.effect == "Allow" {
			require.NotContains(t, s.principal, "*", s.holder)
		}
	}
}

func TestWhatIsNotConfiguredIsNotPermitted(t *testing.T) {
	for _, s := range permissions(smallest()) {
		for _, action := range s.actions {
			for _, service := range []string{"ses:", "xray:", "sns:CreatePlatformEndpoint", "sns:SetEndpointAttributes"} {
				require.False(t, strings.HasPrefix(action, service), "%s: %s", s.holder, action)
			}
		}
	}
}

// Each function of a small stage, and the services that it may use at all.
func TestAFunctionMayDoWhatItIsThereFor(t *testing.T) {
	common := []string{
		"dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query",
		"logs:CreateLogStream", "logs:PutLogEvents", "secretsmanager:GetSecretValue",
	}
	connections := []string{"execute-api:ManageConnections"}
	follows := []string{
		"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams", "sqs:SendMessage",
	}
	want := map[string][]string{
		httpName:   common,
		socketName: slices.Concat(common, connections),
		streamName: slices.Concat(common, connections, follows),
		notifyName: slices.Concat(common, connections, follows),
		clockName:  slices.Concat(common, connections, []string{"sqs:SendMessage"}),
	}
	for name, actions := range want {
		got := map[string]bool{}
		for _, s := range permissions(smallest()) {
			if strings.HasPrefix(s.holder, "AWS::IAM::Policy Functions"+name) {
				for _, action := range s.actions {
					got[action] = true
				}
			}
		}
		require.ElementsMatch(t, actions, sortedKeys(got), name)
	}
}

package main

import (
	"strings"

	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"
)

// suppress tells cdk-nag why a construct, and what is below it, may be as it is; perhaps only in the named findings, of
// which those between slashes are regular expressions.
func suppress(construct constructs.IConstruct, rule, reason string, appliesTo ...string) {
	suppression := &cdknag.NagPackSuppression{Id: &rule, Reason: &reason}
	if len(appliesTo) > 0 {
		findings := make([]any, len(appliesTo))
		for i, finding := range appliesTo {
			if strings.HasPrefix(finding, "/") {
				findings[i] = &cdknag.RegexAppliesTo{Regex: &finding}
			} else {
				findings[i] = finding
			}
		}
		suppression.AppliesTo = &findings
	}
	cdknag.NagSuppressions_AddResourceSuppressions(construct, &[]*cdknag.NagPackSuppression{suppression}, jsii.Bool(true))
}

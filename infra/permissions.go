package main

import (
	"net/mail"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"
)

// allow lets a role do something with resources. Every permission of a role is given here: the grants of CDK's own
// constructs give more than is needed.
func allow(role awsiam.Role, actions []string, resources ...string) {
	allowIf(role, nil, actions, resources...)
}

func allowIf(role awsiam.Role, conditions *map[string]any, actions []string, resources ...string) {
	role.AddToPolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Actions: jsii.Strings(actions...), Resources: jsii.Strings(resources...), Conditions: conditions,
	}))
}

// grantTable lets every function do what the store's driver does: single items and queries, never a scan.
func grantTable(all functions, table string) {
	for _, name := range sortedKeys(all) {
		allow(all[name].role, []string{"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:DeleteItem", "dynamodb:Query"}, table)
	}
}

// grantSecrets lets functions read the secrets that are named in their environment.
func grantSecrets(all functions, config Config, keyring string) {
	for _, name := range sortedKeys(all) {
		allow(all[name].role, []string{"secretsmanager:GetSecretValue"}, keyring)
	}
	if config.Push != nil {
		for _, name := range []string{notifyName, clockName} {
			allow(all[name].role, []string{"secretsmanager:GetSecretValue"}, config.Push.PrivateSecret)
		}
	}
}

// grantChannels lets those who tell players things use what is configured for it.
func grantChannels(stack awscdk.Stack, all functions, config Config) {
	for _, name := range []string{notifyName, clockName} {
		grantMail(stack, all[name].role, config.Mail)
		grantMobile(all[name], config.Mobile)
	}
}

// grantMail allows mail from the one address, not from all that the identity has.
func grantMail(stack awscdk.Stack, role awsiam.Role, m *Mail) {
	if m == nil {
		return
	}
	resources := []string{sesARN(stack, "identity", m.Identity)}
	if m.Configuration != "" {
		resources = append(resources, sesARN(stack, "configuration-set", m.Configuration))
	}
	// The configuration has been checked: the address parses.
	from, _ := mail.ParseAddress(m.From)
	conditions := map[string]any{"StringEquals": map[string]any{"ses:FromAddress": from.Address}}
	allowIf(role, &conditions, []string{"ses:SendEmail"}, resources...)
}

func sesARN(stack awscdk.Stack, kind, name string) string {
	return *stack.FormatArn(&awscdk.ArnComponents{
		Service: jsii.String("ses"), Resource: jsii.String(kind), ResourceName: jsii.String(name),
	})
}

// grantMobile allows the endpoints of the configured applications. SNS makes endpoints' names, hence the wildcard.
func grantMobile(f function, mobile *Mobile) {
	for _, application := range mobile.arns() {
		endpoints := strings.Replace(application, ":app/", ":endpoint/", 1) + "/*"
		allow(f.role, []string{"sns:CreatePlatformEndpoint", "sns:SetEndpointAttributes"}, application)
		allow(f.role, []string{"sns:Publish", "sns:SetEndpointAttributes"}, endpoints)
		suppress(f.role, "AwsSolutions-IAM5", "SNS names the endpoints of an application itself.", "Resource::"+endpoints)
	}
}

// grantTraces explains what CDK grants where traces are configured.
func grantTraces(all functions, config Config) {
	if !config.Traces {
		return
	}
	for _, name := range sortedKeys(all) {
		suppress(all[name].role, "AwsSolutions-IAM5", "X-Ray knows no resources.", "Resource::*")
	}
}

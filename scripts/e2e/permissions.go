package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// The emulator holds every request against the permissions of the role that it is sent with. A few it judges otherwise than
// AWS does, and those are allowed here beside what the stack allows.

// allowDeploying takes back that CDK's bucket refuses what does not come by TLS: the emulator has none.
func (s *stage) allowDeploying(ctx context.Context) error {
	bucket := "/cdk-hnb659fds-assets-" + account + "-" + region
	_, err := s.cloud.call(ctx, "s3", http.MethodDelete, bucket+"?policy=", http.Header{"X-Amz-Content-Sha256": {noBody}}, nil)
	return err
}

// noBody is the hash of nothing, which S3 wants said.
const noBody = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// allowFunctions has functions read the keyring, send mail and call phones. To the emulator, a reference to a secret in a
// template is the secret's name and not its ARN, a mail is from no identity and no address, and a phone's endpoint belongs
// to no application.
func (s *stage) allowFunctions(ctx context.Context) error {
	keyring, err := s.named("Keyring")
	if err != nil {
		return err
	}
	for _, function := range []string{"http", "socket", "stream", "notify", "clock"} {
		role, err := s.named("Functions" + function + "Role")
		if err != nil {
			return err
		}
		secret := "arn:aws:secretsmanager:" + region + ":" + account + ":secret:" + keyring + "-*"
		if err := s.allow(ctx, role, "secretsmanager:GetSecretValue", secret); err != nil {
			return err
		}
		if function == "notify" || function == "clock" {
			for _, action := range []string{"ses:SendEmail", "sns:CreatePlatformEndpoint", "sns:Publish", "sns:SetEndpointAttributes"} {
				if err := s.allow(ctx, role, action, "*"); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// allow has a role do something too.
func (s *stage) allow(ctx context.Context, role, action, resource string) error {
	policy, err := json.Marshal(object{"Version": "2012-10-17", "Statement": object{
		"Effect": "Allow", "Action": action, "Resource": resource,
	}})
	if err != nil {
		return err
	}
	_, err = s.cloud.form(ctx, "iam", "2010-05-08", "PutRolePolicy", url.Values{
		"RoleName": {role}, "PolicyName": {"emulated-" + strings.ReplaceAll(action, ":", "-")}, "PolicyDocument": {string(policy)},
	})
	return err
}

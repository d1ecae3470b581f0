package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

const (
	stageName = "emulator"
	stackName = "boulevard-" + stageName
)

// stage is the deployed stack.
type stage struct {
	cloud  *cloud
	folder string
	// outputs are what the deployment told.
	outputs struct {
		API   string `json:"ApiUrl"`    //nolint:tagliatelle // the names are those of the stack's outputs
		Live  string `json:"LiveUrl"`   //nolint:tagliatelle // as above
		Table string `json:"TableName"` //nolint:tagliatelle // as above
		// DeadLetters is the queue of what the function stream could not take in.
		DeadLetters string `json:"DeadLettersUrlOfstream"` //nolint:tagliatelle // the names are those of the stack's outputs
	}
	// stream is the ARN of the table's stream, once it was looked for.
	stream string
	// resources are the names at AWS by those in the template.
	resources map[string]string
}

// make makes a target for the stage, as whoever deploys it does.
func (s *stage) make(ctx context.Context, target string, variables ...string) error {
	log, err := os.OpenFile(filepath.Join(s.folder, target+".log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	args := append([]string{target, "STAGE=" + stageName, "ARCH=" + runtime.GOARCH, "APPROVAL=never"}, variables...)
	command := exec.CommandContext(ctx, "make", args...)
	command.Env, command.Stdout, command.Stderr = environment(s.cloud.url), log, log
	if err := command.Run(); err != nil {
		return fmt.Errorf("make %s: %w", strings.Join(args, " "), err)
	}
	return nil
}

func (s *stage) bootstrap(ctx context.Context) (string, error) {
	if err := s.make(ctx, "bootstrap"); err != nil {
		return "", err
	}
	return "", s.allowDeploying(ctx)
}

func (s *stage) deploy(ctx context.Context) (string, error) {
	if err := s.make(ctx, "deploy"); err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join("build", "outputs.json"))
	if err != nil {
		return "", err
	}
	var stacks map[string]json.RawMessage
	if err := json.Unmarshal(text, &stacks); err != nil {
		return "", err
	}
	if err := json.Unmarshal(stacks[stackName], &s.outputs); err != nil {
		return "", err
	}
	if s.resources, err = s.list(ctx); err != nil {
		return "", err
	}
	return fmt.Sprintf(": %d resources, %s", len(s.resources), s.outputs.API), s.allowFunctions(ctx)
}

// list asks what belongs to the stack.
func (s *stage) list(ctx context.Context) (map[string]string, error) {
	said, err := s.cloud.form(ctx, "cloudformation", "2010-05-15", "DescribeStackResources", url.Values{"StackName": {stackName}})
	if err != nil {
		return nil, err
	}
	var answer struct {
		Members []struct {
			Logical  string `xml:"LogicalResourceId"`
			Physical string `xml:"PhysicalResourceId"`
		} `xml:"DescribeStackResourcesResult>StackResources>member"`
	}
	if err := xml.Unmarshal(said, &answer); err != nil {
		return nil, err
	}
	resources := map[string]string{}
	for _, m := range answer.Members {
		resources[m.Logical] = m.Physical
	}
	return resources, nil
}

// named is the name at AWS of what is made with a path in the template, whose hash nobody knows.
func (s *stage) named(path string) (string, error) {
	for logical, physical := range s.resources {
		if rest, ok := strings.CutPrefix(logical, path); ok && len(rest) == len("01234567") {
			return physical, nil
		}
	}
	return "", fmt.Errorf("the stack has no %s", path)
}

// function asks for a function's configuration, or calls it with a body.
func (s *stage) function(ctx context.Context, name, method, below string, body []byte, answer any) error {
	physical, err := s.named("Functions" + name + "Function")
	if err != nil {
		return err
	}
	said, err := s.cloud.call(ctx, "lambda", method, "/2015-03-31/functions/"+physical+below,
		jsonHeader(), body)
	if err != nil {
		return err
	}
	return json.Unmarshal(said, answer)
}

// code is the hash of a function's program as it is deployed.
func (s *stage) code(ctx context.Context, name string) (string, error) {
	var answer struct {
		Hash string `json:"CodeSha256"` //nolint:tagliatelle // the name is theirs
	}
	err := s.function(ctx, name, http.MethodGet, "/configuration", nil, &answer)
	if err == nil && answer.Hash == "" {
		err = errors.New(name + " has no code")
	}
	return answer.Hash, err
}

// logged lists the lines that a function has logged and that hold a text.
func (s *stage) logged(ctx context.Context, name, text string) ([]string, error) {
	group, err := s.named("Functions" + name + "Logs")
	if err != nil {
		return nil, err
	}
	var answer struct {
		Events []struct {
			Message string `json:"message"`
		} `json:"events"`
	}
	if err := s.cloud.ask(ctx, logs, "FilterLogEvents", object{"logGroupName": group}, &answer); err != nil {
		return nil, err
	}
	var lines []string
	for _, event := range answer.Events {
		if strings.Contains(event.Message, text) {
			lines = append(lines, event.Message)
		}
	}
	return lines, nil
}

// destroy removes the stage, and looks for what is left of it.
func (s *stage) destroy(ctx context.Context) (string, error) {
	if err := s.make(ctx, "destroy", "CONFIRM="+stageName, "CONFIRM_DATA_LOSS="+stageName); err != nil {
		return "", err
	}
	left, err := s.list(ctx)
	if err != nil && !strings.Contains(err.Error(), "does not exist") {
		return "", err
	}
	if len(left) > 0 {
		return "", fmt.Errorf("%d resources of the stack are left", len(left))
	}
	return "", s.gone(ctx)
}

// gone asks the services themselves for what the stack had.
func (s *stage) gone(ctx context.Context) error {
	for _, service := range []struct {
		service

		operation, list string
	}{{dynamodb, "ListTables", "TableNames"}, {sqs, "ListQueues", "QueueUrls"}, {secrets, "ListSecrets", "SecretList"}} {
		answer := map[string]json.RawMessage{}
		if err := s.cloud.ask(ctx, service.service, service.operation, object{}, &answer); err != nil {
			return err
		}
		if bytes.Contains(answer[service.list], []byte(stackName)) {
			return fmt.Errorf("%s: %s", service.operation, answer[service.list])
		}
	}
	said, err := s.cloud.call(ctx, "lambda", http.MethodGet, "/2015-03-31/functions/", http.Header{}, nil)
	if err == nil && bytes.Contains(said, []byte(stackName)) {
		err = fmt.Errorf("functions are left: %.300s", said)
	}
	return err
}

package main

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/assertions"
	"github.com/aws/jsii-runtime-go"
	"github.com/stretchr/testify/require"
)

// jsii runs one process of Node.js that takes one call at a time, so tests that use it are not parallel.
func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	code := m.Run()
	jsii.Close()
	if scratch.made != "" {
		_ = os.RemoveAll(scratch.made)
	}
	os.Exit(code)
}

// scratch is a folder for all tests of the program, as what is synthesized once outlives the test that first asks for it.
var scratch struct {
	sync.Once

	made string
}

func scratchDir(name string) string {
	scratch.Do(func() {
		made, err := os.MkdirTemp("", "infra")
		if err != nil {
			panic(err)
		}
		scratch.made = made
	})
	dir := filepath.Join(scratch.made, name)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		panic(err)
	}
	return dir
}

// placeholders are programs that nobody built: a template depends on their bytes alone.
func placeholders(dir string) string {
	for _, spec := range functionSpecs {
		folder := filepath.Join(dir, spec.name)
		if err := os.MkdirAll(folder, 0o750); err != nil {
			panic(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "bootstrap"), []byte("the program "+spec.name), 0o755); err != nil {
			panic(err)
		}
	}
	return dir
}

// synthesized is a stage that has been made.
type synthesized struct {
	stack    awscdk.Stack
	template assertions.Template
	json     map[string]any
}

func synthesize(config Config, name string) synthesized {
	contract, err := LoadContract("../api/openapi.yaml")
	if err != nil {
		panic(err)
	}
	app := NewApp(scratchDir(name + "-out"))
	stack, err := NewStack(app, config, contract, placeholders(scratchDir(name+"-programs")))
	if err != nil {
		panic(err)
	}
	template := assertions.Template_FromStack(stack, nil)
	return synthesized{stack: stack, template: template, json: *template.ToJSON()}
}

// everything is the stage of the example, which has all that can be configured.
var everything = sync.OnceValue(func() synthesized { return synthesize(exampleConfig(), "everything") })

// smallest is a stage of which nothing is configured but that it may go.
var smallest = sync.OnceValue(func() synthesized { return synthesize(smallestConfig(), "smallest") })

func exampleConfig() Config {
	config, err := LoadConfig("stages", "example")
	if err != nil {
		panic(err)
	}
	return config
}

func smallestConfig() Config {
	config, err := ParseConfig([]byte("stage: dev\nthrowaway: true\n"))
	if err != nil {
		panic(err)
	}
	return config
}

// object and list read what was decoded from JSON.
type object = map[string]any

// resources of a type, by logical id.
func (s synthesized) resources(kind string) map[string]object {
	of := map[string]object{}
	for id, resource := range s.json["Resources"].(object) {
		if resource.(object)["Type"] == kind {
			of[id] = resource.(object)
		}
	}
	return of
}

// only is the one resource of a type.
func (s synthesized) only(t *testing.T, kind string) object {
	t.Helper()
	all := s.resources(kind)
	require.Len(t, all, 1, kind)
	for _, resource := range all {
		return resource
	}
	return nil
}

// properties of a resource.
func properties(resource object) object {
	all, _ := resource["Properties"].(object)
	return all
}

// has asserts a resource of a type with properties, of which others may be there too.
func (s synthesized) has(t *testing.T, kind string, props object) {
	t.Helper()
	asserted(t, func() { s.template.HasResourceProperties(jsii.String(kind), props) })
}

// asserted fails the test where CDK's assertions panic.
func asserted(t *testing.T, assert func()) {
	t.Helper()
	defer func() {
		if problem := recover(); problem != nil {
			t.Errorf("%v", problem)
		}
	}()
	assert()
}

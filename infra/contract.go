package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Contract is what the gateway has to know of the API's contract: its routes, and the headers that pages send and read.
type Contract struct {
	Routes   []Route
	Requests []string
	Answers  []string
}

// Route is one operation of the contract.
type Route struct{ Method, Path, Operation string }

// Key is how API Gateway names the route.
func (r Route) Key() string { return r.Method + " " + r.Path }

// Methods lists the methods that the routes have.
func (c Contract) Methods() []string {
	methods := map[string]bool{}
	for _, route := range c.Routes {
		methods[route.Method] = true
	}
	return sortedKeys(methods)
}

// methods of OpenAPI that the gateway can route, by their keys in a path item; its other keys are no operations.
var methods = map[string]string{
	"get": "GET", "put": "PUT", "post": "POST", "delete": "DELETE", "patch": "PATCH", "head": "HEAD", "options": "OPTIONS",
}

// document is as much of OpenAPI as a contract is made of.
type document struct {
	Paths      map[string]map[string]yaml.Node `yaml:"paths"`
	Components struct {
		Parameters map[string]struct {
			Name string `yaml:"name"`
			In   string `yaml:"in"`
		} `yaml:"parameters"`
		Headers map[string]any `yaml:"headers"`
	} `yaml:"components"`
}

// LoadContract reads the contract, so that a path written there is routed without being written anywhere else.
func LoadContract(path string) (Contract, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Contract{}, err
	}
	contract, err := ParseContract(text)
	if err != nil {
		return Contract{}, fmt.Errorf("%s: %w", path, err)
	}
	return contract, nil
}

// ParseContract reads a contract in OpenAPI.
func ParseContract(text []byte) (Contract, error) {
	var doc document
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return Contract{}, err
	}
	routes, err := doc.routes()
	return Contract{Routes: routes, Requests: doc.requestHeaders(), Answers: doc.answerHeaders()}, err
}

// routes come in one order, whatever the map's, so that the same contract makes the same template.
func (d document) routes() ([]Route, error) {
	var routes []Route
	for path, item := range d.Paths {
		for key, node := range item {
			method, ok := methods[key]
			if !ok {
				continue
			}
			var operation struct {
				ID string `yaml:"operationId"`
			}
			if err := node.Decode(&operation); err != nil {
				return nil, fmt.Errorf("%s %s: %w", key, path, err)
			}
			if operation.ID == "" {
				return nil, fmt.Errorf("%s %s: an operation needs an operationId", key, path)
			}
			routes = append(routes, Route{Method: method, Path: path, Operation: operation.ID})
		}
	}
	if len(routes) == 0 {
		return nil, errors.New("the contract has no routes")
	}
	slices.SortFunc(routes, func(a, b Route) int { return cmp.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method) })
	return routes, nil
}

// requestHeaders are those of the contract, and the two that every API of JSON and bearer tokens has.
func (d document) requestHeaders() []string {
	headers := map[string]bool{"authorization": true, "content-type": true}
	for _, parameter := range d.Components.Parameters {
		if parameter.In == "header" {
			headers[strings.ToLower(parameter.Name)] = true
		}
	}
	return sortedKeys(headers)
}

func (d document) answerHeaders() []string {
	headers := slices.Sorted(maps.Keys(d.Components.Headers))
	for i := range headers {
		headers[i] = strings.ToLower(headers[i])
	}
	return headers
}

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const smallContract = `
paths:
  /b:
    parameters: [{name: x, in: query}]
    summary: no operation
    post: {operationId: make}
    get: {operationId: see}
  /a/{id}:
    delete: {operationId: drop}
components:
  parameters:
    Key: {name: Idempotency-Key, in: header}
    Page: {name: page, in: query}
  headers:
    ETag: {}
`

func TestAContractsOperationsAreItsRoutes(t *testing.T) {
	t.Parallel()
	contract, err := ParseContract([]byte(smallContract))
	require.NoError(t, err)
	require.Equal(t, []Route{{"DELETE", "/a/{id}", "drop"}, {"GET", "/b", "see"}, {"POST", "/b", "make"}}, contract.Routes)
	require.Equal(t, []string{"DELETE", "GET", "POST"}, contract.Methods())
	require.Equal(t, []string{"authorization", "content-type", "idempotency-key"}, contract.Requests)
	require.Equal(t, []string{"etag"}, contract.Answers)
}

func TestAContractThatCannotBeRoutedIsRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no YAML":            "paths: [",
		"no routes":          "paths: {}",
		"nameless operation": "paths: {/a: {get: {summary: a}}}",
		"no operation":       "paths: {/a: {get: [1]}}",
	} {
		_, err := ParseContract([]byte(text))
		require.Error(t, err, name)
	}
	_, err := LoadContract("testdata/none.yaml")
	require.Error(t, err)
}

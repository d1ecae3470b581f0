// Package api is the contract: openapi.yaml, with the server and client that ogen generates from it, and asyncapi.yaml.
package api

import _ "embed"

// Contract is openapi.yaml, which the server hands out to client developers.
//
//go:embed openapi.yaml
var Contract []byte

// LiveContract is asyncapi.yaml, the contract of live updates.
//
//go:embed asyncapi.yaml
var LiveContract []byte

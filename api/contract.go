// Package api is the HTTP contract, openapi.yaml, and the server and client that ogen generates from it.
package api

import _ "embed"

// Contract is openapi.yaml, which the server hands out to client developers.
//
//go:embed openapi.yaml
var Contract []byte

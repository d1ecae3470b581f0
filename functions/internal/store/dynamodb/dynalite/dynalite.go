// Package dynalite runs the DynamoDB-compatible server of scripts/dynalite: in memory, on a free local port, for as long
// as the program that started it.
package dynalite

import (
	"context"
	"fmt"

	"boulevard/functions/internal/node"
)

// Serve starts a server and returns its URL and what stops it. The server also stops when the context ends, and when the
// program does, however it dies. It needs node, and installs the server's packages where they are missing.
func Serve(ctx context.Context) (endpoint string, stop func(), err error) {
	process, err := node.Start(ctx, "dynalite", "serve.js", "0")
	if err != nil {
		return "", nil, fmt.Errorf("dynalite: %w (or name a DynamoDB-compatible server in BOULEVARD_DYNAMODB_ENDPOINT)", err)
	}
	port, err := process.Line()
	if err != nil {
		return "", nil, fmt.Errorf("dynalite: the server did not start: %w", err)
	}
	return "http://127.0.0.1:" + port, process.Stop, nil
}

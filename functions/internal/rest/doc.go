// Package rest is Boulevard over HTTP: it decodes requests, calls the host and encodes what that answers. The server is
// generated from api/openapi.yaml; nothing is decided here.
package rest

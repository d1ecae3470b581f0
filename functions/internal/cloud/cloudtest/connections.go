package cloudtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Connections is the API that keeps live connections, as far as it is asked to say something on them.
type Connections struct {
	// Endpoint is what functions know it by.
	Endpoint string

	mutex    sync.Mutex
	said     map[string][]string
	unsigned []string
}

// NewConnections starts an API.
func NewConnections(t *testing.T) *Connections {
	t.Helper()
	c := &Connections{said: map[string][]string{}}
	server := httptest.NewServer(c)
	c.Endpoint = server.URL + "/test"
	t.Cleanup(func() {
		server.Close()
		require.Empty(t, c.unsigned, "every call is signed")
	})
	return c
}

// signature is how calls are signed. Whether it is right is tried where it is made.
var signature = regexp.MustCompile(
	`^AWS4-HMAC-SHA256 Credential=` + keyID + `/\d{8}/[a-z0-9-]+/execute-api/aws4_request, .*Signature=[0-9a-f]{64}$`)

// ServeHTTP takes a message for a connection.
func (c *Connections) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	connection, _ := strings.CutPrefix(r.URL.Path, "/test/@connections/")
	if authorization := r.Header.Get("Authorization"); !signature.MatchString(authorization) {
		c.unsigned = append(c.unsigned, authorization)
		w.WriteHeader(http.StatusForbidden)
		return
	}
	c.said[connection] = append(c.said[connection], r.Method+" "+string(body))
}

// Said takes what was said on a connection: each message with its method before it.
func (c *Connections) Said(connection string) []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	said := c.said[connection]
	delete(c.said, connection)
	return said
}

package webpush

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWebPush_EndpointsOfOneOrigin_AreSpeltAsItsOrigin(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"https://push.example.com/w/aB%2Fc?x=Y": "https://push.example.com/w/aB%2Fc?x=Y",
		"HTTPS://Push.Example.COM:443/w/aB":     "https://push.example.com/w/aB",
		"https://push.example.com:8443/w":       "https://push.example.com:8443/w",
		"http://127.0.0.1:443/w":                "http://127.0.0.1:443/w",
		"https://[2606:4700::1111]:443/w":       "https://[2606:4700::1111]/w",
	} {
		got, err := normal(endpoint)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

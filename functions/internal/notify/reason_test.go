package notify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/notify"
)

// TestReason_OfAnAddressInParts_RepeatsNoneOfThem has servers say what servers say of a path that they do not know.
func TestReason_OfAnAddressInParts_RepeatsNoneOfThem(t *testing.T) {
	t.Parallel()
	to := notify.Address{Target: "https://hooks.example.com/up/T0k3n%2Bsecret?key=0123456789", Secret: []byte("signing secret")}
	for said, want := range map[string]string{
		"Cannot POST /up/T0k3n%2Bsecret?key=0123456789": "status_404: Cannot POST …",
		"no route for /up/T0k3n%2Bsecret":               "status_404: no route for …",
		"no route for /up/T0k3n+secret":                 "status_404: no route for …",
		"no hook named T0k3n+secret":                    "status_404: no hook named …",
		`{"token":"T0k3n%2Bsecret","key":"0123456789"}`: `status_404: {"token":"…","key":"…"}`,
		"signed with signing secret":                    "status_404: signed with …",
		"shut up":                                       "status_404: shut up",
	} {
		require.Equal(t, want, notify.Reason("status_404", said, to))
	}
}

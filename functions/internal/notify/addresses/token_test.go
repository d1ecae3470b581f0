package addresses_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/notify/addresses"
)

const googles = "cKx1_d-T9Q4:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ-hQMRKRrZuJAEcl7B338qju59zJMjw2DELjzEvxwYv7hH5"

var apples = strings.Repeat("0123456789abcdef", 4)

func TestCheckToken(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		variant, token string
		ok             bool
	}{
		"Apple's":               {notify.APNs, apples, true},
		"Apple's in capitals":   {notify.APNs, strings.ToUpper(apples), true},
		"Apple's, long":         {notify.APNs, strings.Repeat("a", 200), true},
		"Apple's, too long":     {notify.APNs, strings.Repeat("a", 201), false},
		"Apple's, too short":    {notify.APNs, apples[1:], false},
		"Apple's, as it prints": {notify.APNs, "<" + apples + ">", false},
		"Apple's, and a line":   {notify.APNs, apples + "\n", false},
		"Google's for Apple's":  {notify.APNs, googles, false},
		"Google's":              {notify.FCM, googles, true},
		"Google's, long":        {notify.FCM, strings.Repeat("a", 4096), true},
		"Google's, too long":    {notify.FCM, strings.Repeat("a", 4097), false},
		"Google's, empty":       {notify.FCM, "", false},
		"Google's, two":         {notify.FCM, "a b", false},
		"Google's, and a line":  {notify.FCM, googles + "\n", false},
		"another's":             {"windows", googles, false},
		"nobody's":              {"", apples, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := addresses.CheckToken(test.variant, test.token)
			require.Equal(t, test.ok, err == nil, "%v", err)
			if err != nil && test.token != "" {
				require.NotContains(t, err.Error(), test.token)
			}
		})
	}
}

func FuzzCheckToken(f *testing.F) {
	for _, variant := range []string{notify.APNs, notify.FCM, ""} {
		for _, token := range []string{apples, googles, "", "a\n", "é", "<>"} {
			f.Add(variant, token)
		}
	}
	f.Fuzz(func(t *testing.T, variant, token string) {
		if addresses.CheckToken(variant, token) != nil {
			return
		}
		require.NotEmpty(t, token)
		require.LessOrEqual(t, len(token), 4096)
		require.False(t, strings.ContainsFunc(token, func(r rune) bool {
			return r <= ' ' || r > '~' || strings.ContainsRune(`<>"'&%/?#=`, r)
		}), "%q", token)
	})
}

package addresses_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/notify/addresses"
)

func TestCheckMailbox(t *testing.T) {
	t.Parallel()
	for address, problem := range map[string]string{
		"player@example.com":                          "",
		"p+games@sub.example.co.uk":                   "",
		"p@xn--bcher-kva.example":                     "",
		strings.Repeat("l", 64) + "@example.com":      "",
		strings.Repeat("l", 65) + "@example.com":      "before the @",
		"p@" + strings.Repeat("example.", 32) + "com": "254",
		"":                                  "not one bare address",
		"player":                            "not one bare address",
		"Ann <a@example.com>":               "not one bare address",
		"<a@example.com>":                   "not one bare address",
		" a@example.com":                    "not one bare address",
		"a@example.com (Ann)":               "not one bare address",
		"a@example.com, b@example.com":      "not one bare address",
		`"a b"@example.com`:                 "not one bare address",
		`"ab"@example.com`:                  "not one bare address",
		"a@[127.0.0.1]":                     "not one bare address",
		"a@example.com\r\nBcc: b@c.example": "control characters",
		"a\x00@example.com":                 "control characters",
		"zoë@example.com":                   "only addresses in ASCII",
		"p@bücher.example":                  "xn--",
	} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			err := addresses.CheckMailbox(address)
			if problem == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, problem)
		})
	}
}

func FuzzCheckMailbox(f *testing.F) {
	for _, seed := range []string{
		"some.player@example.com", "Ann <a@example.com>", "a@b\r\n", "é@example.com", `"a"@b`, "a@[1.2.3.4]", "a@b,c@d",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if addresses.CheckMailbox(address) != nil {
			return
		}
		require.LessOrEqual(t, len(address), 254)
		require.Equal(t, 1, strings.Count(address, "@"), "%q", address)
		require.False(t, strings.ContainsFunc(address, func(r rune) bool {
			return r <= ' ' || r > '~' || strings.ContainsRune(`<>(),;:"[]`, r)
		}), "%q", address)
	})
}

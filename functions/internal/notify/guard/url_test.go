package guard

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckURL_WhatCannotBeCalled_IsNamed(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]error{
		"": errScheme, "hooks.example.com": errScheme, "http://hooks.example.com/secret": errScheme, "ftp://example.com": errScheme,
		"https:example.com": errScheme, "javascript:alert(1)": errScheme, "//example.com/": errScheme,
		"https://": errHost, "https:///path": errHost, "https://example": errHost, "https://com/": errHost,
		"https://.com": errHost, "https://a..com": errHost, "https://exa mple.com": errUnread, "https://example.com\n": errUnread,
		"https://[::1]": errHost, "https://[::ffff:127.0.0.1]/": errHost, "https://[fe80::1%25eth0]/": errHost,
		"https://127.0.0.1/": errHost, "https://169.254.169.254/latest": errHost, "https://2130706433/": errHost,
		"https://0x7f.0.0.0x1/": errHost, "https://1.2.3/": errHost, "https://１２７.0.0.1/": errHost,
		"https://ⓔxample.com/": errHost, "https://example.com。internal/": errHost, "https://foo.internal/": errHost,
		"https://user@example.com/": errUser, "https://user:pw@example.com/": errUser, "https://@example.com/": errUser,
		"https://example.com/#x": errFragment, "https://example.com/#": errFragment,
		"https://example.com:80/": errPort, "https://example.com:22/": errPort, "https://example.com:/": errPort,
		"https://example.com:65979/": errPort, "https://example.com:x/": errUnread, "https://example.com/%zz": errUnread,
		"https://example.com/" + strings.Repeat("x", maxURL): errLong,
	} {
		err := CheckURL(raw)
		require.ErrorIs(t, err, want, raw)
		require.NotContains(t, err.Error(), "example.com")
	}
}

func TestCheckURL_OfPublicHosts_IsFine(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		"https://discord.com/api/webhooks/123/a-b_c?wait=true", "https://hooks.slack.com/services/T0/B0/x",
		"https://example.com", "https://EXAMPLE.com:443/", "https://ntfy.example.com:8443/up?a=b", "https://example.com./x",
		"https://xn--bcher-kva.example.com/", "https://8.8.8.8/", "https://[2606:4700::1111]/", "HTTPS://example.com/",
		"https://0x7f.com/", "https://localhost.example.com/",
	} {
		require.NoError(t, CheckURL(raw), raw)
	}
}

func TestCheckURL_OfAnAllowedAddress_MayBePlainAndOnAnyPort(t *testing.T) {
	t.Parallel()
	o := Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	require.NoError(t, o.CheckURL("http://127.0.0.1:8080/hook"))
	require.NoError(t, o.CheckURL("https://127.0.0.2:9000/hook"))
	require.ErrorIs(t, o.CheckURL("ftp://127.0.0.1/"), errScheme)
	require.ErrorIs(t, o.CheckURL("https://10.0.0.1/"), errHost)
	require.ErrorIs(t, o.CheckURL("http://example.com/"), errScheme)
}

// FuzzCheckURL looks for a URL that passes and is none that may be called.
func FuzzCheckURL(f *testing.F) {
	for _, raw := range []string{
		"https://example.com/x?y=z", "https://127.0.0.1/", "https://[::ffff:127.0.0.1]:443/", "https://user@example.com/#x",
		"https://0x7f.1:8443/", "https://ａ.com/", "https://[fe80::1%25lo]/", "https://2130706433", "https://example.com.:443",
	} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if err := CheckURL(raw); err != nil {
			require.LessOrEqual(t, len(err.Error()), 80, "it says nothing of the URL")
			return
		}
		u, err := url.Parse(raw)
		require.NoError(t, err)
		require.Equal(t, "https", u.Scheme)
		require.Nil(t, u.User)
		require.Empty(t, u.Fragment)
		require.Contains(t, []string{"", "443", "8443", "0443", "08443"}, strings.TrimLeft(u.Port(), "0"))
		if address, err := netip.ParseAddr(u.Hostname()); err == nil {
			require.True(t, public(address))
			return
		}
		require.Regexp(t, `^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.[A-Za-z0-9_-]*[A-Za-z_-][A-Za-z0-9_-]*\.?$`, u.Hostname())
	})
}

package guard

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// maxURL bounds what is kept of a stranger's URL.
const maxURL = 2048

// What is wrong with a URL. None of them says the URL, which is the player's secret.
var (
	errLong     = errors.New("guard: the URL is longer than 2,048 characters")
	errUnread   = errors.New("guard: the URL cannot be read")
	errScheme   = errors.New("guard: the URL is not an https one")
	errUser     = errors.New("guard: the URL holds a user name or a password")
	errFragment = errors.New("guard: the URL has a fragment")
	errHost     = errors.New("guard: the URL names no host of the public internet")
	errPort     = errors.New("guard: the port of the URL is neither 443 nor 8443")
)

// CheckURL says what is wrong with a URL that a stranger registers, if anything can be seen without calling it.
func CheckURL(raw string) error { return Options{}.CheckURL(raw) }

// CheckURL is the same where more is allowed: a literal address that is allowed may have any port, and be an http one.
func (o Options) CheckURL(raw string) error {
	if len(raw) > maxURL {
		return errLong
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil: // which would say the URL
		return errUnread
	case u.User != nil:
		return errUser
	case strings.Contains(raw, "#"):
		return errFragment
	case strings.HasSuffix(u.Host, ":"):
		return errPort
	}
	if address, err := netip.ParseAddr(u.Hostname()); err == nil && o.allows(address) {
		return checkScheme(u, "http", "https")
	}
	return checkPublic(u)
}

func checkPublic(u *url.URL) error {
	if err := checkScheme(u, "https"); err != nil {
		return err
	}
	if !publicHost(u.Hostname()) {
		return errHost
	}
	if port, err := strconv.ParseUint(u.Port(), 10, 16); u.Port() != "" && (err != nil || !ports[uint16(port)]) {
		return errPort
	}
	return nil
}

func checkScheme(u *url.URL, schemes ...string) error {
	for _, scheme := range schemes {
		if u.Scheme == scheme && u.Opaque == "" {
			return nil
		}
	}
	return errScheme
}

// local are the ends of names that are never those of public hosts (RFC 6761, RFC 6762, RFC 8375, RFC 7686, and the name
// that ICANN keeps for private use).
var local = []string{".localhost", ".local", ".internal", ".home.arpa", ".test", ".invalid", ".example", ".onion"}

// publicHost reports whether a host may be one of the public internet, as far as its name tells.
func publicHost(host string) bool {
	if address, err := netip.ParseAddr(host); err == nil {
		return public(address)
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || !isName(name) || isNumber(name[dot+1:]) {
		return false
	}
	for _, end := range local {
		if strings.HasSuffix(name, end) {
			return false
		}
	}
	return true
}

// isName reports whether a name is spelt as the DNS has it. Other scripts have an ASCII form, which browsers give too; some
// of their characters would turn into digits and dots on the way to a resolver.
func isName(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if label == "" {
			return false
		}
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == ""
}

// isNumber reports whether a host that ends in this label is an IPv4 address in one of the notations of inet_aton, such as
// 2130706433, 0x7f.1 or 0177.0.0.1: no top-level domain is a number (the URL standard of WHATWG, 3.5, "ends in a number").
func isNumber(label string) bool {
	if strings.Trim(label, "0123456789") == "" {
		return true
	}
	digits, hex := strings.CutPrefix(label, "0x")
	return hex && strings.Trim(digits, "0123456789abcdef") == ""
}

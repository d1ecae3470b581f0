package addresses

import (
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"unicode"
)

// The most that SMTP carries (RFC 5321, 4.5.3.1), less the brackets of a path.
const (
	maxAddress = 254
	maxLocal   = 64
)

// CheckMailbox refuses what is not exactly one bare address: one with a name, a comment or quotes, or of a host that has
// only a number, may be right and would yet surprise somebody on its way. The domain of an address outside of ASCII can be
// written in ASCII ("xn--"); the part before the "@" cannot, and not every server takes it (RFC 6531).
func CheckMailbox(address string) error {
	switch {
	case len(address) > maxAddress:
		return fmt.Errorf("addresses: an address has at most %d characters", maxAddress)
	case strings.ContainsFunc(address, unicode.IsControl):
		return errors.New("addresses: an address has no control characters")
	case strings.ContainsFunc(address, func(r rune) bool { return r > unicode.MaxASCII }):
		return errors.New("addresses: only addresses in ASCII are written to; write an international domain as xn--")
	}
	parsed, err := mail.ParseAddress(address)
	if err != nil || parsed.Name != "" || parsed.Address != address || strings.ContainsAny(address, ` "[]`) {
		return errors.New("addresses: this is not one bare address such as player@example.com")
	}
	if strings.LastIndexByte(address, '@') > maxLocal {
		return fmt.Errorf("addresses: an address has at most %d characters before the @", maxLocal)
	}
	return nil
}

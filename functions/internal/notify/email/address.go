package email

import (
	"errors"
	"net/mail"
	"strings"
	"unicode"

	"boulevard/functions/internal/notify/addresses"
)

// sender is From as a header has it. Unlike a player's address it may have a name.
func sender(from string) (string, error) {
	parsed, err := mail.ParseAddress(from)
	if err != nil || strings.ContainsFunc(from, unicode.IsControl) {
		return "", errors.New("email: From is neither an address nor a name and an address")
	}
	return parsed.String(), addresses.CheckMailbox(parsed.Address)
}

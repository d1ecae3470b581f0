package addresses

import (
	"fmt"
	"regexp"
	"sync"

	"boulevard/functions/internal/notify"
)

// tokens are what devices are called by: Apple's are bytes in hexadecimal of a length that it does not promise, and Google's
// are opaque, in the alphabet of base64url and with colons.
var tokens = map[string]func() *regexp.Regexp{
	notify.APNs: expression(`^[0-9A-Fa-f]{64,200}$`),
	notify.FCM:  expression(`^[0-9A-Za-z_:-]+$`),
}

// expression is compiled when it is needed, which a function that starts does not wait for.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// maxToken bounds the tokens whose form does not.
const maxToken = 4096

// CheckToken refuses what is no token of the variant, notify.APNs or notify.FCM.
func CheckToken(variant, token string) error {
	form, known := tokens[variant]
	switch {
	case !known:
		return fmt.Errorf("addresses: a token's variant is %s or %s", notify.APNs, notify.FCM)
	case len(token) > maxToken, !form().MatchString(token):
		return fmt.Errorf("addresses: this is no token of %s", variant)
	}
	return nil
}

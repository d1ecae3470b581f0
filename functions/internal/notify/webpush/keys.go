package webpush

import (
	"crypto/ecdh"
	"encoding/base64"
	"errors"
	"net/mail"
	"net/url"
	"strings"
)

// The sizes of a subscription's keys (RFC 8291, 3.1 and 3.2) and of a private key.
const (
	pointSize  = 65
	authSize   = 16
	scalarSize = 32
)

// What is wrong with keys. None of them says the key.
var (
	errKey     = errors.New("webpush: the key of the subscription is not a point of P-256, uncompressed, in base64url")
	errAuth    = errors.New("webpush: the auth of the subscription is not 16 bytes in base64url")
	errPair    = errors.New("webpush: the VAPID keys are not a pair of P-256 in base64url")
	errSubject = errors.New("webpush: the VAPID subject is neither a mailto: nor an https: URL")
)

// Keys writes a key as Config wants it. The page needs the public half to subscribe: it is its applicationServerKey.
func Keys(private *ecdh.PrivateKey) (publicKey, privateKey string) {
	encode := base64.RawURLEncoding.EncodeToString
	return encode(private.PublicKey().Bytes()), encode(private.Bytes())
}

// CheckKeys says what is wrong with the keys of a subscription, p256dh and auth, if anything.
func CheckKeys(key, auth string) error {
	if _, err := point(key); err != nil {
		return errKey
	}
	if _, err := decode(auth, authSize); err != nil {
		return errAuth
	}
	return nil
}

// checkPair reports whether the public key is that of the private one: else every message would be refused.
func checkPair(publicKey, privateKey string) error {
	scalar, err := decode(privateKey, scalarSize)
	if err != nil {
		return errPair
	}
	private, err := ecdh.P256().NewPrivateKey(scalar)
	if err != nil {
		return errPair
	}
	public, err := point(publicKey)
	if err != nil || !private.PublicKey().Equal(public) {
		return errPair
	}
	return nil
}

func checkSubject(subject string) error {
	if address, found := strings.CutPrefix(subject, "mailto:"); found {
		if parsed, err := mail.ParseAddress(address); err != nil || parsed.Address != address {
			return errSubject
		}
		return nil
	}
	if u, err := url.Parse(subject); err != nil || u.Scheme != "https" || u.Host == "" {
		return errSubject
	}
	return nil
}

func point(text string) (*ecdh.PublicKey, error) {
	bytes, err := decode(text, pointSize)
	if err != nil {
		return nil, err
	}
	return ecdh.P256().NewPublicKey(bytes)
}

// decode wants exactly that many bytes and no other character: Go's decoder would skip line breaks.
func decode(text string, size int) ([]byte, error) {
	bytes, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, err
	}
	if len(bytes) != size || len(text) != base64.RawURLEncoding.EncodedLen(size) {
		return nil, errors.New("not of the right size")
	}
	return bytes, nil
}

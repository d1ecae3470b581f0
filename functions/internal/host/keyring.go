package host

import (
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Keyring holds the host's master secrets, of which everything secret is derived: nothing secret is in the table. The
// first is in use; older ones still serve the games and tokens made with them.
type Keyring struct{ masters []master }

type master struct {
	id     string
	secret []byte
	// tokens signs tokens: it is needed for every request.
	tokens [32]byte
}

// minMaster is the least length of a master secret, in bytes.
const minMaster = 32

// NewKeyring makes a keyring of the secret in use and any older ones, each of at least 32 bytes.
func NewKeyring(inUse []byte, older ...[]byte) (Keyring, error) {
	var ring Keyring
	for _, secret := range append([][]byte{inUse}, older...) {
		if len(secret) < minMaster {
			return Keyring{}, fmt.Errorf("host: a master secret needs at least %d bytes", minMaster)
		}
		id, err := hkdf.Key(sha256.New, secret, nil, "boulevard key id", 4)
		if err != nil {
			return Keyring{}, err
		}
		m := master{id: hex.EncodeToString(id), secret: secret}
		if m.tokens, err = m.derive("tokens"); err != nil {
			return Keyring{}, err
		}
		ring.masters = append(ring.masters, m)
	}
	return ring, nil
}

// ParseKeyring makes a keyring of a text, as functions have it in their environment: master secrets in base64, the one in
// use first, older ones behind commas.
func ParseKeyring(text string) (Keyring, error) {
	parts := strings.Split(text, ",")
	secrets := make([][]byte, len(parts))
	for i, part := range parts {
		secret, err := base64.StdEncoding.DecodeString(part)
		if err != nil {
			return Keyring{}, fmt.Errorf("host: master secret %d: %w", i, err)
		}
		secrets[i] = secret
	}
	return NewKeyring(secrets[0], secrets[1:]...)
}

// derive makes a key for one purpose.
func (m master) derive(purpose string) ([32]byte, error) {
	key, err := hkdf.Key(sha256.New, m.secret, nil, "boulevard "+purpose, 32)
	if err != nil {
		return [32]byte{}, err
	}
	return [32]byte(key), nil
}

// Push is the private key that browsers know this host's pushes by. It changes with the secret in use, and browsers then
// have to subscribe anew.
func (k Keyring) Push() (*ecdh.PrivateKey, error) {
	key, err := k.masters[0].derive("push")
	if err != nil {
		return nil, err
	}
	return ecdh.P256().NewPrivateKey(key[:])
}

// inUse names the key that new games and tokens are made with.
func (k Keyring) inUse() string { return k.masters[0].id }

var errNoKey = errors.New("host: the keyring has no such key")

// named is the master of that id.
func (k Keyring) named(id string) (master, error) {
	for _, m := range k.masters {
		if m.id == id {
			return m, nil
		}
	}
	return master{}, fmt.Errorf("%w: %s", errNoKey, id)
}

// secret is what the dice of one game come from, committed to by its hash when the game is created.
func (k Keyring) secret(id, game string) ([32]byte, error) {
	m, err := k.named(id)
	if err != nil {
		return [32]byte{}, err
	}
	return m.derive("game " + game)
}

package main

import (
	"crypto/ecdh"
	"crypto/rand"
	"fmt"

	"boulevard/functions/internal/notify/webpush"
)

type pushKeys struct{}

// Run prints a new pair of keys for web push in the cloud. One machine derives its own from its secret.
func (pushKeys) Run() error {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	public, private := webpush.Keys(key)
	fmt.Printf("public_key: %s\nprivate key, for a secret: %s\n", public, private)
	return nil
}

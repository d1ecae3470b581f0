package record

import (
	"crypto/hmac"
	"crypto/sha256"

	"boulevard/engine"
)

// SecretSize is the length of a game's secret, in bytes.
const SecretSize = 32

// MaxEntropy is how much a player can add to the seed, in bytes: its length goes into the seed as one byte.
const MaxEntropy = 255

// Seed is what all the dice of a game come from: HMAC-SHA256 with the game's secret as the key, of the game's id and then,
// for each seat in order, one byte that tells how long the player's entropy is and the entropy itself. So no seat's entropy
// can be taken for a part of another's, and whoever knows the secret cannot know the seed before the last player sat down.
//
// It is the only place where a seed is made: the host that plays and the verifier that checks share it.
func Seed(secret []byte, id string, entropy [][]byte) engine.Seed {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(id))
	for _, added := range entropy {
		if len(added) > MaxEntropy {
			panic("record: a player's entropy is at most 255 bytes")
		}
		mac.Write([]byte{byte(len(added))})
		mac.Write(added)
	}
	return engine.Seed(mac.Sum(nil))
}

// Commitment is the hash by which the host binds itself to a game's secret before anybody sits down.
func Commitment(secret []byte) [sha256.Size]byte { return sha256.Sum256(secret) }

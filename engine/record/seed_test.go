package record_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/record"
)

// vectorSecret is the secret of the known answers, which the verifier in another language computes too.
var vectorSecret = bytes.Repeat([]byte{0x5a}, record.SecretSize)

func TestSeed_IsTheHMACOfIDAndEntropy(t *testing.T) {
	t.Parallel()
	mac := hmac.New(sha256.New, vectorSecret)
	mac.Write([]byte("game-1\x02\x0a\x0b\x00\x01\xff"))
	got := record.Seed(vectorSecret, "game-1", [][]byte{{10, 11}, nil, {255}})
	assert.Equal(t, engine.Seed(mac.Sum(nil)), got)
}

// A verifier in another language must get this seed, these rolls and this commitment too.
func TestSeed_KnownVector(t *testing.T) {
	t.Parallel()
	seed := record.Seed(vectorSecret, "game-1", [][]byte{{10, 11}, nil, {255}})
	assert.Equal(t, "e8928bc6641623300b476ced49622bd44c3daef445ed903b3cb2054d85ed3f57", hex.EncodeToString(seed[:]))
	commitment := record.Commitment(vectorSecret)
	assert.Equal(t, "60bf07c488aad18fda339df07e4fbc47b4f00be71711936f18d04d352ad01890", hex.EncodeToString(commitment[:]))
}

func TestSeed_DependsOnEveryPart(t *testing.T) {
	t.Parallel()
	seeds := map[engine.Seed]bool{}
	for _, entropy := range [][][]byte{
		nil, {nil}, {nil, nil}, {{1}, nil}, {nil, {1}}, {{1, 0}}, {{1}, {0}}, {{1}}, {{0}, {1}},
	} {
		seeds[record.Seed(vectorSecret, "game-1", entropy)] = true
	}
	seeds[record.Seed(vectorSecret, "game-2", nil)] = true
	seeds[record.Seed(vectorSecret[1:], "game-1", nil)] = true
	assert.Len(t, seeds, 11)
}

func TestSeed_TooMuchEntropy_Panics(t *testing.T) {
	t.Parallel()
	require.Panics(t, func() { record.Seed(vectorSecret, "game-1", [][]byte{make([]byte, 256)}) })
	require.NotPanics(t, func() { record.Seed(vectorSecret, "game-1", [][]byte{make([]byte, 255)}) })
}

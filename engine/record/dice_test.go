package record_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/record"
)

// seedOf is the seed of one of many games, each with a secret and entropy of its own.
func seedOf(n uint64) engine.Seed {
	secret := binary.BigEndian.AppendUint64(make([]byte, record.SecretSize-8), n)
	return record.Seed(secret, "game", [][]byte{secret[24:], nil})
}

// S7: over the seeds of many games, as the host makes them, every face is as likely as any other. The seeds are fixed, so
// that the test always gives the same answer.
func TestS7_FacesOfManySeeds_AreEquallyLikely(t *testing.T) {
	t.Parallel()
	var counts [6]int
	for n := range uint64(20_000) {
		dice := engine.NewDice(seedOf(n), n%300)
		for range 30 {
			counts[dice.Intn(6)]++
		}
	}
	assert.Less(t, record.ChiSquare(counts), record.ChiSquareLimit)
	assert.Positive(t, record.ChiSquare(counts))
}

// Every card is as likely to come to every place: chi-square of 52 times 52 counts with 51 times 51 degrees of freedom,
// which pass 2,830 once in a thousand times.
func TestS7_ShufflesOfManySeeds_BringEveryCardToEveryPlace(t *testing.T) {
	t.Parallel()
	const cards, shuffles, limit = 52, 20_000, 2830
	var counts [cards][cards]int
	for n := range uint64(shuffles) {
		var deck [cards]int
		for i := range deck {
			deck[i] = i
		}
		engine.NewDice(seedOf(n), 1).Shuffle(cards, func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		for place, card := range deck {
			counts[place][card]++
		}
	}
	const expected = float64(shuffles) / cards
	sum := 0.0
	for _, row := range counts {
		for _, count := range row {
			sum += (float64(count) - expected) * (float64(count) - expected) / expected
		}
	}
	assert.Less(t, sum, float64(limit))
	assert.Greater(t, sum, 2400.0, "too even to be chance")
}

// rejecting is a version of the known vector's game whose first byte is 252 or more, so that a die passes it over.
const rejecting = 12

// firstBytes are the bytes of a version, written down once more from the documentation.
func firstBytes(seed engine.Seed, version uint64) []byte {
	mac := hmac.New(sha256.New, seed[:])
	mac.Write(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(nil, version), 0))
	return mac.Sum(nil)
}

func TestS5_ByteThatWouldFavorSomeFaces_IsPassedOver(t *testing.T) {
	t.Parallel()
	seed := record.Seed(vectorSecret, "game-1", [][]byte{{10, 11}, nil, {255}})
	bytes := firstBytes(seed, rejecting)
	require.GreaterOrEqual(t, bytes[0], byte(252))
	require.Less(t, bytes[1], byte(252))
	require.Equal(t, int(bytes[1]%6), engine.NewDice(seed, rejecting).Intn(6))
	require.Equal(t, int(bytes[0]), engine.NewDice(seed, rejecting).Intn(256), "with 256 outcomes none is passed over")
}

func TestChiSquare_Examples(t *testing.T) {
	t.Parallel()
	assert.Zero(t, record.ChiSquare([6]int{}))
	assert.Zero(t, record.ChiSquare([6]int{7, 7, 7, 7, 7, 7}))
	assert.InDelta(t, 30.0, record.ChiSquare([6]int{6}), 1e-9)
	assert.InDelta(t, 5.0, record.ChiSquare([6]int{5, 15, 10, 10, 10, 10}), 1e-9)
}

package engine_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// stream is the byte stream of the dice, written down a second time from their documentation.
func stream(seed engine.Seed, version uint64, blocks int) []byte {
	var bytes []byte
	for block := range blocks {
		message := binary.BigEndian.AppendUint64(nil, version)
		message = binary.BigEndian.AppendUint32(message, uint32(block))
		mac := hmac.New(sha256.New, seed[:])
		mac.Write(message)
		bytes = mac.Sum(bytes)
	}
	return bytes
}

// A verifier in another language must get these numbers too.
func TestDice_KnownVector(t *testing.T) {
	t.Parallel()
	var seed engine.Seed
	for i := range seed {
		seed[i] = byte(i)
	}
	dice := engine.NewDice(seed, 7)
	rolls := make([]int, 12)
	for i := range rolls {
		rolls[i] = dice.Die()
	}
	assert.Equal(t, []int{6, 6, 1, 4, 3, 1, 1, 2, 6, 1, 4, 4}, rolls)
}

// Bytes from 252 on would favour the low faces: they are passed over.
func TestDice_RejectBytesThatWouldFavorSomeFaces(t *testing.T) {
	t.Parallel()
	rejected := 0
	for version := range uint64(200) {
		seed := engine.Seed{1, 2, 3}
		dice := engine.NewDice(seed, version)
		for _, b := range stream(seed, version, 2) {
			if b >= 252 {
				rejected++
				continue
			}
			require.Equal(t, int(b%6)+1, dice.Die())
		}
	}
	assert.Positive(t, rejected)
}

// Chi-square over 600,000 dice: 20.5 is passed once in a thousand times with 5 degrees of freedom. The seed is fixed, so
// that the test always gives the same answer.
func TestDice_FacesAreEquallyLikely(t *testing.T) {
	t.Parallel()
	const rolls, versions = 6000, 100
	var counts [7]int
	for version := range uint64(versions) {
		dice := engine.NewDice(engine.Seed{42}, version)
		for range rolls {
			counts[dice.Die()]++
		}
	}
	assert.Zero(t, counts[0])
	const expected = rolls * versions / 6.0
	sum := 0.0
	for _, count := range counts[1:] {
		sum += (float64(count) - expected) * (float64(count) - expected) / expected
	}
	assert.Less(t, sum, 20.5)
}

func TestDice_ShuffleReachesEveryOrderAlike(t *testing.T) {
	t.Parallel()
	counts := map[[4]int]int{}
	const shuffles = 24000
	for version := range uint64(shuffles) {
		order := [4]int{0, 1, 2, 3}
		engine.NewDice(engine.Seed{9}, version).Shuffle(4, func(i, j int) { order[i], order[j] = order[j], order[i] })
		counts[order]++
	}
	require.Len(t, counts, 24)
	sum := 0.0
	for _, count := range counts {
		sum += float64(count-shuffles/24) * float64(count-shuffles/24) / (shuffles / 24)
	}
	assert.Less(t, sum, 49.7, "chi-square with 23 degrees of freedom, once in a thousand")
}

func TestDice_Used(t *testing.T) {
	t.Parallel()
	dice := engine.NewDice(engine.Seed{}, 1)
	assert.False(t, dice.Used())
	dice.Intn(1)
	assert.True(t, dice.Used())
}

func TestDice_VersionsAndSeedsDiffer(t *testing.T) {
	t.Parallel()
	roll := func(seed engine.Seed, version uint64) (rolls [20]int) {
		dice := engine.NewDice(seed, version)
		for i := range rolls {
			rolls[i] = dice.Die()
		}
		return rolls
	}
	first := roll(engine.Seed{1}, 1)
	assert.Equal(t, first, roll(engine.Seed{1}, 1))
	assert.NotEqual(t, first, roll(engine.Seed{1}, 2))
	assert.NotEqual(t, first, roll(engine.Seed{2}, 1))
}

func TestDice_IntnBounds(t *testing.T) {
	t.Parallel()
	dice := engine.NewDice(engine.Seed{}, 1)
	assert.Panics(t, func() { dice.Intn(0) })
	assert.Panics(t, func() { dice.Intn(257) })
	seen := map[int]bool{}
	for range 5000 {
		n := dice.Intn(256)
		require.True(t, n >= 0 && n < 256)
		seen[n] = true
	}
	assert.Len(t, seen, 256)
}

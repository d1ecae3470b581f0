package engine

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
)

// Seed is the secret that all the dice of one game come from.
type Seed [sha256.Size]byte

// Dice are the chances of one version of a game. Every die, shuffle and draw of the move that makes version v reads the
// byte stream
//
//	HMAC-SHA256(seed, v ‖ 0) ‖ HMAC-SHA256(seed, v ‖ 1) ‖ ...
//
// where v is 8 bytes and the block number 4 bytes, both big-endian. Numbers are taken from it with rejection, so that none
// is likelier than another. Anyone who has the seed can repeat them in any language.
type Dice struct {
	seed    Seed
	version uint64
	block   uint32
	rest    []byte
	rolls   []Roll
	// forbidden makes the first chance end a preview.
	forbidden bool
}

// Roll is one chance that was taken: a number from 0 to N-1.
type Roll struct {
	N     int
	Value int
	// Die tells that it was a die, which shows one pip more than Value, and not a step of a shuffle or a draw.
	Die bool
}

// Rolls are the chances taken so far, in order.
func (d *Dice) Rolls() []Roll { return d.rolls }

// NewDice are the dice of the move that makes the given version.
func NewDice(seed Seed, version uint64) *Dice { return &Dice{seed: seed, version: version} }

// Version is the version that the dice are those of.
func (d *Dice) Version() uint64 { return d.version }

// Used reports whether any chance was taken.
func (d *Dice) Used() bool { return d.block > 0 }

// Die rolls one six-sided die: 1 to 6 pips.
func (d *Dice) Die() int {
	value := d.Intn(6)
	d.rolls[len(d.rolls)-1].Die = true
	return value + 1
}

// Intn is a number from 0 to n-1, for n from 1 to 256. It reads bytes until one is below the greatest multiple of n that
// a byte can hold, and takes the remainder of that one.
func (d *Dice) Intn(n int) int {
	if n < 1 || n > 256 {
		panic("engine: Intn wants 1 to 256")
	}
	limit := 256 - 256%n
	for {
		if b := int(d.next()); b < limit {
			d.rolls = append(d.rolls, Roll{N: n, Value: b % n})
			return b % n
		}
	}
}

// Shuffle orders n things (256 at the most) by Fisher and Yates from the last to the second: place i is swapped with
// place Intn(i+1).
func (d *Dice) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, d.Intn(i+1))
	}
}

func (d *Dice) next() byte {
	if d.forbidden {
		panic(errChance)
	}
	if len(d.rest) == 0 {
		var message [12]byte
		binary.BigEndian.PutUint64(message[:8], d.version)
		binary.BigEndian.PutUint32(message[8:], d.block)
		mac := hmac.New(sha256.New, d.seed[:])
		mac.Write(message[:])
		d.rest = mac.Sum(nil)
		d.block++
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

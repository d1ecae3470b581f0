package main

import (
	"encoding/hex"
	"strings"
	"testing"

	"boulevard/engine/record"
)

// vector is a document whose rolls are written down here, so that both verifiers are held to these numbers and not only to
// each other. The first byte of version 12 is 252, which a die passes over.
func vector() record.Game {
	secret := strings.Repeat("5a", record.SecretSize)
	return record.Game{
		Format: record.Format, ID: "game-1", Game: "any", Rules: 1, Secret: secret,
		Commitment: "60bf07c488aad18fda339df07e4fbc47b4f00be71711936f18d04d352ad01890",
		Players:    []record.Player{{Entropy: "0a0b"}, {}, {Entropy: hex.EncodeToString([]byte{255})}},
		Entries: []record.Entry{
			{Version: 7, Kind: "roll", Rolls: dice(2, 4, 5, 0, 4, 3, 5, 5, 2, 5, 3, 2, 5, 0, 0, 2, 2, 1, 2, 4, 1, 3, 1, 3, 5, 0, 1, 4, 3, 4,
				1, 2, 3, 0, 1, 3, 0, 5, 3, 2)},
			{Version: 12, Kind: "join", Starts: true, Rolls: append(dice(5, 3, 4, 4, 0, 0, 0, 1, 3, 3, 4, 2),
				[2]int{52, 3}, [2]int{51, 46}, [2]int{256, 211}, [2]int{1, 0}, [2]int{7, 6}, [2]int{200, 19})},
		},
	}
}

func dice(values ...int) [][2]int {
	rolls := make([][2]int, len(values))
	for i, value := range values {
		rolls[i] = [2]int{6, value}
	}
	return rolls
}

func TestS5_KnownVector_HoldsForBoth(t *testing.T) {
	t.Parallel()
	requireBoth(t, vector(), true)
	for _, at := range []int{0, 1} {
		g := vector()
		last := len(g.Entries[at].Rolls) - 1
		g.Entries[at].Rolls[last][1]--
		requireBoth(t, g, false)
	}
}

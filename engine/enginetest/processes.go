package enginetest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// freshProcess is set in the processes that freshProcesses starts.
const freshProcess = "BOULEVARD_FRESH_PROCESS"

var hashLine = regexp.MustCompile(`games-hash:[0-9a-f]+`)

// freshProcesses plays the same games in twenty processes of this test binary: what depends on the order of a map or on
// an address would differ (demand G4).
func freshProcesses(t *testing.T, game engine.Game, next Mover) {
	if os.Getenv(freshProcess) != "" {
		fmt.Println("games-hash:" + hashOfGames(t, game, next))
		return
	}
	if testing.Short() {
		t.Skip("starts twenty processes")
	}
	want := "games-hash:" + hashOfGames(t, game, next)
	for range 20 {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1")
		cmd.Env = append(os.Environ(), freshProcess+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Equal(t, want, string(hashLine.Find(out)))
	}
}

func hashOfGames(tb testing.TB, game engine.Game, next Mover) string {
	tb.Helper()
	hash := sha256.New()
	for i, setup := range setups(tb, game) {
		seed := Seed(uint64(i + 1))
		match := New(tb, game, setup, seed)
		for _, m := range next.Play(tb, game, setup, seed, Random(uint64(i+1))) {
			hash.Write(m.Snapshot)
		}
		hash.Write([]byte(JSON(tb, match.View(engine.NoSeat))))
	}
	return hex.EncodeToString(hash.Sum(nil))
}

package record_test

import (
	"testing"

	"boulevard/engine/catalogue"
	"boulevard/engine/record"
	"boulevard/engine/record/recordtest"
)

// FuzzReplay reads, checks and plays arbitrary bytes: nothing may panic, and what plays again has right dice.
func FuzzReplay(f *testing.F) {
	for _, game := range catalogue.All() {
		for i, setup := range recordtest.Setups(f, game) {
			g := recordtest.Play(f, game, setup, uint64(i))
			f.Add(recordtest.Document(f, g))
			// A short one, which a mutation is likelier to leave readable.
			g.Entries = g.Entries[:startOf(g)+4]
			f.Add(recordtest.Document(f, g))
		}
	}
	f.Add([]byte(small(`"entries":[]`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := record.Parse(data)
		if err != nil {
			return
		}
		record.Histogram(g)
		verified := record.Verify(g)
		if _, err := record.Replay(catalogue.All(), g); err == nil && verified != nil {
			t.Fatalf("a game plays again whose dice are wrong: %v", verified)
		}
	})
}

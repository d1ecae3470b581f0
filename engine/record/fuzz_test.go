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
		// Beginnings, which are mutated faster than whole games, and are likelier to stay readable.
		g := recordtest.Play(f, game, recordtest.Setups(f, game)[0], 1)
		g.Entries, g.State = g.Entries[:startOf(g)+4], nil
		f.Add(recordtest.Document(f, g))
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

package record_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"boulevard/engine/catalogue"
	"boulevard/engine/record"
	"boulevard/engine/record/recordtest"
)

// pick draws a place in a list of that length.
type pick func(n int) int

// tampered are the ways to alter a document. Each reports whether it found something to alter.
var tampered = map[string]func(g *record.Game, pick pick) bool{
	"secret":     func(g *record.Game, pick pick) bool { return flipDigit(&g.Secret, pick) },
	"commitment": func(g *record.Game, pick pick) bool { return flipDigit(&g.Commitment, pick) },
	"id": func(g *record.Game, pick pick) bool {
		g.ID += string(rune('a' + pick(26)))
		return true
	},
	"entropy": func(g *record.Game, pick pick) bool {
		return flipDigit(&g.Players[pick(len(g.Players))].Entropy, pick)
	},
	"more entropy": func(g *record.Game, pick pick) bool {
		g.Players[pick(len(g.Players))].Entropy += hex.EncodeToString([]byte{byte(pick(256))})
		return true
	},
	"player": func(g *record.Game, pick pick) bool {
		at := pick(len(g.Players))
		g.Players = slices.Delete(g.Players, at, at+1)
		return true
	},
	"roll": func(g *record.Game, pick pick) bool {
		at, ok := pickEntry(g, pick, rolls)
		if ok {
			roll := &g.Entries[at].Rolls[pick(len(g.Entries[at].Rolls))]
			roll[1] = (roll[1] + 1 + pick(roll[0]-1)) % roll[0]
		}
		return ok
	},
	"outcomes of a roll": func(g *record.Game, pick pick) bool {
		at, ok := pickEntry(g, pick, rolls)
		if ok {
			g.Entries[at].Rolls[pick(len(g.Entries[at].Rolls))][0] += 1 + pick(3)
		}
		return ok
	},
	"removed roll": func(g *record.Game, pick pick) bool {
		at, ok := pickEntry(g, pick, rolls)
		if ok {
			from := pick(len(g.Entries[at].Rolls))
			g.Entries[at].Rolls = slices.Delete(g.Entries[at].Rolls, from, from+1)
		}
		return ok
	},
	"added roll": func(g *record.Game, pick pick) bool {
		at := pick(len(g.Entries))
		g.Entries[at].Rolls = append(g.Entries[at].Rolls, [2]int{6, pick(6)})
		return true
	},
	"seat": func(g *record.Game, pick pick) bool {
		at, ok := pickEntry(g, pick, func(e record.Entry) bool { return e.Seat != nil && e.Kind != "order" })
		if ok {
			*g.Entries[at].Seat = (*g.Entries[at].Seat + 1 + pick(len(g.Players)-1)) % len(g.Players)
		}
		return ok
	},
	"prompt": func(g *record.Game, pick pick) bool {
		at, ok := pickEntry(g, pick, plays)
		if ok {
			g.Entries[at].Prompt += uint32(1 + pick(20))
		}
		return ok
	},
	"kind": func(g *record.Game, pick pick) bool {
		at, ok := pickEntry(g, pick, plays)
		if ok {
			g.Entries[at].Kind += "s"
		}
		return ok
	},
	"back": func(g *record.Game, pick pick) bool {
		at, ok := pickEntry(g, pick, func(e record.Entry) bool { return e.Kind == "undo" })
		if ok {
			// Not to any version before it: one can have the very state of another, where something was done again.
			g.Entries[at].Back = []uint64{0, 1, g.Entries[at].Version, g.Entries[at].Version + 1}[pick(4)]
		}
		return ok
	},
	"start": func(g *record.Game, _ pick) bool {
		g.Entries[startOf(*g)].Starts = false
		return true
	},
	"state": func(g *record.Game, pick pick) bool {
		g.State[pick(len(g.State))] ^= 1 << pick(8)
		return true
	},
	"cut state": func(g *record.Game, pick pick) bool {
		g.State = g.State[:pick(len(g.State))]
		return true
	},
	"rules": func(g *record.Game, pick pick) bool {
		g.Rules += 1 + pick(9)
		return true
	},
	"status": func(g *record.Game, _ pick) bool {
		g.Status = "playing"
		return true
	},
	"version": func(g *record.Game, pick pick) bool {
		g.Version += uint64(1 + pick(9))
		return true
	},
	"order of entries": func(g *record.Game, pick pick) bool {
		at := pick(len(g.Entries) - 1)
		g.Entries[at], g.Entries[at+1] = g.Entries[at+1], g.Entries[at]
		return true
	},
	"dropped entry": func(g *record.Game, pick pick) bool {
		at := pick(len(g.Entries))
		g.Entries = slices.Delete(g.Entries, at, at+1)
		return true
	},
	"repeated entry": func(g *record.Game, pick pick) bool {
		at := pick(len(g.Entries))
		g.Entries = slices.Insert(g.Entries, at, g.Entries[at])
		return true
	},
	"dropped entry, versions moved up": func(g *record.Game, pick pick) bool {
		at, ok := pickEntry(g, pick, func(e record.Entry) bool { return rolls(e) || e.Starts })
		if ok {
			g.Entries = slices.Delete(g.Entries, at, at+1)
			for i := at; i < len(g.Entries); i++ {
				g.Entries[i].Version--
			}
			g.Version--
		}
		return ok
	},
	"unknown argument": func(g *record.Game, pick pick) bool {
		at, ok := pickEntry(g, pick, plays)
		if ok {
			g.Entries[at].Args = json.RawMessage(`{"more":1}`)
		}
		return ok
	},
}

func rolls(e record.Entry) bool { return len(e.Rolls) > 0 }

func plays(e record.Entry) bool {
	return !slices.Contains([]string{"create", "join", "leave", "start", "undo", "order"}, e.Kind)
}

// pickEntry picks one of the entries that something is true of.
func pickEntry(g *record.Game, pick pick, which func(record.Entry) bool) (int, bool) {
	var found []int
	for i, entry := range g.Entries {
		if which(entry) {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return 0, false
	}
	return found[pick(len(found))], true
}

// flipDigit alters one hexadecimal digit.
func flipDigit(text *string, pick pick) bool {
	if *text == "" {
		return false
	}
	data, err := hex.DecodeString(*text)
	if err != nil {
		return false
	}
	data[pick(len(data))] ^= 1 << pick(8)
	*text = hex.EncodeToString(data)
	return true
}

// S5: whatever is altered in an exported game is found, by playing it again at the latest.
func TestS5_EveryAlteredField_IsFound(t *testing.T) {
	t.Parallel()
	for _, game := range catalogue.All() {
		setups := recordtest.Setups(t, game)
		data := recordtest.Document(t, recordtest.Play(t, game, setups[len(setups)-1], 1))
		rapid.Check(t, func(rt *rapid.T) {
			how := rapid.SampledFrom(slices.Sorted(maps.Keys(tampered))).Draw(rt, "how")
			g, err := record.Parse(data)
			require.NoError(rt, err)
			if !tampered[how](&g, func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "pick") }) {
				return // the draw met a field with nothing in it
			}
			g, err = record.Parse(recordtest.Document(t, g))
			if err == nil {
				_, err = record.Replay(catalogue.All(), g)
			}
			require.Error(rt, err, how)
		})
	}
}

// An action exchanged for another legal one leads to another game, and is found: by its rolls, by a later action that is not
// legal any more, or by the last state.
func TestS5_ActionExchangedForAnotherLegalOne_IsFound(t *testing.T) {
	t.Parallel()
	for _, game := range catalogue.All() {
		g := recordtest.Play(t, game, recordtest.Setups(t, game)[2], 5)
		exchanged, passed := 0, 0
		for at := range g.Entries {
			altered, ok := exchange(g, at)
			if !ok {
				continue
			}
			exchanged++
			if _, err := record.Replay(catalogue.All(), altered); err == nil {
				passed++
			}
		}
		require.Positive(t, exchanged)
		require.LessOrEqual(t, passed, exchanged/20, "now and then one comes to the same end by other means")
	}
}

// takenBack reports whether an action was undone. Of such a one only its legality and its rolls are compared.
func takenBack(g record.Game, at int) bool {
	return slices.ContainsFunc(g.Entries[at+1:], func(e record.Entry) bool {
		return e.Kind == "undo" && e.Back < g.Entries[at].Version
	})
}

// exchange gives an action the arguments of another of its kind.
func exchange(g record.Game, at int) (record.Game, bool) {
	for _, other := range g.Entries[at+1:] {
		if plays(g.Entries[at]) && !takenBack(g, at) && other.Kind == g.Entries[at].Kind && !bytes.Equal(other.Args, g.Entries[at].Args) {
			g.Entries = slices.Clone(g.Entries)
			g.Entries[at].Args = other.Args
			return g, true
		}
	}
	return g, false
}

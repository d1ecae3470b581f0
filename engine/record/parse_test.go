package record_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine/record"
	"boulevard/engine/record/recordtest"
)

func TestParse_GivesBackWhatWasWritten(t *testing.T) {
	t.Parallel()
	g := first(t, 1)
	data := recordtest.Document(t, g)
	require.Equal(t, data, recordtest.Document(t, parsed(t, g)))
	var indented bytes.Buffer
	require.NoError(t, json.Indent(&indented, data, "", "\t"))
	again, err := record.Parse(indented.Bytes())
	require.NoError(t, err)
	require.Equal(t, data, recordtest.Document(t, again))
}

// What one writer leaves out, another writes as nothing.
func TestParse_FieldsThatSayNothing_MayBeThere(t *testing.T) {
	t.Parallel()
	_, err := record.Parse([]byte(small(`"secret":"","view":null,"entries":[{"version":1,"at":0,"kind":"join","auto":false,"rolls":[]}]`)))
	require.NoError(t, err)
}

// small is a document with further members.
func small(members string) string {
	return `{"format":1,"id":"g","game":"any","rules":1,"options":{},"status":"open","version":1,"players":[{"name":"Ann"}],` +
		`"created":0,"commitment":"` + strings.Repeat("00", 32) + `",` + members + `}`
}

// Nothing is taken that two readers could understand differently.
func TestParse_WhatIsAmbiguousOrUnknown_IsRefused(t *testing.T) {
	t.Parallel()
	_, err := record.Parse([]byte(small(`"entries":[]`)))
	require.NoError(t, err)
	for what, text := range map[string]string{
		"unknown field":       small(`"entries":[],"more":1`),
		"unknown in an entry": small(`"entries":[{"version":1,"at":0,"kind":"join","more":1}]`),
		"repeated field":      small(`"entries":[],"format":1,"rules":2`),
		"other letters":       small(`"Entries":[{"version":1,"at":0,"kind":"join"}]`),
		"roll of three":       small(`"entries":[{"version":1,"at":0,"kind":"join","rolls":[[6,1,2]]}]`),
		"roll of one":         small(`"entries":[{"version":1,"at":0,"kind":"join","rolls":[[6]]}]`),
		"roll of none":        small(`"entries":[{"version":1,"at":0,"kind":"join","rolls":[null]}]`),
		"broken roll":         small(`"entries":[{"version":1,"at":0,"kind":"join","rolls":[[6,1.5]]}]`),
		"text as roll":        small(`"entries":[{"version":1,"at":0,"kind":"join","rolls":[[6,"1"]]}]`),
		"something behind":    small(`"entries":[]`) + `{}`,
		"cut off":             small(`"entries":[`),
		"broken base64":       small(`"entries":[],"state":"A"`),
		"spaced base64":       small(`"entries":[],"state":"AA\nAA"`),
		"huge number":         small(`"entries":[],"secret":1e400`),
		"deep":                small(`"entries":[],"view":` + strings.Repeat("[", 1<<15)),
		"not an object":       `[]`,
		"nothing":             ``,
		"null":                `null`,
	} {
		_, err := record.Parse([]byte(text))
		require.Error(t, err, what)
	}
}

func TestParse_WhatNoHostWrites_IsRefused(t *testing.T) {
	t.Parallel()
	seat := 9
	for what, change := range map[string]func(g *record.Game){
		"format":            func(g *record.Game) { g.Format = 2 },
		"id":                func(g *record.Game) { g.ID = "" },
		"id with a line":    func(g *record.Game) { g.ID = "a\nb" },
		"game":              func(g *record.Game) { g.Game = "lords\x1b" },
		"no players":        func(g *record.Game) { g.Players = nil },
		"crowd":             func(g *record.Game) { g.Players = make([]record.Player, 17) },
		"commitment":        func(g *record.Game) { g.Commitment = "00" },
		"no commitment":     func(g *record.Game) { g.Commitment = "" },
		"secret":            func(g *record.Game) { g.Secret = "0" },
		"entropy":           func(g *record.Game) { g.Players[0].Entropy = "zz" },
		"long entropy":      func(g *record.Game) { g.Players[0].Entropy = strings.Repeat("00", 256) },
		"strange seat":      func(g *record.Game) { g.Entries[7].Seat = &seat },
		"repeated version":  func(g *record.Game) { g.Entries[7].Version-- },
		"version from zero": func(g *record.Game) { g.Entries[0].Version = 0 },
		"huge version":      func(g *record.Game) { g.Entries[len(g.Entries)-1].Version = 1 << 53 },
		"many entries":      func(g *record.Game) { g.Entries = make([]record.Entry, 1<<16+1) },
	} {
		g := first(t, 1)
		change(&g)
		_, err := record.Parse(recordtest.Document(t, g))
		require.Error(t, err, what)
		require.Error(t, record.Verify(g), "what was not parsed is not trusted either: %s", what)
	}
	_, err := record.Parse(make([]byte, record.MaxSize+1))
	assert.ErrorContains(t, err, "at most")
}

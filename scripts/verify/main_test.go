package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine/catalogue"
	"boulevard/engine/record"
	"boulevard/engine/record/recordtest"
)

// played is a recorded game of the largest table.
func played(tb testing.TB, n uint64) record.Game {
	tb.Helper()
	game := catalogue.All()[0]
	setups := recordtest.Setups(tb, game)
	return recordtest.Play(tb, game, setups[len(setups)-1], n)
}

// written is a file with the document.
func written(tb testing.TB, g record.Game) string {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "game.json")
	require.NoError(tb, os.WriteFile(file, recordtest.Document(tb, g), 0o600))
	return file
}

// byGo is what this program says of a file: its report, or why it fails.
func byGo(file string) (string, bool) {
	var out bytes.Buffer
	if err := verify(&out, file); err != nil {
		return "verify: error: " + err.Error() + "\n", false
	}
	return out.String(), true
}

// byNode is what the program in JavaScript says of it.
func byNode(tb testing.TB, file string) (string, bool) {
	tb.Helper()
	node, err := exec.LookPath("node")
	require.NoError(tb, err, "the second verifier needs Node 20 or later: install it, there is no skipping this")
	out, err := exec.CommandContext(tb.Context(), node, "verify.mjs", file).CombinedOutput()
	if exit, is := errors.AsType[*exec.ExitError](err); is {
		require.Equal(tb, 1, exit.ExitCode(), string(out))
		return string(out), false
	}
	require.NoError(tb, err)
	return string(out), true
}

// requireBoth has both programs say the same of a document.
func requireBoth(tb testing.TB, g record.Game, good bool) string {
	tb.Helper()
	file := written(tb, g)
	said, ok := byGo(file)
	saidByNode, okByNode := byNode(tb, file)
	require.Equal(tb, said, saidByNode)
	require.Equal(tb, good, ok, said)
	require.Equal(tb, good, okByNode, saidByNode)
	return said
}

// S5: two programs in two languages, which share nothing but the README, find the dice of a game right, and count the same.
func TestS5_UntamperedGames_BothVerifiersAgree(t *testing.T) {
	t.Parallel()
	for n := range uint64(4) {
		said := requireBoth(t, played(t, n), true)
		assert.Contains(t, said, "is the hash of the secret")
	}
	said := requireBoth(t, diceless(t), true)
	assert.Contains(t, said, "chi-square  0.00")
}

// diceless is a game in which nothing was rolled.
func diceless(tb testing.TB) record.Game {
	tb.Helper()
	g := played(tb, 1)
	for i := range g.Entries {
		g.Entries[i].Rolls = nil
	}
	return g
}

// S5: one altered roll is named, by both and alike.
func TestS5_OneAlteredRoll_IsNamedByBoth(t *testing.T) {
	t.Parallel()
	for n := range uint64(3) {
		g := played(t, n)
		at := lastRolling(g)
		entry := g.Entries[at]
		index := len(entry.Rolls) - 1
		right := entry.Rolls[index]
		entry.Rolls[index][1] = (right[1] + 1) % right[0]
		requireBoth(t, g, false)
		assertNames(t, g, entry.Version, index, right)
	}
}

func TestS5_RollsThatAreNone_AreNamedByBoth(t *testing.T) {
	t.Parallel()
	for _, roll := range [][2]int{{0, 0}, {0, 3}, {-6, 3}, {257, 3}, {6, 6}, {6, -1}, {6, 1 << 40}} {
		g := played(t, 1)
		at := lastRolling(g)
		g.Entries[at].Rolls[0] = roll
		requireBoth(t, g, false)
		file := written(t, g)
		said, _ := byGo(file)
		assert.Contains(t, said, "roll 0", "%v", roll)
	}
}

// lastRolling is the last entry in which something was rolled.
func lastRolling(g record.Game) int {
	at := len(g.Entries) - 1
	for len(g.Entries[at].Rolls) == 0 {
		at--
	}
	return at
}

// assertNames: the error says which roll is wrong, and what it has to be.
func assertNames(tb testing.TB, g record.Game, version uint64, index int, want [2]int) {
	tb.Helper()
	var roll *record.RollError
	require.ErrorAs(tb, record.Verify(g), &roll)
	assert.Equal(tb, version, roll.Version)
	assert.Equal(tb, index, roll.Index)
	assert.Equal(tb, want, roll.Want)
}

func TestS5_AlteredSecret_Entropy_OrID_AreFoundByBoth(t *testing.T) {
	t.Parallel()
	g := played(t, 1)
	g.Secret = "01" + g.Secret[2:]
	assert.Contains(t, requireBoth(t, g, false), "but the hash of the secret is")

	g = played(t, 1)
	g.Commitment = "0" + g.Commitment[1:]
	assert.Contains(t, requireBoth(t, g, false), "the commitment is 0")

	g = played(t, 1)
	g.Players[1].Entropy = hex.EncodeToString([]byte("more"))
	assert.Contains(t, requireBoth(t, g, false), "roll ")

	g = played(t, 1)
	g.Players[0], g.Players[1] = g.Players[1], g.Players[0]
	assert.Contains(t, requireBoth(t, g, false), "roll ")

	g = played(t, 1)
	g.ID += "x"
	assert.Contains(t, requireBoth(t, g, false), "roll ")
}

func TestS5_RemovedAndAddedRolls_AreFoundByBoth(t *testing.T) {
	t.Parallel()
	g := played(t, 1)
	start := slices.IndexFunc(g.Entries, func(e record.Entry) bool { return e.Starts })
	rolls := g.Entries[start].Rolls
	g.Entries[start].Rolls = slices.Delete(slices.Clone(rolls), 3, 4)
	assert.Contains(t, requireBoth(t, g, false), "roll 3:")

	g.Entries[start].Rolls = slices.Insert(slices.Clone(rolls), 5, rolls[5])
	assert.Contains(t, requireBoth(t, g, false), "roll 6:")

	g = played(t, 1)
	g.Entries[0].Rolls = [][2]int{{6, 1}}
	said := requireBoth(t, g, false)
	assert.Contains(t, said, "version 1, roll 0: the document has [6,1], but it has to be none")
}

func TestVerify_UnfinishedGame_CannotBeCheckedYet(t *testing.T) {
	t.Parallel()
	g := played(t, 1)
	g.Secret, g.State, g.Entries = "", nil, nil
	assert.Contains(t, requireBoth(t, g, false), "it is revealed when the game has ended")
}

// The program in JavaScript counts entropy in bytes, in upper and lower case, as this one does.
func TestVerify_UpperCaseDigits_AreTheSameBytes(t *testing.T) {
	t.Parallel()
	g := played(t, 2)
	g.Secret = strings.ToUpper(g.Secret)
	for seat := range g.Players {
		g.Players[seat].Entropy = strings.ToUpper(g.Players[seat].Entropy)
	}
	requireBoth(t, g, true)
	for _, entropy := range []string{"0", "0x", "zz", strings.Repeat("00", 256)} {
		g.Players[0].Entropy = entropy
		file := written(t, g)
		_, ok := byGo(file)
		_, okByNode := byNode(t, file)
		require.False(t, ok || okByNode, entropy)
	}
}

func TestVerify_WhatIsNoDocument_IsRefusedByBoth(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", "{}", "[]", "null", `{"format":2}`, `{"format":1,"secret":"00"}`} {
		file := filepath.Join(t.TempDir(), "game.json")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, ok := byGo(file)
		_, okByNode := byNode(t, file)
		require.False(t, ok || okByNode, text)
	}
	_, ok := byGo(filepath.Join(t.TempDir(), "absent.json"))
	require.False(t, ok)
}

// The two programs as they are called: what they print, and how they exit.
func TestMain_PrintsAndExits(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "verify")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	g := played(t, 3)
	file := written(t, g)
	out, err = exec.CommandContext(t.Context(), program, file).CombinedOutput()
	require.NoError(t, err, string(out))
	said, _ := byNode(t, file)
	require.Equal(t, said, string(out))

	g.Entries[lastRolling(g)].Rolls[0][1]++
	file = written(t, g)
	out, err = exec.CommandContext(t.Context(), program, file).CombinedOutput()
	exit, is := errors.AsType[*exec.ExitError](err)
	require.True(t, is)
	assert.Equal(t, 1, exit.ExitCode())
	said, _ = byNode(t, file)
	assert.Equal(t, said, string(out))
}

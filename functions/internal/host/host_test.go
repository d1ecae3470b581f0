package host

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeyring_OlderSecretsStillServe_OthersDoNot(t *testing.T) {
	t.Parallel()
	old, current := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 40)
	before, err := NewKeyring(old)
	require.NoError(t, err)
	rotated, err := NewKeyring(current, old)
	require.NoError(t, err)
	require.NotEqual(t, before.inUse(), rotated.inUse())

	was, err := before.secret(before.inUse(), "game")
	require.NoError(t, err)
	is, err := rotated.secret(before.inUse(), "game")
	require.NoError(t, err)
	require.Equal(t, was, is)

	_, err = before.secret(rotated.inUse(), "game")
	require.ErrorIs(t, err, errNoKey)
}

func TestParseKeyring_FirstIsInUse_OlderBehindCommas(t *testing.T) {
	t.Parallel()
	first, older := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	encode := base64.StdEncoding.EncodeToString
	ring, err := ParseKeyring(encode(first) + "," + encode(older))
	require.NoError(t, err)
	want, err := NewKeyring(first, older)
	require.NoError(t, err)
	require.Equal(t, want, ring)
	for _, bad := range []string{"", ",", "?", encode(first) + ",", encode(first) + "," + encode([]byte("short"))} {
		_, err := ParseKeyring(bad)
		require.Error(t, err, bad)
		require.NotContains(t, err.Error(), encode(first))
	}
}

func TestKeyring_EveryPurposeHasItsOwnKey(t *testing.T) {
	t.Parallel()
	ring, err := NewKeyring(bytes.Repeat([]byte{1}, 32))
	require.NoError(t, err)
	first, err := ring.secret(ring.inUse(), "a")
	require.NoError(t, err)
	second, err := ring.secret(ring.inUse(), "b")
	require.NoError(t, err)
	require.NotEqual(t, first, second)
	require.NotContains(t, [][32]byte{first, second}, ring.masters[0].tokens)
}

func TestKeyring_ShortSecret_IsRefused(t *testing.T) {
	t.Parallel()
	for _, length := range []int{0, 1, 31} {
		_, err := NewKeyring(make([]byte, length))
		require.Error(t, err)
	}
}

func TestGameID_SameAskerSameKey_SameID_OfTheRightForm(t *testing.T) {
	t.Parallel()
	id := gameID("player", "key")
	require.True(t, isGameID(id))
	require.Equal(t, id, gameID("player", "key"))
	require.NotEqual(t, id, gameID("player", "key2"))
	require.NotEqual(t, gameID("ab", "c"), gameID("a", "bc"))
	for _, bad := range []string{"", "none", id + "a", id[1:] + "A", id[1:] + "1", id[2:] + "é"} {
		require.False(t, isGameID(bad), bad)
	}
}

package codec

import (
	"testing"

	"github.com/fxamacker/cbor/v2"
	"github.com/stretchr/testify/require"
)

// V3, its limit: a key that is unknown inside the state would be lost, so that the snapshot is refused.
func TestV3_UnknownKeyInsideTheState_IsRefused(t *testing.T) {
	t.Parallel()
	type inner struct {
		A int `cbor:"1,keyasint"`
	}
	type state struct {
		Inner inner `cbor:"1,keyasint"`
	}
	for _, snapshot := range []map[int]any{
		{1: map[int]int{1: 5, 2: 6}},
		{1: map[int]int{1: 5, 2: 6}, 2: 7},
	} {
		data, err := Encode(snapshot)
		require.NoError(t, err)
		_, _, err = DecodeKeeping[state](data)
		var unknown *cbor.UnknownFieldError
		require.ErrorAs(t, err, &unknown)
	}
	data, err := Encode(map[int]any{1: map[int]int{1: 5}, 2: 7})
	require.NoError(t, err)
	got, kept, err := DecodeKeeping[state](data)
	require.NoError(t, err)
	require.Equal(t, 5, got.Inner.A)
	require.Equal(t, Foreign{uint64(2): {7}}, kept)
}

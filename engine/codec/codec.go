// Package codec is the binary form of everything that is kept: deterministic CBOR, whose schema is the struct tags of the
// types. Equal values have equal bytes, and what is decoded need not be trusted.
package codec

import "github.com/fxamacker/cbor/v2"

var (
	encMode = must(cbor.CoreDetEncOptions().EncMode())
	decMode = must(decOptions(cbor.ExtraDecErrorNone).DecMode())
	// strictMode tells of keys that the type has no field for.
	strictMode = must(decOptions(cbor.ExtraDecErrorUnknownField).DecMode())
)

func decOptions(extra cbor.ExtraDecErrorCond) cbor.DecOptions {
	return cbor.DecOptions{
		MaxArrayElements: 16384, MaxMapPairs: 16384, MaxNestedLevels: 16, ExtraReturnErrors: extra,
		IndefLength: cbor.IndefLengthForbidden, TagsMd: cbor.TagsForbidden, DupMapKey: cbor.DupMapKeyEnforcedAPF,
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Encode encodes a value.
func Encode(value any) ([]byte, error) { return encMode.Marshal(value) }

// Decode decodes into a value. Keys that its type has no fields for are passed over.
func Decode(data []byte, value any) error { return decMode.Unmarshal(data, value) }

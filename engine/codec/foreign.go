package codec

import (
	"errors"
	"fmt"
	"maps"

	"github.com/fxamacker/cbor/v2"
)

// Foreign are the keys of a value that its type has no fields for, with what they hold as it came: a newer build wrote
// them. They stay beside the value and go back where it is encoded again, so that a game loses nothing to an older build
// that acts on it while a new one is being rolled out.
//
// That is so of the value's own keys alone. What is unknown further down is refused rather than lost: a type inside it
// does not grow, its new sibling gets a key beside it.
type Foreign map[any]cbor.RawMessage

// maxForeign bounds the foreign keys of a value, which need not be trusted.
const maxForeign = 64

// DecodeKeeping decodes a value and what is foreign in it. Values without foreign keys, which is nearly all of them, pay
// nothing for it: only the decoder's complaint leads to a second look.
func DecodeKeeping[S any](data []byte) (*S, Foreign, error) {
	value := new(S)
	err := strictMode.Unmarshal(data, value)
	if _, unknown := errors.AsType[*cbor.UnknownFieldError](err); !unknown {
		return value, nil, err
	}
	all := Foreign{}
	if err := Decode(data, &all); err != nil {
		return nil, nil, err
	}
	kept, err := take[S](all)
	if err != nil {
		return nil, nil, err
	}
	known, err := Encode(all)
	if err != nil {
		return nil, nil, err
	}
	value = new(S)
	return value, kept, strictMode.Unmarshal(known, value)
}

// take takes the foreign keys of a value out of all its keys.
func take[S any](all Foreign) (Foreign, error) {
	kept := Foreign{}
	for key, value := range all {
		known, err := hasField[S](key)
		if err != nil {
			return nil, err
		}
		if !known {
			kept[key] = value
			delete(all, key)
		}
	}
	if len(kept) > maxForeign {
		return nil, fmt.Errorf("%d unknown keys", len(kept))
	}
	return kept, nil
}

// hasField reports whether a value has a field of that key, which it then takes nothing for.
func hasField[S any](key any) (bool, error) {
	switch key.(type) {
	case uint64, int64, string:
	default:
		return false, fmt.Errorf("a key of type %T", key)
	}
	data, err := Encode(map[any]any{key: nil})
	if err != nil {
		return false, err
	}
	_, unknown := errors.AsType[*cbor.UnknownFieldError](strictMode.Unmarshal(data, new(S)))
	return !unknown, nil
}

// EncodeKeeping encodes a value together with what was foreign in it.
func EncodeKeeping[S any](value *S, kept Foreign) ([]byte, error) {
	data, err := Encode(value)
	if err != nil || len(kept) == 0 {
		return data, err
	}
	all := Foreign{}
	if err := Decode(data, &all); err != nil {
		return nil, err
	}
	maps.Copy(all, kept)
	return Encode(all)
}

package engine

import (
	"errors"
	"fmt"
	"maps"

	"github.com/fxamacker/cbor/v2"
)

// foreign are the keys of a state that its type has no fields for, with their values as they came: a newer build, of the
// same version of the rules, wrote them. They stay beside the state and go back into its snapshots, so that a game loses
// nothing to an older build that acts on it while a new one is being rolled out.
//
// That is so of the state's own keys alone. What is unknown further down is refused rather than lost: a type inside the
// state does not grow, its new sibling gets a key of the state.
type foreign map[any]cbor.RawMessage

// maxForeign bounds the foreign keys of a state, which need not be trusted.
const maxForeign = 64

// decodeState decodes a state and what is foreign in it. States without foreign keys, which is nearly all of them, pay
// nothing for it: only the decoder's complaint leads to a second look.
func decodeState[S any](data []byte) (*S, foreign, error) {
	state := new(S)
	err := strictMode.Unmarshal(data, state)
	if _, unknown := errors.AsType[*cbor.UnknownFieldError](err); !unknown {
		return state, nil, err
	}
	all := foreign{}
	if err := decode(data, &all); err != nil {
		return nil, nil, err
	}
	kept, err := take[S](all)
	if err != nil {
		return nil, nil, err
	}
	known, err := encode(all)
	if err != nil {
		return nil, nil, err
	}
	state = new(S)
	return state, kept, strictMode.Unmarshal(known, state)
}

// take takes the foreign keys of a state out of all its keys.
func take[S any](all foreign) (foreign, error) {
	kept := foreign{}
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

// hasField reports whether a state has a field of that key, which it then takes nothing for.
func hasField[S any](key any) (bool, error) {
	switch key.(type) {
	case uint64, int64, string:
	default:
		return false, fmt.Errorf("a key of type %T", key)
	}
	data, err := encode(map[any]any{key: nil})
	if err != nil {
		return false, err
	}
	_, unknown := errors.AsType[*cbor.UnknownFieldError](strictMode.Unmarshal(data, new(S)))
	return !unknown, nil
}

// encodeState encodes a state together with what was foreign in it.
func encodeState[S any](state *S, kept foreign) ([]byte, error) {
	data, err := encode(state)
	if err != nil || len(kept) == 0 {
		return data, err
	}
	all := foreign{}
	if err := decode(data, &all); err != nil {
		return nil, err
	}
	maps.Copy(all, kept)
	return encode(all)
}

package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/fxamacker/cbor/v2"
)

// The codec of snapshots and journals is deterministic CBOR: the struct tags of a game's types are the schema.
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

func encode(value any) ([]byte, error) { return encMode.Marshal(value) }

func decode(data []byte, value any) error { return decMode.Unmarshal(data, value) }

// EncodeAction encodes an action for the journal: its place in the game's table of actions, and its arguments.
func (g *game[S, A]) EncodeAction(action Action) ([]byte, error) {
	row := g.row(action.Kind())
	if row < 0 {
		return nil, fmt.Errorf("engine: %s has no action %q", g.Info().ID, action.Kind())
	}
	args, err := encode(action)
	if err != nil {
		return nil, err
	}
	return append([]byte{byte(row)}, args...), nil
}

// DecodeAction is the reverse of EncodeAction. The data need not be trusted.
func (g *game[S, A]) DecodeAction(data []byte) (Action, error) {
	types := g.rules.Actions()
	if len(data) == 0 || int(data[0]) >= len(types) {
		return nil, errors.New("engine: no such action in the journal")
	}
	action := types[data[0]].New()
	if err := decode(data[1:], action); err != nil {
		return nil, fmt.Errorf("engine: %s in the journal: %w", action.Kind(), err)
	}
	return action, nil
}

// ParseAction makes an action of a client's JSON. Unknown arguments, wrong types and numbers that do not fit are refused;
// absent arguments are zero, which Check refuses where it means nothing.
func (g *game[S, A]) ParseAction(kind string, args []byte) (Action, *Refusal) {
	row := g.row(kind)
	if row < 0 {
		return nil, Refuse(UnknownAction, "", Args{"kind": kind})
	}
	action := g.rules.Actions()[row].New()
	if len(args) == 0 {
		return action, nil
	}
	if refusal := parse(args, action); refusal != nil {
		return nil, refusal
	}
	return action, nil
}

func parse(data []byte, value any) *Refusal {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		if wrongType, is := errors.AsType[*json.UnmarshalTypeError](err); is {
			return Refuse(BadArgument, "", Args{"argument": wrongType.Field, "got": wrongType.Value})
		}
		if refusal, is := errors.AsType[*Refusal](err); is {
			return refusal
		}
		return Refuse(BadArgument, "", nil)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return Refuse(BadArgument, "", nil)
	}
	return nil
}

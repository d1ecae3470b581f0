package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"boulevard/engine/codec"
)

// EncodeAction encodes an action for the journal: its place in the game's table of actions, and its arguments.
func (g *game[S, A]) EncodeAction(action Action) ([]byte, error) {
	row := g.row(action.Kind())
	if row < 0 {
		return nil, fmt.Errorf("engine: %s has no action %q", g.Info().ID, action.Kind())
	}
	args, err := codec.Encode(action)
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
	if err := codec.Decode(data[1:], action); err != nil {
		return nil, fmt.Errorf("engine: %s in the journal: %w", action.Kind(), err)
	}
	return action, nil
}

// ParseAction makes an action of a client's JSON. Unknown arguments, wrong types and numbers that do not fit are refused;
// absent arguments are zero, which Check refuses where it means nothing.
func (g *game[S, A]) ParseAction(kind string, args []byte) (Action, *Refusal) {
	row := g.row(kind)
	if row < 0 {
		return nil, Refuse(UnknownAction, "", Args{argKind: kind})
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

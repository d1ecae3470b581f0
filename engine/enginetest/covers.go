package enginetest

import (
	"encoding/json"
	"reflect"
	"slices"

	"boulevard/engine"
)

// offered reports whether one of the choices covers the move.
func offered(choices []engine.Choice, move engine.Move) bool {
	return slices.ContainsFunc(choices, func(c engine.Choice) bool {
		return c.Prompt == move.Prompt && Covers(c, move.Action)
	})
}

// isDeal reports whether the move is one of those choices whose steps only the game can judge.
func isDeal(choices []engine.Choice, move engine.Move) bool {
	return slices.ContainsFunc(choices, func(c engine.Choice) bool {
		return c.Prompt == move.Prompt && c.Action.Kind() == move.Action.Kind() && hasDeal(c)
	})
}

func hasDeal(c engine.Choice) bool {
	return slices.ContainsFunc(c.Fill, func(p engine.Param) bool { return p.Kind == engine.Deal })
}

// Covers reports whether an action is the choice's own, or one that filling its parameters makes. Of a deal's steps it knows
// nothing.
func Covers(choice engine.Choice, action engine.Action) bool {
	if choice.Action.Kind() != action.Kind() {
		return false
	}
	filled := choice.Action
	for _, p := range choice.Fill {
		if p.Kind == engine.Deal {
			return true
		}
		values, ok := argument(action, p.Name)
		if !ok || !inDomain(p, values) {
			return false
		}
		filled = filled.(engine.Fillable).Fill(p.Name, values)
	}
	return reflect.DeepEqual(filled, action)
}

// argument reads an argument of numbers out of an action by its name.
func argument(action engine.Action, name string) ([]int, bool) {
	data, err := json.Marshal(action)
	if err != nil {
		return nil, false
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(data, &args) != nil {
		return nil, false
	}
	var values []int
	if json.Unmarshal(args[name], &values) == nil {
		return values, true
	}
	var value int
	err = json.Unmarshal(args[name], &value)
	return []int{value}, err == nil
}

func inDomain(p engine.Param, values []int) bool {
	if p.Kind == engine.Range {
		return len(values) == 1 && values[0] >= p.Min && values[0] <= p.Max
	}
	return slices.Equal(slices.Sorted(slices.Values(values)), slices.Sorted(slices.Values(p.Values)))
}

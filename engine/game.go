package engine

import (
	"fmt"
	"maps"
	"slices"

	"boulevard/engine/codec"
)

// Game is an entry of the catalogue: rules that matches are made of.
type Game interface {
	// Info describes the game.
	Info() Info
	// Resolve gives every option its value, or refuses a number of seats or an option that the game does not have.
	Resolve(seats int, chosen Options) (Setup, *Refusal)
	// New sets up a match. The setup is one that Resolve made.
	New(setup Setup, dice *Dice) (Match, []Event, error)
	// Restore decodes a snapshot. The data need not be trusted.
	Restore(snapshot []byte) (Match, error)
	// ParseAction makes an action of a client's JSON arguments.
	ParseAction(kind string, args []byte) (Action, *Refusal)
	// EncodeAction and DecodeAction are the journal's form of an action.
	EncodeAction(action Action) ([]byte, error)
	DecodeAction(data []byte) (Action, error)
	// Actions is the game's table of actions, and Orders that of its standing orders.
	Actions() []ActionType
	Orders() []OrderType
	// ParseOrder, EncodeOrder and DecodeOrder are for orders what the others are for actions.
	ParseOrder(kind string, args []byte) (Order, *Refusal)
	EncodeOrder(order Order) ([]byte, error)
	DecodeOrder(data []byte) (Order, error)
}

type game[S any, A Action] struct{ rules Rules[S, A] }

// Bind makes a game of rules.
func Bind[S any, A Action](rules Rules[S, A]) Game { return &game[S, A]{rules: rules} }

func (g *game[S, A]) Info() Info            { return g.rules.Info() }
func (g *game[S, A]) Actions() []ActionType { return g.rules.Actions() }
func (g *game[S, A]) Orders() []OrderType   { return g.rules.Orders() }

func (g *game[S, A]) Resolve(seats int, chosen Options) (Setup, *Refusal) {
	info := g.Info()
	if seats < info.MinSeats || seats > info.MaxSeats {
		return Setup{}, Refuse(BadSeats, "", Args{"min": info.MinSeats, "max": info.MaxSeats})
	}
	resolved := Options{}
	for _, option := range info.Options {
		resolved[option.Name] = option.Values[0]
	}
	for _, name := range slices.Sorted(maps.Keys(chosen)) {
		option := slices.IndexFunc(info.Options, func(o Option) bool { return o.Name == name })
		if option < 0 || !slices.Contains(info.Options[option].Values, chosen[name]) {
			return Setup{}, Refuse(BadOption, "", Args{"option": name})
		}
		resolved[name] = chosen[name]
	}
	return Setup{Seats: seats, Options: resolved}, nil
}

func (g *game[S, A]) New(setup Setup, dice *Dice) (Match, []Event, error) {
	if _, refusal := g.Resolve(setup.Seats, setup.Options); refusal != nil {
		return nil, nil, refusal
	}
	var log Log
	state := g.rules.Setup(setup, dice, &log)
	return &match[S, A]{rules: g.rules, state: state}, log.events, nil
}

func (g *game[S, A]) Restore(snapshot []byte) (Match, error) {
	restored, err := restore(g.rules, snapshot)
	if err != nil {
		return nil, err
	}
	return restored, nil
}

func restore[S any, A Action](rules Rules[S, A], snapshot []byte) (*match[S, A], error) {
	state, foreign, err := codec.DecodeKeeping[S](snapshot)
	if err == nil {
		err = rules.Validate(state)
	}
	if err != nil {
		return nil, fmt.Errorf("engine: snapshot of %s: %w", rules.Info().ID, err)
	}
	return &match[S, A]{rules: rules, state: state, foreign: foreign}, nil
}

func (g *game[S, A]) row(kind string) int {
	return slices.IndexFunc(g.rules.Actions(), func(t ActionType) bool { return t.Kind == kind })
}

package engine

import (
	"errors"
	"fmt"
	"slices"

	"boulevard/engine/codec"
)

// Order is a standing order: how a seat wants a kind of decision answered without being asked. Each game declares a
// struct per order, with tags as an [Action] has them.
type Order interface {
	// Kind is the order's name.
	Kind() string
	// Valid refuses arguments that mean nothing.
	Valid() *Refusal
}

// OrderType is a row of a game's table of standing orders.
type OrderType struct {
	// Kind is the name that New's orders answer to.
	Kind string
	// Answers is the kind of prompt that the order can answer, or TurnPrompt.
	Answers string
	// New makes an empty order (a pointer to its struct) for a decoder to fill.
	New func() Order
}

// ParseOrder makes an order of a client's JSON.
func (g *game[S, A]) ParseOrder(kind string, args []byte) (Order, *Refusal) {
	row := slices.IndexFunc(g.rules.Orders(), func(t OrderType) bool { return t.Kind == kind })
	if row < 0 {
		return nil, Refuse(UnknownOrder, "", Args{argKind: kind})
	}
	order := g.rules.Orders()[row].New()
	if len(args) > 0 {
		if refusal := parse(args, order); refusal != nil {
			return nil, refusal
		}
	}
	return order, order.Valid()
}

// EncodeOrder encodes an order for the table: its place in the game's table of orders, and its arguments.
func (g *game[S, A]) EncodeOrder(order Order) ([]byte, error) {
	row := slices.IndexFunc(g.rules.Orders(), func(t OrderType) bool { return t.Kind == order.Kind() })
	if row < 0 {
		return nil, fmt.Errorf("engine: %s has no order %q", g.Info().ID, order.Kind())
	}
	args, err := codec.Encode(order)
	return append([]byte{byte(row)}, args...), err
}

// DecodeOrder is the reverse of EncodeOrder. The data need not be trusted.
func (g *game[S, A]) DecodeOrder(data []byte) (Order, error) {
	types := g.rules.Orders()
	if len(data) == 0 || int(data[0]) >= len(types) {
		return nil, errors.New("engine: no such order")
	}
	order := types[data[0]].New()
	if err := codec.Decode(data[1:], order); err != nil {
		return nil, fmt.Errorf("engine: order %s: %w", order.Kind(), err)
	}
	if refusal := order.Valid(); refusal != nil {
		return nil, refusal
	}
	return order, nil
}

// Obey looks through the seat's prompts, and its turn, for one that an order answers.
func (m *match[S, A]) Obey(seat Seat, orders []Order) (Move, bool) {
	prompts := m.Prompts()
	if asked := m.Asked(); len(asked) == 1 && asked[0] == seat && m.Turn() == seat {
		prompts = append(slices.Clone(prompts), Prompt{Seat: seat, Kind: TurnPrompt})
	}
	for _, prompt := range prompts {
		if prompt.Seat != seat {
			continue
		}
		for _, order := range orders {
			if action := m.obeyed(prompt, order); action != nil {
				return Move{Seat: seat, Action: action, Prompt: prompt.ID}, true
			}
		}
	}
	return Move{}, false
}

func (m *match[S, A]) obeyed(prompt Prompt, order Order) Action {
	row := slices.IndexFunc(m.rules.Orders(), func(t OrderType) bool { return t.Kind == order.Kind() })
	if row < 0 || m.rules.Orders()[row].Answers != prompt.Kind {
		return nil
	}
	return m.rules.Obey(m.state, prompt, order)
}

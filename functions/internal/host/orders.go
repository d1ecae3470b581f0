package host

import (
	"errors"
	"slices"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// StandingOrder is an order as a client writes it.
type StandingOrder struct {
	// Kind and Args (JSON) name the order.
	Kind string
	Args []byte
}

// encodeOrders is what the journal and the head keep of a seat's orders.
func (g *Game) encodeOrders(wanted []StandingOrder) ([][]byte, error) {
	encoded := make([][]byte, 0, len(wanted))
	seen := map[string]bool{}
	for _, w := range wanted {
		order, refusal := g.rules.ParseOrder(w.Kind, w.Args)
		if refusal != nil {
			return nil, refused(refusal)
		}
		if seen[order.Kind()] {
			return nil, refused(engine.Refuse("order_twice", "", engine.Args{"kind": order.Kind()}))
		}
		seen[order.Kind()] = true
		data, err := g.rules.EncodeOrder(order)
		if err != nil {
			return nil, err
		}
		encoded = append(encoded, data)
	}
	return encoded, nil
}

// order replaces a seat's standing orders.
func order(g *Game, entry store.Entry, _ *engine.Dice) ([]engine.Event, error) {
	if g.Status != store.Playing {
		return nil, notPlaying()
	}
	g.Orders = slices.DeleteFunc(slices.Clone(g.Orders), func(o store.SeatOrders) bool { return o.Seat == entry.Seat })
	if len(entry.Orders) > 0 {
		g.Orders = append(g.Orders, store.SeatOrders{Seat: entry.Seat, Orders: entry.Orders})
		slices.SortFunc(g.Orders, func(a, b store.SeatOrders) int { return int(a.Seat) - int(b.Seat) })
	}
	return nil, nil
}

// OrdersOf are a seat's standing orders.
func (g *Game) OrdersOf(seat engine.Seat) ([]engine.Order, error) {
	i := slices.IndexFunc(g.Orders, func(o store.SeatOrders) bool { return o.Seat == int8(seat) })
	if i < 0 {
		return nil, nil
	}
	orders := make([]engine.Order, 0, len(g.Orders[i].Orders))
	for _, data := range g.Orders[i].Orders {
		order, err := g.rules.DecodeOrder(data)
		if err != nil {
			return nil, err
		}
		orders = append(orders, order)
	}
	return orders, nil
}

// maxObeyed bounds what standing orders do in one command. Every answer closes what asked for it, so that no game comes
// near.
const maxObeyed = 32

// obey lets standing orders answer what is asked now, each in an entry of its own, until none has an answer.
func (g *Game) obey(after int64) ([]store.Entry, []engine.Event, error) {
	var entries []store.Entry
	var events []engine.Event
	for len(entries) < maxObeyed && g.Status == store.Playing {
		entry, found, err := g.obeyed()
		if err != nil || !found {
			return entries, events, err
		}
		entry.After = after
		done, err := g.carry(entry)
		if _, is := errors.AsType[*Error](err); is {
			// An order that the rules refuse is no order; whoever acted has nothing to do with it.
			return entries, events, nil
		}
		if err != nil {
			return nil, nil, err
		}
		entries, events = append(entries, entry), append(events, done.events...)
	}
	return entries, events, nil
}

// obeyed is the first play that any seat's orders make now.
func (g *Game) obeyed() (store.Entry, bool, error) {
	for _, o := range g.Orders {
		seat := engine.Seat(o.Seat)
		orders, err := g.OrdersOf(seat)
		if err != nil {
			return store.Entry{}, false, err
		}
		move, found := g.match.Obey(seat, orders)
		if !found {
			continue
		}
		action, err := g.rules.EncodeAction(move.Action)
		return store.Entry{Seat: o.Seat, Action: action, Prompt: uint32(move.Prompt), Auto: true}, true, err
	}
	return store.Entry{}, false, nil
}

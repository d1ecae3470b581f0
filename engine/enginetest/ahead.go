package enginetest

import (
	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// checkOffers: what a seat may do without being asked is accepted, and a spectator may do nothing.
func (r *run) checkOffers() {
	require.Empty(r, r.match.Offers(engine.NoSeat))
	for seat := range engine.Seat(r.setup.Seats) {
		for _, c := range r.match.Offers(seat) {
			if !hasDeal(c) {
				move := engine.Move{Seat: seat, Action: c.Filled(r.pick), Prompt: c.Prompt}
				require.Nil(r, r.match.Check(move), "%s %s", move.Action.Kind(), JSON(r, move.Action))
			}
		}
	}
}

// checkPreview: a preview changes nothing, shows a twin's table the same, and is what the move then does.
func (r *run) checkPreview(move engine.Move, twin engine.Match) {
	before := Snapshot(r, r.match)
	version := unused(r.match)
	preview, refusal := r.match.Preview(move)
	require.Nil(r, refusal)
	require.Equal(r, before, Snapshot(r, r.match), "a preview left a trace")
	r.sameForTwin(move, preview, twin)

	acted, dice := r.restore(before), engine.NewDice(r.seed, version)
	events, refusal := acted.Act(move, dice)
	require.Nil(r, refusal)
	switch preview.Stopped {
	case engine.StoppedByHidden:
		require.True(r, r.reveals(move.Action))
		require.Empty(r, preview.Events)
	case engine.StoppedByDice:
		require.True(r, dice.Used())
		require.Equal(r, JSON(r, preview.Events), JSON(r, events[:len(preview.Events)]), "what is certain happens first")
	default:
		require.False(r, dice.Used())
		require.Equal(r, JSON(r, events), JSON(r, preview.Events))
		require.Equal(r, Snapshot(r, acted), Snapshot(r, preview.After))
	}
	require.Equal(r, preview.Stopped != "", preview.After == nil)
}

// unused is a version that no open prompt is named by, as previews name theirs.
func unused(match engine.Match) uint64 {
	version := uint64(1)
	for _, p := range match.Prompts() {
		version = max(version, p.ID.Version()+1)
	}
	return version
}

func (r *run) sameForTwin(move engine.Move, preview engine.Preview, twin engine.Match) {
	other, refusal := twin.Preview(move)
	require.Nil(r, refusal)
	require.Equal(r, preview.Stopped, other.Stopped)
	require.Equal(r, JSON(r, engine.Visible(preview.Events, move.Seat)), JSON(r, engine.Visible(other.Events, move.Seat)))
	if preview.After != nil {
		require.Equal(r, JSON(r, preview.After.View(move.Seat)), JSON(r, other.After.View(move.Seat)))
		require.Equal(r, JSON(r, preview.After.Choices(move.Seat)), JSON(r, other.After.Choices(move.Seat)))
	}
}

// mostObeyed is more than standing orders answer before somebody must be asked.
const mostObeyed = 30

// checkOrders: what standing orders answer is accepted and depends on nothing hidden, and they come to an end (demand A1).
func (r *run) checkOrders() {
	if r.suite.Orders == nil {
		return
	}
	orders := make([][]engine.Order, r.setup.Seats)
	for seat := range orders {
		orders[seat] = r.suite.Orders(r.pick)
	}
	twin := r.twin()
	match, first := r.match, uint64(len(r.moves)+1)
	for n := uint64(0); match.Outcome() == nil; n++ {
		require.Less(r, n, uint64(mostObeyed), "orders without end")
		move, ok := obeyed(match, orders)
		if n == 0 {
			other, same := obeyed(twin, orders)
			require.Equal(r, ok, same)
			require.Equal(r, JSON(r, move), JSON(r, other))
			match = r.restore(Snapshot(r, r.match))
		}
		if !ok {
			return
		}
		_, refusal := match.Act(move, engine.NewDice(r.seed, first+n))
		require.Nil(r, refusal, "%s %s", move.Action.Kind(), JSON(r, move.Action))
	}
}

// obeyed is the first move that the seats' orders make.
func obeyed(match engine.Match, orders [][]engine.Order) (engine.Move, bool) {
	for seat := range orders {
		if move, ok := match.Obey(engine.Seat(seat), orders[seat]); ok {
			return move, true
		}
	}
	return engine.Move{}, false
}

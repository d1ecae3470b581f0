package host

import (
	"slices"

	"github.com/oklog/ulid/v2"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// maxInvited bounds how many players one table can call upon.
const maxInvited = 12

// invite asks a player to the table. Whether there is such a player only he knows: guests are known by their tokens alone.
func invite(g *Game, entry store.Entry, _ *engine.Dice) ([]engine.Event, error) {
	switch {
	case g.SeatOf(entry.Player.ID) == engine.NoSeat:
		return nil, notSeated()
	case g.Status != store.Open:
		return nil, notOpen()
	case !isPlayerID(entry.Invited):
		return nil, &Error{Code: PlayerInvalid, Message: "this is no player's id"}
	case g.SeatOf(entry.Invited) != engine.NoSeat || slices.Contains(g.Invited, entry.Invited):
		return nil, &Error{Code: AlreadyInvited, Message: "the player is here, or was asked before"}
	case len(g.Invited) >= maxInvited:
		return nil, &Error{Code: TooManyInvited, Message: "enough players were asked"}
	}
	g.Invited = append(slices.Clone(g.Invited), entry.Invited)
	return nil, nil
}

// isPlayerID reports whether an id can be one that Guest makes.
func isPlayerID(id string) bool {
	_, err := ulid.ParseStrict(id)
	return err == nil
}

package engine

// Seat is a place at the table, counted from 0 in the order of play: seat 1 sits to the left of seat 0.
type Seat int8

// NoSeat is nobody's seat: that of a spectator, of an unowned thing, or of the turn once a game is over.
const NoSeat Seat = -1

// In reports whether s is one of the first n seats.
func (s Seat) In(n int) bool { return s >= 0 && int(s) < n }

// Audience says which seats may know of something. The zero Audience is everybody, spectators included.
type Audience uint16

// Only is the audience that consists of the given seats.
func Only(seats ...Seat) Audience {
	var a Audience
	for _, s := range seats {
		a |= 1 << s
	}
	return a
}

// Includes reports whether seat belongs to the audience. A spectator belongs to the audience of everybody alone.
func (a Audience) Includes(seat Seat) bool {
	return a == 0 || (seat >= 0 && a&(1<<seat) != 0)
}

package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"boulevard/engine"
)

// Taking Turns: to the left, which is the order of the seats.
func TestEnd_PassesTheTurnToTheLeft(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, redCasino)
	p.do(yellow, &Gamble{Casino: "A1", Bet: 4})
	p.do(red, new(LayOff), 1, 2)
	events := p.do(yellow, new(End))
	assert.Equal(t, &TurnEnded{Seat: yellow, Next: blue}, args[*TurnEnded](t, events))
	assert.Equal(t, blue, p.match().Turn())
	assert.Equal(t, Drawing, p.Phase)
	assert.False(t, p.Gambled)
	assert.Equal(t, engine.NotAsked, p.refused(yellow, new(Draw)).Code)
}

// On Every Turn: in any order, and all but the gamble as often as one likes.
func TestTurn_ActionsInAnyOrder(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 red\nA2 red\nB1 gold blue 5").money(red, 100)
	p.do(red, &Build{Lot: "A1", Color: Gold})
	p.do(red, &Gamble{Casino: "B1", Bet: 1})
	p.do(blue, new(LayOff), 6, 1)
	p.do(red, &Sprawl{Casino: "A1", Lot: "A4"})
	p.do(red, &Build{Lot: "A2", Color: Silver})
	p.do(red, &Remodel{Casino: "A2", Color: Gold})
	p.do(red, &Remodel{Casino: "A1", Color: Brown})
	p.do(red, new(End))
}

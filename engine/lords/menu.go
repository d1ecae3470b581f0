package lords

import "boulevard/engine"

// menu holds the actions that are offered over and over on a board. A turn has dozens of choices, so these are made once
// and shared by all matches; nobody changes an action that was offered.
type menu struct {
	// All but bets are by lot: a casino's first, or the one to build on.
	builds      [][lastCompany + 1]Build
	remodels    [][lastCompany + 1]Remodel
	reorganizes []Reorganize
	raises      []Raise
	gambles     []Gamble
	// bets are the ranges of bets by their greatest bet.
	bets [][1]engine.Param
}

func newMenu(lots []LotInfo) *menu {
	m := &menu{
		builds: make([][lastCompany + 1]Build, len(lots)), remodels: make([][lastCompany + 1]Remodel, len(lots)),
		reorganizes: make([]Reorganize, len(lots)), raises: make([]Raise, len(lots)), gambles: make([]Gamble, len(lots)),
		bets: make([][1]engine.Param, betPerTile*tilesPerColor*maxSeats+1),
	}
	for i, lot := range lots {
		m.reorganizes[i].Casino, m.raises[i].Casino, m.gambles[i].Casino = lot.ID, lot.ID, lot.ID
		for color := Aqua; color <= lastCompany; color++ {
			m.builds[i][color] = Build{Lot: lot.ID, Color: color}
			m.remodels[i][color] = Remodel{Casino: lot.ID, Color: color}
		}
	}
	for most := range m.bets {
		m.bets[most][0] = engine.Param{Name: "bet", Kind: engine.Range, Min: 1, Max: most}
	}
	return m
}

// build is the action of a build, which from makes a rare one.
func (s *State) build(lot int, color Color, from int) *Build {
	if from == noLot {
		return &s.board.menu.builds[lot][color]
	}
	return &Build{Lot: s.id(lot), Color: color, From: s.id(from)}
}

// batch allocates the facts of several choices at a time.
type batch[T any] struct{ room []T }

// batchSize is how many choices of one kind a turn usually has, or a few more.
const batchSize = 8

func (b *batch[T]) keep(value T) *T {
	if len(b.room) == cap(b.room) {
		b.room = make([]T, 0, batchSize)
	}
	b.room = append(b.room, value)
	return &b.room[len(b.room)-1]
}

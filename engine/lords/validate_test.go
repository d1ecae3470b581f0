package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"boulevard/engine"
)

func TestValidate_RefusesWhatCannotBePlayedOn(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(s *State){
		"no players":            func(s *State) { s.Players = nil },
		"seven players":         func(s *State) { s.Players = make([]Player, 7) },
		"debts":                 func(s *State) { s.Players[1].Money = -1 },
		"money without bounds":  func(s *State) { s.Players[1].Money = 1 << 40 },
		"9 points":              func(s *State) { s.Players[1].Points = 9 },
		"nobody's turn":         func(s *State) { s.Turn = engine.NoSeat },
		"turn of a fifth":       func(s *State) { s.Turn = 4 },
		"a lot too few":         func(s *State) { s.Lots = s.Lots[1:] },
		"owner of no seat":      func(s *State) { s.Lots[40].Owner = 4 },
		"unknown color":         func(s *State) { s.Lots[0].Color = Strip },
		"seven pips":            func(s *State) { s.Lots[0].Die = 7 },
		"die without tile":      func(s *State) { s.Lots[40].Die = 2 },
		"owner without die":     func(s *State) { s.Lots[0].Die = 0 },
		"height without risers": func(s *State) { s.Lots[0].Height = 2 },
		"height without tile":   func(s *State) { s.Lots[40].Height = 1 },
		"card twice":            func(s *State) { s.Deck[1] = s.Deck[0] },
		"unknown card":          func(s *State) { s.Deck[1] = 49 },
		"unknown card drawn":    func(s *State) { s.Card = 60 },
		"drawn and in the deck": func(s *State) { s.Card = s.Deck[0] },
		"no End of Game card":   func(s *State) { s.Deck = s.Deck[len(s.Deck)-10:] },
		"end without an end":    func(s *State) { s.Card, s.Deck = s.board.end, s.Deck[len(s.Deck)-10:] },
		"two bosses":            func(s *State) { s.Lots[1].Die = 4; s.Lots[1].Owner = blue },
		"too many tiles": func(s *State) {
			for lot := range 20 {
				s.Lots[lot+20] = Lot{Color: Aqua, Height: 1, Owner: engine.NoSeat}
			}
		},
		"too many markers": func(s *State) {
			for lot := range 20 {
				s.Lots[lot+20].Owner = blue
			}
		},
		"unknown phase":          func(s *State) { s.Phase = Over + 1 },
		"unknown casino":         func(s *State) { s.Casino = 60 },
		"a bet that nobody made": func(s *State) { s.Bet = 3 },
		"gambled before draw":    func(s *State) { s.Phase, s.Gambled = Drawing, true },
		"rerolled without a die": func(s *State) { s.Rerolled = 1 << 40 },
		"rerolled beyond":        func(s *State) { s.Rerolled = 1 << 60 },
		"prompt without a phase": func(s *State) { s.ask(red, noDice()) },
		"phase without a prompt": func(s *State) { s.Phase = GivingUp },
		"lay-off without a bet":  func(s *State) { s.Phase, s.Gambled = LayingOff, true; s.ask(red, noDice()) },
		"move-die without need":  func(s *State) { s.Phase = MovingDie; s.ask(yellow, noDice()) },
		"give-up without need":   func(s *State) { s.Phase = GivingUp; s.ask(yellow, noDice()) },
		"placing equal dice":     func(s *State) { s.Phase = Placing; s.ask(blue, noDice()) },
		"prompt of nobody":       func(s *State) { s.Phase = Placing; s.ask(9, noDice()) },
		"prompt twice":           func(s *State) { s.Phase = Placing; s.ask(red, noDice()); s.ask(red, noDice()) },
		"prompt of another seat": func(s *State) { s.Phase = Placing; s.ask(red, noDice()); s.Asks[0].ID++ },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := sketch(t, yellow, redCasino)
			spoil(p.State)
			_, err := Game().Restore(encodeState(p.State))
			assert.Error(t, err)
		})
	}
}

// noDice are those of a move that rolls none.
func noDice() *engine.Dice { return engine.NewDice(engine.Seed{}, 1) }

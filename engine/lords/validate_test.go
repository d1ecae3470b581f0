package lords

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

func TestValidate_RefusesImpossibleDeals(t *testing.T) {
	t.Parallel()
	deal := func(s *State) *Deal { return &s.Deals[0] }
	for name, spoil := range map[string]func(s *State){
		"no steps":            func(s *State) { deal(s).Steps = nil },
		"too many steps":      func(s *State) { deal(s).Steps = make(Steps, maxSteps+1) },
		"unknown kind":        func(s *State) { deal(s).Steps[0].Kind = DoGamble + 1 },
		"to nobody":           func(s *State) { deal(s).Steps[0].To = engine.NoSeat },
		"of a fifth":          func(s *State) { deal(s).Steps[0].From = 100 },
		"no money":            func(s *State) { deal(s).Steps[1].Money = 0 },
		"unknown lot":         func(s *State) { deal(s).Steps[0].Lot = "Z1" },
		"another's die":       func(s *State) { deal(s).Steps[0].Lot = "B1" },
		"a lot with a tile":   func(s *State) { deal(s).Steps[0].Kind = GiveLot },
		"a tile without die":  func(s *State) { s.Lots[0].Owner, s.Lots[0].Die = engine.NoSeat, 0 },
		"proposer not in it":  func(s *State) { deal(s).Proposer = green; deal(s).Accepted = seatBit(green) },
		"no proposer":         func(s *State) { deal(s).Proposer = engine.NoSeat },
		"proposer against it": func(s *State) { deal(s).Accepted = 0 },
		"all for it":          func(s *State) { deal(s).Accepted = seatBit(red) | seatBit(blue) },
		"a stranger for it":   func(s *State) { deal(s).Accepted = seatBit(red) | 1<<7 },
		"version 0":           func(s *State) { deal(s).Version = 0 },
		"version too high":    func(s *State) { deal(s).Version = lastVersion + 1 },
		"actions before the draw": func(s *State) {
			deal(s).Steps[0] = Do(&Remodel{Casino: "A1", Color: Aqua})
			deal(s).Steps[1] = Pay(red, yellow, 1)
			s.Phase = Drawing
		},
		"after the end":        func(s *State) { s.Phase = Over },
		"two of a proposer":    func(s *State) { s.Deals = append(s.Deals, s.Deals[0]); s.Deals[1].Version++ },
		"two of a version":     func(s *State) { s.Deals = append(s.Deals, otherDeal(0)) },
		"in the wrong order":   func(s *State) { s.Deals = append(s.Deals, otherDeal(-1)) },
		"named as a prompt is": func(s *State) { s.Deals[0].Version = 1; s.bet(); s.ask(red, noDice()) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := sketch(t, yellow, redCasino+"B1 silver green 2\n")
			p.propose(red, 10, HandDie(red, blue, "A1"), Pay(blue, red, 3))
			_, err := Game().Restore(encodeState(p.State))
			require.NoError(t, err)
			spoil(p.State)
			_, err = Game().Restore(encodeState(p.State))
			assert.Error(t, err)
		})
	}
}

// otherDeal is blue's, that many versions after version 10.
func otherDeal(later int) Deal {
	return Deal{Version: uint32(10 + later), Proposer: blue, Accepted: seatBit(blue), Steps: Steps{Pay(blue, red, 1)}}
}

// bet makes a bet of yellow's, but for its prompt.
func (s *State) bet() { s.Phase, s.Gambled, s.Bet = LayingOff, true, 1 }

// noDice are those of a move that rolls none.
func noDice() *engine.Dice { return engine.NewDice(engine.Seed{}, 1) }

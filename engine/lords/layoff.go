package lords

import "boulevard/engine"

// LayOff is the boss's decision to share a bet with the bank (Action - Gamble; Rulings 10).
type LayOff struct {
	_ struct{} `cbor:",toarray"`
	// Accept tells whether half of the bet goes to the bank.
	Accept bool `json:"accept"`
}

// LaidOff is the event of the decision.
type LaidOff struct {
	Boss   engine.Seat `json:"boss"`
	Accept bool        `json:"accept"`
}

// LayOffFacts explains the decision: what the boss may lose and win by it.
type LayOffFacts struct {
	// Win is received when the gambler loses; Lose and LoseDouble are due when he wins, as far as there is money.
	Win        int `json:"win"`
	Lose       int `json:"lose"`
	LoseDouble int `json:"lose_double"`
}

// Kind is "lay-off".
func (*LayOff) Kind() string { return kindLayOff }

func (*LayOff) check(*State, engine.Seat) refusal { return refusal{} }

// share is the boss's part of an amount: all, or half of it rounded down.
func (a *LayOff) share(amount int) int {
	if a.Accept {
		return amount / 2
	}
	return amount
}

// apply rolls after the decision. If the boss cannot pay his share, the gambler gets what there is; the bank owes its own share
// in any case, and nothing for the boss (Rulings 10).
func (a *LayOff) apply(s *State, boss engine.Seat, dice *engine.Dice, log *engine.Log) {
	log.Add("lay_off_decided", ruleGamble, &LaidOff{boss, a.Accept})
	first, second := dice.Die(), dice.Die()
	event := &Gambled{Seat: s.Turn, Boss: boss, Dice: []int{first, second}}
	if times := multiples[first+second]; times > 0 {
		due := times * s.Bet
		share := a.share(due)
		event.FromBoss, event.FromBank = min(share, s.Players[boss].Money), due-share
	} else {
		event.FromBoss = -a.share(s.Bet)
		event.FromBank = -s.Bet - event.FromBoss
	}
	event.Gambler = event.FromBoss + event.FromBank
	s.Players[s.Turn].Money += event.Gambler
	s.Players[boss].Money -= event.FromBoss
	s.answered(boss)
	s.Phase, s.Casino, s.Bet = Playing, 0, 0
	log.Add("gambled", ruleGamble, event)
}

// offerLayOffs shows amounts that are due: what the boss has may be less.
func (s *State) offerLayOffs(_ engine.Seat, out *offers) {
	for _, accept := range []bool{false, true} {
		a := &LayOff{Accept: accept}
		out.add(a, &LayOffFacts{Win: a.share(s.Bet), Lose: a.share(s.Bet), LoseDouble: a.share(2 * s.Bet)})
	}
}

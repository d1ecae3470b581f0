package lords

import "boulevard/engine"

// betPerTile is the greatest bet for each tile and riser of the casino (Action - Gamble).
const betPerTile = 5

// Gamble bets money at a casino of another boss, once a turn (Action - Gamble). The dice wait for the boss's decision.
type Gamble struct {
	_      struct{} `cbor:",toarray"`
	Casino LotID    `json:"casino"`
	Bet    int      `json:"bet"`
}

// BetPlaced is the event of a bet.
type BetPlaced struct {
	Seat   engine.Seat `json:"seat"`
	Casino LotID       `json:"casino"`
	Boss   engine.Seat `json:"boss"`
	Bet    int         `json:"bet"`
}

// Gambled is the event of the roll that decides a bet.
type Gambled struct {
	Seat engine.Seat `json:"seat"`
	Boss engine.Seat `json:"boss"`
	Dice []int       `json:"dice"`
	// Gambler is what the gambler wins, or loses if it is negative. FromBoss and FromBank are the shares of the boss and
	// of the bank in it, negative for what they receive.
	Gambler  int `json:"gambler"`
	FromBoss int `json:"from_boss"`
	FromBank int `json:"from_bank"`
}

// GambleFacts explains the choice of a gamble.
type GambleFacts struct {
	Boss engine.Seat `json:"boss"`
	// BossMoney is what the boss has: he never pays more.
	BossMoney int `json:"boss_money"`
}

// multiples is what the roll of two dice pays for each dollar that was bet: the field bet of craps.
var multiples = [13]int{2: 2, 3: 1, 4: 1, 5: -1, 6: -1, 7: -1, 8: -1, 9: 1, 10: 1, 11: 1, 12: 2}

// Kind is "gamble".
func (*Gamble) Kind() string { return kindGamble }

// Fill returns the gamble with a bet of its value.
func (a *Gamble) Fill(_ string, values []int) engine.Action {
	return &Gamble{Casino: a.Casino, Bet: values[0]}
}

func (a *Gamble) check(s *State, seat engine.Seat) refusal {
	c, r := s.namedCasino(a.Casino)
	if !r.ok() {
		return r
	}
	return s.canGamble(seat, c, a.Bet)
}

// canGamble wants another player to be the boss: a casino without dice takes no bets (Rulings 6).
func (s *State) canGamble(seat engine.Seat, c *casino, bet int) refusal {
	switch {
	case s.Gambled:
		return refuse(alreadyGambled, ruleGamble)
	case c.boss == engine.NoSeat:
		return refuse(noBoss, ruleGamble)
	case c.boss == seat:
		return refuse(ownCasino, ruleGamble)
	case bet < 1 || bet > betPerTile*c.size():
		return refusal{why: betOutOfRange, rule: ruleGamble, numbers: [2]int{1, betPerTile * c.size()}}
	}
	return s.pay(seat, bet, ruleGamble)
}

// apply only asks the boss. The bet stays with the gambler until the dice decide, as no other action comes between.
func (a *Gamble) apply(s *State, seat engine.Seat, dice *engine.Dice, log *engine.Log) {
	c, _ := s.namedCasino(a.Casino)
	s.Gambled, s.Phase, s.Casino, s.Bet = true, LayingOff, uint8(c.first()), a.Bet
	s.ask(c.boss, dice)
	log.Add("bet_placed", ruleGamble, &BetPlaced{seat, a.Casino, c.boss, a.Bet})
}

// offerGambles leaves the bet to the seat, from a dollar to what the casino takes and the seat has.
func (s *State) offerGambles(seat engine.Seat, out *offers) {
	if s.Gambled {
		return
	}
	var facts batch[GambleFacts]
	for i := range s.casinos {
		c := &s.casinos[i]
		if r := s.canGamble(seat, c, 1); !r.ok() {
			continue
		}
		most := min(betPerTile*c.size(), s.Players[seat].Money)
		out.list = append(out.list, engine.Choice{
			Action: &s.board.menu.gambles[c.first()], Fill: s.board.menu.bets[most][:],
			Facts: facts.keep(GambleFacts{Boss: c.boss, BossMoney: s.Players[c.boss].Money}),
		})
	}
}

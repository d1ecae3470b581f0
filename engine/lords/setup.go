package lords

import "boulevard/engine"

// startingMoney less the dice printed on a player's two lots is what he starts with (Rulings 2).
const startingMoney = 20

// Dealt is the event of a seat's two starting lots.
type Dealt struct {
	Seat  engine.Seat `json:"seat"`
	Lots  []LotID     `json:"lots"`
	Money int         `json:"money"`
}

// FirstRolled is the event of the rolls for the first turn, one after another until nobody ties for the highest.
type FirstRolled struct {
	Rolls []FirstRoll `json:"rolls"`
	First engine.Seat `json:"first"`
}

// FirstRoll is one seat's roll for the first turn.
type FirstRoll struct {
	Seat engine.Seat `json:"seat"`
	Dice [2]int      `json:"dice"`
}

// newState sets up a table (Setting Up; Rulings 1 to 3, 13). The End of Game card goes in after the deal, so that nobody is
// dealt it. The order of the steps is the order in which the dice are used: another one would replay no recorded game.
func newState(b *board, setup engine.Setup, dice *engine.Dice, log *engine.Log) *State {
	s := &State{
		Players: make([]Player, setup.Seats), Lots: make([]Lot, len(b.lots)),
		Risers: setup.Options[optionRisers] == "on", Card: noCard,
	}
	s.board = b
	for i := range s.Lots {
		s.Lots[i].Owner = engine.NoSeat
	}
	s.shuffle(dice)
	s.deal(dice, log)
	s.insertEnd(dice)
	s.Turn = rollForFirst(setup.Seats, dice, log)
	s.regroup()
	return s
}

// shuffle makes a deck of all cards but the End of Game card.
func (s *State) shuffle(dice *engine.Dice) {
	for i := range s.board.cards {
		if Card(i) != s.board.end {
			s.Deck = append(s.Deck, Card(i))
		}
	}
	s.shuffleDeck(dice)
}

// shuffleDeck takes the game's dice, so that a verifier can repeat it.
func (s *State) shuffleDeck(dice *engine.Dice) {
	dice.Shuffle(len(s.Deck), func(i, j int) { s.Deck[i], s.Deck[j] = s.Deck[j], s.Deck[i] })
}

// deal gives each player two lots. Cards of closed lots are redrawn and go back among the others (Rulings 13).
func (s *State) deal(dice *engine.Dice, log *engine.Log) {
	var aside []Card
	for seat := range engine.Seat(len(s.Players)) {
		dealt := &Dealt{Seat: seat, Money: startingMoney}
		for len(dealt.Lots) < 2 {
			top := len(s.Deck) - 1
			card, lot := s.Deck[top], s.board.cards[s.Deck[top]].lot
			s.Deck = s.Deck[:top]
			if s.closed(lot) {
				aside = append(aside, card)
				continue
			}
			s.setMarker(lot, seat)
			dealt.Lots = append(dealt.Lots, s.id(lot))
			dealt.Money -= s.board.lots[lot].Die
		}
		s.Players[seat].Money = dealt.Money
		log.Add("lots_dealt", ruleSetup, dealt)
	}
	if len(aside) > 0 {
		s.Deck = append(s.Deck, aside...)
		s.shuffleDeck(dice)
	}
}

// endSpread is by how many cards the End of Game card may be higher or lower than a quarter of the deck (Rulings 1).
const endSpread = 2

// insertEnd puts the End of Game card on top of the last quarter of the deck, give or take. Who counts cards then cannot know
// which turn is the last.
func (s *State) insertEnd(dice *engine.Dice) {
	below := len(s.Deck)/4 - endSpread + dice.Intn(2*endSpread+1)
	s.Deck = append(s.Deck, 0)
	copy(s.Deck[below+1:], s.Deck[below:])
	s.Deck[below] = s.board.end
}

// rollForFirst rolls two dice for each seat, and again for those tied for the highest (Rulings 3).
func rollForFirst(seats int, dice *engine.Dice, log *engine.Log) engine.Seat {
	event := &FirstRolled{}
	var tied []engine.Seat
	for seat := range engine.Seat(seats) {
		tied = append(tied, seat)
	}
	for len(tied) > 1 {
		highest := 0
		var leaders []engine.Seat
		for _, seat := range tied {
			roll := FirstRoll{Seat: seat, Dice: [2]int{dice.Die(), dice.Die()}}
			event.Rolls = append(event.Rolls, roll)
			if sum := roll.Dice[0] + roll.Dice[1]; sum > highest {
				highest, leaders = sum, nil
			}
			if roll.Dice[0]+roll.Dice[1] == highest {
				leaders = append(leaders, seat)
			}
		}
		tied = leaders
	}
	event.First = tied[0]
	log.Add("first_player_rolled", ruleTurns, event)
	return event.First
}

package notify

import (
	"cmp"
	"slices"

	"boulevard/engine"
)

// Kind is a kind of news.
type Kind string

// The kinds of news.
const (
	// YourTurn says that the game waits for the player to make his turn.
	YourTurn Kind = "your_turn"
	// DecisionAsked says that the game waits for the player's answer in another's turn.
	DecisionAsked Kind = "decision_asked"
	// DealOffered says that a deal awaits the player's word.
	DealOffered Kind = "deal_offered"
	// DealMade, DealOff and TakenOver are the engine's: events that are news.
	DealMade  = Kind(engine.DealMade)
	DealOff   = Kind(engine.DealOff)
	TakenOver = Kind(engine.TakenOver)
	// GameStarted and GameFinished speak of the whole game.
	GameStarted  Kind = "game_started"
	GameFinished Kind = "game_finished"
	// Invited says that somebody wants the player at his table.
	Invited Kind = "invited"
	// Settled says that the player is no longer waited for. It corrects what was told before, and shows nothing.
	Settled Kind = "settled"
	// Test was asked for by the player, and Confirm asks whether an address is his.
	Test    Kind = "test"
	Confirm Kind = "confirm"
)

// kinds are all kinds, the most pressing first.
var kinds = []struct {
	Kind
	// title is what a message of it is headed with.
	title string
	// waits tells that it is a decision, which the game waits for or at least hopes for: it is news until it is made.
	waits bool
	// service tells that it is about the channel itself, or corrects it: it knows neither quiet hours nor digests, and no
	// other channel takes its place.
	service bool
}{
	{Kind: GameFinished, title: "The game is over"},
	{Kind: YourTurn, title: "Your turn", waits: true},
	{Kind: DecisionAsked, title: "A decision for you", waits: true},
	{Kind: DealOffered, title: "A deal for you", waits: true},
	{Kind: GameStarted, title: "The game begins"},
	{Kind: Invited, title: "A seat for you"},
	{Kind: TakenOver, title: "Your casino was taken over"},
	{Kind: DealMade, title: "Your deal is done"},
	{Kind: DealOff, title: "Your deal is off"},
	{Kind: Settled, title: "You are not waited for any more", service: true},
	{Kind: Test, title: "This is a test", service: true},
	{Kind: Confirm, title: "Is this you?", service: true},
}

// rowOf is the place of a kind among all, behind them all for one that this build does not know.
func rowOf(kind Kind) int {
	for i := range kinds {
		if kinds[i].Kind == kind {
			return i
		}
	}
	return len(kinds)
}

func titleOf(kind Kind) string {
	if row := rowOf(kind); row < len(kinds) {
		return kinds[row].title
	}
	return "News"
}

func isService(kind Kind) bool {
	row := rowOf(kind)
	return row < len(kinds) && kinds[row].service
}

func isDecision(kind Kind) bool {
	row := rowOf(kind)
	return row < len(kinds) && kinds[row].waits
}

// pressing sorts kinds, each once.
func pressing(list []Kind) []Kind {
	slices.SortFunc(list, func(a, b Kind) int { return cmp.Compare(rowOf(a), rowOf(b)) })
	return slices.Compact(list)
}

// kindOf is what a decision that waits for a player is to him.
func kindOf(prompt engine.Prompt) Kind {
	switch {
	case prompt.Kind == engine.TurnPrompt:
		return YourTurn
	case prompt.Optional:
		return DealOffered
	}
	return DecisionAsked
}

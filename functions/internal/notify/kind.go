package notify

// Kind is a kind of news.
type Kind string

// The kinds of news, the most pressing first.
const (
	// YourTurn says that the game waits for the player to make his turn.
	YourTurn Kind = "your_turn"
	// DecisionAsked says that the game waits for the player's answer in another's turn.
	DecisionAsked Kind = "decision_asked"
	// DealOffered says that a deal awaits the player's word.
	DealOffered Kind = "deal_offered"
	// DealAccepted says that a deal of the player's has come about.
	DealAccepted Kind = "deal_accepted"
	// DealLapsed says that a deal of the player's is off the table.
	DealLapsed Kind = "deal_lapsed"
	// TakenOver says that something of the player's has come under another's control.
	TakenOver Kind = "taken_over"
	// GameStarted and GameFinished speak of the whole game.
	GameStarted  Kind = "game_started"
	GameFinished Kind = "game_finished"
	// Invited says that somebody keeps a seat free for the player.
	Invited Kind = "invited"
	// Settled says that the player is no longer waited for. It corrects what was told before, and shows nothing.
	Settled Kind = "settled"
	// Test was asked for by the player, and Confirm asks whether an address is his.
	Test    Kind = "test"
	Confirm Kind = "confirm"
)

package engine

// PromptID numbers the prompts of one game from 1. It is never used twice.
type PromptID uint32

// Prompt is a decision that the game waits for from one seat, whoever's turn it is. While any prompt is open the turn
// waits.
type Prompt struct {
	ID   PromptID
	Seat Seat
	// Kind says what is asked, such as "lay-off".
	Kind string
	// Default is the action taken for a seat that does not answer. It is one of the prompt's choices.
	Default Action
}

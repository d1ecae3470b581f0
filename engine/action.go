package engine

// Action is one thing a seat can do, such as building on a lot. Each game declares a struct per action.
//
// An action's exported fields are its arguments: `json` tags name them for clients, `cbor:",toarray"` keeps them small in
// the journal. Values that no client could have been offered are not a decoder's business: Rules.Check refuses them.
type Action interface {
	// Kind is the action's name, such as "build": the same in the API, the journal's listing and the page.
	Kind() string
}

// ActionType is a row of a game's table of actions.
type ActionType struct {
	// Kind is the name that New's actions answer to.
	Kind string
	// Answers is the kind of prompt that the action answers, or "".
	Answers string
	// Anytime tells that any seat may do it whenever the game is played, whoever's turn it is. An action that is neither
	// Anytime nor an answer is one of one's own turn.
	Anytime bool
	// Reveals tells that the action shows what was hidden, such as the top card of a deck, so that it cannot be undone.
	Reveals bool
	// Final tells that the action commits whoever does it, such as the end of a turn, so that it cannot be undone.
	Final bool
	// New makes an empty action (a pointer to its struct) for a decoder to fill.
	New func() Action
}

// Fillable is an action with arguments that a [Param] leaves to the seat.
type Fillable interface {
	Action
	// Fill returns a copy of the action with the named argument set. A range takes one value; an arrangement takes one
	// value for each of its slots.
	Fill(param string, values []int) Action
}

// Answer is an action that answers one of several prompts that can be open for a seat at a time, and so must know which.
type Answer interface {
	Action
	// Answering returns a copy of the action that knows its prompt. Clients and the journal have it in the [Move].
	Answering(prompt PromptID) Action
}

// Move is an action in its place: who does it, and which open prompt it answers.
type Move struct {
	Seat   Seat
	Action Action
	// Prompt is the prompt answered, or 0 for an action that answers none.
	Prompt PromptID
}

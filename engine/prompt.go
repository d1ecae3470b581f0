package engine

// PromptID names a prompt of one game. It is never used twice: it says which version opened the prompt, and for whom.
type PromptID uint32

const (
	promptSeatBits = 4
	promptSeatMask = 1<<promptSeatBits - 1
)

// NewPromptID is the id of the prompt that the move making the given version opens for a seat. A move opens one prompt
// for a seat at the most.
func NewPromptID(version uint64, seat Seat) PromptID {
	return PromptID(version<<promptSeatBits | uint64(seat))
}

// Version is the version that opened the prompt.
func (id PromptID) Version() uint64 { return uint64(id) >> promptSeatBits }

// Seat is the seat that the prompt asks.
func (id PromptID) Seat() Seat { return Seat(id & promptSeatMask) }

// Prompt is a decision that is asked of one seat, whoever's turn it is. While any prompt is open that is not optional, the
// game waits for its seat and the turn waits.
type Prompt struct {
	ID   PromptID
	Seat Seat
	// Optional tells that the game goes on without an answer, as it does while a deal lies on the table.
	Optional bool
	// Decided tells that the seat has given its answer to an optional prompt, and may still take it back.
	Decided bool
	// Kind says what is asked, such as "lay-off".
	Kind string
	// Default is the action taken for a seat that does not answer. It is one of the prompt's choices. An optional prompt
	// has none.
	Default Action
}

// TurnPrompt is the kind of what is asked of the seat whose turn it is, which no prompt is open for.
const TurnPrompt = "turn"

package engine

// Info describes a game to hosts and players.
type Info struct {
	// ID is the game's name in the catalogue, such as "lords-of-vegas".
	ID string
	// Name is what people call it.
	Name string
	// Version is raised by every change that makes an old journal replay differently.
	Version int
	// MinSeats and MaxSeats bound the number of players.
	MinSeats, MaxSeats int
	// Options are what a game can be varied by, fixed when it is created.
	Options []Option
	// Board says where the board's numbers come from: "printed" for the published board, "house" for ours.
	Board string
}

// Option is one way to vary a game.
type Option struct {
	Name string
	// Values are those it can have. The first is the one taken when nothing is said.
	Values []string
}

// Options are the values of a game's options by name.
type Options map[string]string

// Setup is what a game starts from.
type Setup struct {
	// Seats is the number of players, already within the game's bounds.
	Seats int `json:"seats"`
	// Options has a value for each of the game's options.
	Options Options `json:"options"`
}

// Rules are the rules of one game over its state S and its actions A. They are pure: whatever they do depends on their
// arguments alone.
type Rules[S any, A Action] interface {
	// Info describes the game. It never changes.
	Info() Info
	// Actions is the table of the game's actions. The journal names an action by its place in it, so rows are only added
	// at the end.
	Actions() []ActionType

	// Setup makes the state before the first turn.
	Setup(setup Setup, dice *Dice, log *Log) *S
	// Validate reports what makes a decoded state impossible to play on, so that no other method need expect it.
	Validate(s *S) error

	// Turn is the seat whose turn it is, or NoSeat when the game is over.
	Turn(s *S) Seat
	// Prompts are the open prompts, the oldest first.
	Prompts(s *S) []Prompt
	// Choices lists all that the seat may do: never nothing. It is asked only for seats that the game waits for, and
	// while a prompt is open lists only answers to the seat's own.
	Choices(s *S, seat Seat) []Choice
	// Offers lists what the seat may do without being asked: answers to its optional prompts, and what may be done at any
	// time. It is asked for every seat until the game is over.
	Offers(s *S, seat Seat) []Choice
	// Check says why an action is refused, or nil. It accepts exactly what Choices and Offers list. It is asked about an
	// answer only while such a prompt is open for the seat, about what may be done at any time until the game is over, and
	// about any other action only in the seat's turn with no prompt open that the game waits for.
	Check(s *S, seat Seat, action A) *Refusal
	// Apply makes a move that Check accepts. It cannot fail.
	Apply(s *S, seat Seat, action A, dice *Dice, log *Log)

	// View is what a seat (or NoSeat, a spectator) may know of the table: a struct with `json` tags, built from what may
	// be known and never by deleting from the state.
	View(s *S, seat Seat) any
	// Outcome is the result of a finished game, nil before.
	Outcome(s *S) *Outcome

	// Orders is the table of standing orders that a seat may leave. Rows are only added at the end.
	Orders() []OrderType
	// Obey is what an order answers to a prompt, or in the seat's turn to a prompt of the kind TurnPrompt; nil where the
	// order does not speak of it. The answer is one that Check accepts.
	Obey(s *S, prompt Prompt, order Order) Action
}

package engine

// Event is something that happened in a move, as data that a client can translate.
type Event struct {
	// Code is stable and in snake_case, such as "lots_paid".
	Code string
	// Rule is the section of the rule book behind it, where a reader may ask why.
	Rule string
	// To says who may know of it. What only some may know and what all may know of the same happening are two events.
	To Audience
	// Args are the particulars: a struct with `json` tags.
	Args any
	// News says whom it concerns so much that he wants to hear of it away from the table. The zero News concerns nobody so.
	News News
}

// News is what an event means to those whom it concerns, whatever the game. What the game asks of somebody is told anyway.
type News struct {
	Kind NewsKind
	// To are the seats concerned. Each of them may know of the event.
	To Audience
}

// NewsKind is a kind of news.
type NewsKind string

// The kinds of news that events make.
const (
	// DealMade says that a deal of the seat's has come about.
	DealMade NewsKind = "deal_made"
	// DealOff says that a deal of the seat's is off the table.
	DealOff NewsKind = "deal_off"
	// TakenOver says that what was in the seat's hands is in another's.
	TakenOver NewsKind = "taken_over"
)

// Log collects the events of one move in the order in which they happened.
type Log struct{ events []Event }

// Add appends an event that everybody may know of.
func (l *Log) Add(code, rule string, args any) {
	l.events = append(l.events, Event{Code: code, Rule: rule, Args: args})
}

// AddTo appends an event that only some seats may know of.
func (l *Log) AddTo(to Audience, code, rule string, args any) {
	l.events = append(l.events, Event{Code: code, Rule: rule, To: to, Args: args})
}

// AddNews appends an event that everybody may know of, and that is news to some.
func (l *Log) AddNews(news News, code, rule string, args any) {
	l.events = append(l.events, Event{Code: code, Rule: rule, Args: args, News: news})
}

// Visible returns the events that seat may know of.
func Visible(events []Event, seat Seat) []Event {
	seen := make([]Event, 0, len(events))
	for _, e := range events {
		if e.To.Includes(seat) {
			seen = append(seen, e)
		}
	}
	return seen
}

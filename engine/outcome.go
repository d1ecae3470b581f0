package engine

// Outcome is how a finished game ended.
type Outcome struct {
	// Reason is a stable code, such as "end_of_game_card".
	Reason string `json:"reason"`
	// Ranking lists every seat, the best first.
	Ranking []Standing `json:"ranking"`
}

// Standing is one seat's place in the ranking.
type Standing struct {
	Seat Seat `json:"seat"`
	// Rank counts from 1. Seats that share a place share its number; 0 marks a seat of a game that everybody lost.
	Rank int `json:"rank"`
	// Scores are what the ranking was decided by, the first first.
	Scores []Score `json:"scores"`
}

// Score is one count of a standing, such as 34 points.
type Score struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
}

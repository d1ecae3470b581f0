package lords

import (
	"cmp"
	"slices"

	"boulevard/engine"
)

// The reasons for which a game ends (Winning).
const (
	EndOfGameCard = "end_of_game_card"
	NinetyPoints  = "ninety_points"
)

// GameOver is the event of the end.
type GameOver struct {
	Reason string `json:"reason"`
}

// finish leaves the cards as they lie: the last one drawn tells why the game ended.
func (s *State) finish(log *engine.Log) {
	s.Phase = Over
	log.Add("game_over", ruleWinning, &GameOver{s.reason()})
}

// reason is the card even if somebody reached 90 points by it: the game would have ended all the same.
func (s *State) reason() string {
	if s.Card == s.board.end {
		return EndOfGameCard
	}
	return NinetyPoints
}

// outcome ranks by points, then by money; seats equal in both share their place (Rulings 12).
func (s *State) outcome() *engine.Outcome {
	if s.Phase != Over {
		return nil
	}
	ranking := make([]engine.Standing, 0, len(s.Players))
	for seat, p := range s.Players {
		scores := []engine.Score{{Name: "points", Value: p.Points}, {Name: "money", Value: p.Money}}
		ranking = append(ranking, engine.Standing{Seat: engine.Seat(seat), Scores: scores})
	}
	slices.SortStableFunc(ranking, compareStandings)
	for i := range ranking {
		ranking[i].Rank = i + 1
		if i > 0 && compareStandings(ranking[i-1], ranking[i]) == 0 {
			ranking[i].Rank = ranking[i-1].Rank
		}
	}
	return &engine.Outcome{Reason: s.reason(), Ranking: ranking}
}

// compareStandings orders the better first, and finds equal what shares a place.
func compareStandings(a, b engine.Standing) int {
	return cmp.Or(cmp.Compare(b.Scores[0].Value, a.Scores[0].Value), cmp.Compare(b.Scores[1].Value, a.Scores[1].Value))
}

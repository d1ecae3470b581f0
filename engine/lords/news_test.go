package lords

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
)

// newsOf are the kinds of news that events are to a seat.
func newsOf(events []engine.Event, seat engine.Seat) []engine.NewsKind {
	var kinds []engine.NewsKind
	for _, e := range events {
		if e.News.Kind != "" && e.News.To.Includes(seat) {
			kinds = append(kinds, e.News.Kind)
		}
	}
	return kinds
}

func TestNews_LostCasino_IsToldToItsBossAlone(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 3 x1\nA2 gold blue 2 x1")
	events := p.do(red, &Reorganize{Casino: "A1"}, 1, 2)
	require.Equal(t, []engine.NewsKind{engine.TakenOver}, newsOf(events, red))
	require.Empty(t, newsOf(events, blue))
	require.Empty(t, newsOf(events, engine.NoSeat), "a spectator has lost nothing")
}

func TestNews_CasinoThatGrows_IsNoNews(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 gold red 3 x1\nA2 gold blue 2 x1")
	require.Empty(t, newsOf(p.do(red, &Raise{Casino: "A1"}), red))
}

func TestNews_DealMadeOrOff_IsToldToItsParties(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer engine.Action
		news   engine.NewsKind
	}{
		"accepted":  {&Accept{}, engine.DealMade},
		"withdrawn": {&Withdraw{}, engine.DealOff},
		"countered": {&Counter{Steps: Steps{Pay(red, blue, 6)}}, engine.DealOff},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := sketch(t, yellow, "A1 red\nA2 blue")
			p.propose(red, 10, Pay(red, blue, 5))
			events, refusal := p.act(blue, 10, c.answer)
			require.Nil(t, refusal)
			require.Equal(t, []engine.NewsKind{c.news}, newsOf(events, red))
			require.Equal(t, []engine.NewsKind{c.news}, newsOf(events, blue))
			require.Empty(t, newsOf(events, green))
		})
	}
}

func TestNews_DealThatLapses_IsToldToItsParties(t *testing.T) {
	t.Parallel()
	p := sketch(t, red, "A1 red\nA2 blue")
	p.propose(red, 10, Pay(red, blue, 5))
	events := p.do(red, new(End))
	require.Equal(t, []engine.NewsKind{engine.DealOff}, newsOf(events, red))
	require.Equal(t, []engine.NewsKind{engine.DealOff}, newsOf(events, blue))
}

package lords

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/enginetest"
)

func TestView_TellsWhatClientsNeed(t *testing.T) {
	t.Parallel()
	p := sketch(t, yellow, redCasino+"A3 brown blue 5\nB1 yellow")
	p.Players[red].Points = 8
	v := p.match().View(yellow).(*View)

	assert.Equal(t, yellow, v.You)
	assert.Equal(t, "play", v.Phase)
	assert.Equal(t, PlayerView{Color: "red", Glyph: "▲", Money: 50, Points: 8, Next: 10, Dice: 9, Markers: 10}, v.Players[red])
	assert.Equal(t, CasinoView{
		Lots: []LotID{"A1", "A2", "A5"}, Color: "gold", Height: 1, Size: 3, Boss: red, Money: []int{0, 0, 9, 0}, Points: 3,
		Reorganize: 9, Remodel: 15, Bet: 15,
	}, v.Casinos[0])
	gold := v.Companies[Gold-1]
	assert.Equal(t, "Sphinx", gold.Name)
	assert.Equal(t, 6, gold.Tiles)
	assert.Equal(t, 9, gold.Cards+v.cardsOut(Gold))
	assert.Equal(t, []int{0, 0, 2, 0}, gold.Points, "3 points from the 8-space reach the 10-space")
	assert.Equal(t, []int{5, 0, 0, 0}, v.Strip.Money)
	assert.Equal(t, 4, v.Strip.Cards, "the End of Game card is counted with The Strip")
	assert.True(t, v.Lots[6].Drawn, "B1 is marked")
	assert.False(t, v.Lots[0].Drawn, "A1 may still be taken over")
	assert.Equal(t, len(p.Deck), v.Deck)
	assert.Nil(t, v.Card)
}

func (v *View) cardsOut(color Color) int {
	out := 0
	for _, card := range v.Discards {
		if card.Color == color.String() {
			out++
		}
	}
	return out
}

// Demand P1: colour is never the only carrier.
func TestView_EverythingColoredHasANameAndAGlyph(t *testing.T) {
	t.Parallel()
	s, _ := setUp(t, 6, 1)
	v := s.view(engine.NoSeat)
	glyphs := map[string]bool{}
	for _, p := range v.Players {
		assert.NotEmpty(t, p.Color)
		glyphs[p.Glyph] = true
	}
	for _, c := range v.Companies {
		assert.NotEmpty(t, c.Name)
		glyphs[c.Glyph] = true
	}
	for _, f := range v.Faces {
		assert.NotEmpty(t, f.Name)
		glyphs[f.Glyph] = true
	}
	assert.Len(t, glyphs, 6+5+6)
}

// Demand S2: where the End of Game card lies shows nowhere.
func TestView_TheEndIsNotShown(t *testing.T) {
	t.Parallel()
	early, late := sketch(t, red, redCasino), sketch(t, red, redCasino)
	early.endNext(10)
	late.endNext(30)
	assert.Equal(t, enginetest.JSON(t, early.view(red)), enginetest.JSON(t, late.view(red)))
}

func TestColor_JSON(t *testing.T) {
	t.Parallel()
	for text, code := range map[string]string{
		`{"lot":"A2","color":"mauve"}`: "unknown_color",
		`{"lot":"A2","color":"strip"}`: "unknown_color",
		`{"lot":"A2","color":3}`:       engine.BadArgument,
		`{"lot":["A2"]}`:               engine.BadArgument,
		`{"lot":"A2","colour":"gold"}`: engine.BadArgument,
	} {
		_, refusal := Game().ParseAction("build", []byte(text))
		require.NotNil(t, refusal, text)
		assert.Equal(t, code, refusal.Code, text)
	}
	action, refusal := Game().ParseAction("build", []byte(`{"lot":"A2","color":"gold"}`))
	require.Nil(t, refusal)
	assert.Equal(t, &Build{Lot: "A2", Color: Gold}, action)
	text, err := json.Marshal(action)
	require.NoError(t, err)
	assert.JSONEq(t, `{"lot":"A2","color":"gold"}`, string(text))
}

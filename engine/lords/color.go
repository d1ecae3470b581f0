package lords

// Color is the colour of casino tiles, each a company's, or what a property card pays.
type Color uint8

// The five companies' colours. Plain is the absence of a tile; Strip is the colour of the cards that pay The Strip.
const (
	Plain Color = iota
	Aqua
	Brown
	Gold
	Purple
	Silver
	Strip
)

// lastCompany is the greatest Color that tiles come in.
const lastCompany = Silver

// companies names each colour three ways, so that colour is never the only carrier.
var companies = [...]struct{ color, name, glyph string }{
	Plain:  {},
	Aqua:   {"aqua", "Vega", "✶"},
	Brown:  {"brown", "Pioneer", "⚒"},
	Gold:   {"gold", "Sphinx", "☥"},
	Purple: {"purple", "Albion", "♜"},
	Silver: {"silver", "Tivoli", "☾"},
	Strip:  {"strip", "The Strip", "⇅"},
}

// players are the colours that the seats play, with a glyph each (Rulings 17 for the fifth and sixth).
var players = [...]struct{ color, glyph string }{
	{"blue", "●"}, {"green", "■"}, {"red", "▲"}, {"yellow", "◆"}, {"black", "★"}, {"purple", "✚"},
}

// faces are the names and glyphs of the six sides of a die.
var faces = [...]Face{
	{1, "one", "⚀"}, {2, "two", "⚁"}, {3, "three", "⚂"}, {4, "four", "⚃"}, {5, "five", "⚄"}, {6, "six", "⚅"},
}

// company reports whether tiles come in this colour.
func (c Color) company() bool { return c >= Aqua && c <= lastCompany }

// String is the colour's name, "" for none or an unknown one.
func (c Color) String() string {
	if int(c) >= len(companies) {
		return ""
	}
	return companies[c].color
}

// MarshalText writes the colour's name for clients.
func (c Color) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a company's colour, or refuses the name.
func (c *Color) UnmarshalText(text []byte) error {
	color := colorNamed(string(text))
	if !color.company() {
		refused := refuse(unknownColor, ruleTiles)
		return refused.data()
	}
	*c = color
	return nil
}

func colorNamed(name string) Color {
	for color := Aqua; color <= Strip; color++ {
		if companies[color].color == name {
			return color
		}
	}
	return Plain
}

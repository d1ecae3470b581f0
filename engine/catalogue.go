package engine

// Catalogue is the list of the games that can be played.
type Catalogue []Game

// Find is the game of that id and rules version.
func (c Catalogue) Find(id string, version int) (Game, bool) {
	for _, g := range c {
		if info := g.Info(); info.ID == id && info.Version == version {
			return g, true
		}
	}
	return nil, false
}

// Latest is the newest version of the game of that id, which new matches are made of.
func (c Catalogue) Latest(id string) (Game, bool) {
	var latest Game
	for _, g := range c {
		if info := g.Info(); info.ID == id && (latest == nil || info.Version > latest.Info().Version) {
			latest = g
		}
	}
	return latest, latest != nil
}

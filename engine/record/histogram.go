package record

// faces is how many a die has.
const faces = 6

// Histogram counts the values of all chances with six outcomes in a game, those of actions taken back included. These are its
// dice and, where it shuffles, one step of each shuffle, which a document does not tell from dice and which is as fair.
// Replay counts the dice alone.
func Histogram(g Game) [faces]int {
	var counts [faces]int
	for _, entry := range g.Entries {
		for _, roll := range entry.Rolls {
			if roll[0] == faces && roll[1] >= 0 && roll[1] < faces {
				counts[roll[1]]++
			}
		}
	}
	return counts
}

// ChiSquare is how far counts are from equal ones: the sum of the squared differences, each over the expected count. Fair
// dice, with their five degrees of freedom, come over [ChiSquareLimit] once in a thousand games.
func ChiSquare(counts [faces]int) float64 {
	total := 0
	for _, count := range counts {
		total += count
	}
	if total == 0 {
		return 0
	}
	expected, sum := float64(total)/faces, 0.0
	for _, count := range counts {
		sum += (float64(count) - expected) * (float64(count) - expected) / expected
	}
	return sum
}

// ChiSquareLimit is the value that ChiSquare passes once in a thousand times.
const ChiSquareLimit = 20.52

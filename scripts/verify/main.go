// Command verify checks the dice of an exported game, without a network and without the game's rules: that the secret is
// the one that the host was bound to, and that every roll follows from it. verify.mjs does the same in another language.
package main

import (
	"fmt"
	"io"
	"math"
	"os"

	"github.com/alecthomas/kong"

	"boulevard/engine/record"
)

// cli is the command line: its tags are the usage text.
type cli struct {
	File string `arg:"" help:"The exported game." type:"existingfile"`
}

func main() {
	var c cli
	command := kong.Parse(&c, kong.Name("verify"), kong.Description("Check the dice of an exported game."))
	command.FatalIfErrorf(verify(os.Stdout, c.File))
}

func verify(out io.Writer, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	game, err := record.Parse(data)
	if err != nil {
		return err
	}
	if err := record.Verify(game); err != nil {
		return err
	}
	return report(out, game)
}

func report(out io.Writer, game record.Game) error {
	rolls := 0
	for _, entry := range game.Entries {
		rolls += len(entry.Rolls)
	}
	faces := record.Histogram(game)
	// Rounded before it is printed, half up, so that every language prints the same.
	square := math.Floor(record.ChiSquare(faces)*100+0.5) / 100
	_, err := fmt.Fprintf(out, `game        %s, %s, rules version %d
commitment  %s is the hash of the secret
rolls       %d in %d entries, each as the secret gives it
faces       %d ones, %d twos, %d threes, %d fours, %d fives, %d sixes
chi-square  %.2f (fair dice come over %.2f once in a thousand games)
`, game.ID, game.Game, game.Rules, game.Commitment, rolls, len(game.Entries),
		faces[0], faces[1], faces[2], faces[3], faces[4], faces[5], square, record.ChiSquareLimit)
	return err
}

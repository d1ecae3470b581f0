// Command replay plays an exported game again from nothing, by the rules of this build, and compares every roll and the
// last state.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"

	"boulevard/engine/catalogue"
	"boulevard/engine/record"
)

// cli is the command line: its tags are the usage text.
type cli struct {
	File string `arg:"" help:"The exported game." type:"existingfile"`
}

func main() {
	var c cli
	command := kong.Parse(&c, kong.Name("replay"), kong.Description("Play an exported game again and compare."))
	command.FatalIfErrorf(replay(os.Stdout, c.File))
}

func replay(out io.Writer, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	game, err := record.Parse(data)
	if err != nil {
		return err
	}
	result, err := record.Replay(catalogue.All(), game)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, report(game, result))
	return err
}

func report(game record.Game, result record.Result) string {
	players := make([]string, len(game.Players))
	for seat, p := range game.Players {
		players[seat] = printable(p.Name)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "game      %s, %s, rules version %d\n", game.ID, result.Info.Name, game.Rules)
	fmt.Fprintf(&text, "players   %s\n", strings.Join(players, ", "))
	fmt.Fprintf(&text, "replayed  %d entries: %d actions, %d taken back, %d rolls\n",
		len(game.Entries), result.Plays, result.Undos, result.Rolls)
	fmt.Fprintf(&text, "state     equal to the byte (%d bytes)\n", len(result.State))
	if result.Outcome == nil {
		return text.String()
	}
	fmt.Fprintf(&text, "over      %s\n", strings.ReplaceAll(result.Outcome.Reason, "_", " "))
	for _, s := range result.Outcome.Ranking {
		fmt.Fprintf(&text, "%9d. %s", s.Rank, players[s.Seat])
		for _, score := range s.Scores {
			fmt.Fprintf(&text, ", %d %s", score.Value, strings.ReplaceAll(score.Name, "_", " "))
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// printable is a player's name without what would move the cursor or change the colours of whoever prints it.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, name)
}

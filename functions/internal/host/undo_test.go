package host_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/engine"
	"boulevard/engine/enginetest"
	"boulevard/engine/record"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

// seen is what was seen of a version while it was the newest.
type seen struct {
	state []byte
	asked []int8
	// prompts are the seats that have an open prompt which this version opened.
	prompted []engine.Seat
	// reasons are by seat.
	reasons []string
}

func look(game *host.Game) seen {
	s := seen{state: game.State, asked: game.Asked}
	for _, p := range game.Prompts() {
		if p.ID.Version() == game.Version {
			s.prompted = append(s.prompted, p.Seat)
		}
	}
	for seat := range game.Players {
		s.reasons = append(s.reasons, game.UndoReason(engine.Seat(seat)))
	}
	return s
}

// U1 and U3: undo is offered exactly by the definition, worked out here once more from what the finished game tells: who
// acted, which chances were taken, who was asked. U2: what comes back is the old state to the byte.
func TestU1_UndoIsOffered_ExactlyByTheDefinition(t *testing.T) {
	t.Parallel()
	for n := range uint64(12) {
		h := newHost(t)
		game, players := h.started(t, 2+int(n)%3)
		random := enginetest.Random(n)
		was := map[uint64]seen{game.Version: look(game)}
		for game.Status == store.Playing {
			if seat := undoable(game); seat != engine.NoSeat && random.IntN(2) == 0 {
				game = h.act(t, host.Command{
					Game: game.ID, Player: players[seat], Key: key(game), Deed: store.Undo, Version: game.Version,
				})
			} else if random.IntN(6) > 0 {
				game = h.playOn(t, game, players, random)
			} else {
				game = h.offer(t, game, players, random)
			}
			was[game.Version] = look(game)
		}
		doc, err := h.Export(t.Context(), game.ID, "")
		require.NoError(t, err)
		requireUndoByDefinition(t, doc, was)
	}
}

func key(game *host.Game) string { return strconv.FormatUint(game.Version, 10) }

// offer makes a random answer to an open deal, or else proposes one.
func (h hosting) offer(tb testing.TB, game *host.Game, players []store.Player, random *rand.Rand) *host.Game {
	tb.Helper()
	cmd := host.Command{Game: game.ID, Key: "offer " + key(game), Deed: store.Play}
	for seat, player := range players {
		for _, choice := range game.Offers(engine.Seat(seat)) {
			if choice.Prompt == 0 || len(choice.Fill) > 0 || random.IntN(2) == 0 || len(game.Prompts()) > len(players) {
				continue
			}
			cmd.Player, cmd.Prompt, cmd.Play = player, choice.Prompt, host.Play{Kind: choice.Action.Kind()}
			if answer, err := h.Act(tb.Context(), cmd); err == nil {
				return answer.Game
			}
		}
	}
	seat := random.IntN(len(players))
	steps := fmt.Sprintf(`{"steps":[{"from":%d,"to":%d,"money":1}]}`, seat, (seat+1)%len(players))
	cmd.Player, cmd.Prompt, cmd.Version = players[seat], 0, game.Version
	cmd.Play = host.Play{Kind: "propose", Args: []byte(steps)}
	answer, err := h.Act(tb.Context(), cmd)
	if err != nil { // he has no money, or a deal on the table
		return game
	}
	return answer.Game
}

func undoable(game *host.Game) engine.Seat {
	for seat := range game.Players {
		if game.UndoReason(engine.Seat(seat)) == "" {
			return engine.Seat(seat)
		}
	}
	return engine.NoSeat
}

// back is a version that could be brought back, and by whom.
type back struct {
	seat    int
	version uint64
}

// requireUndoByDefinition walks through the journal with a pile of what could be taken back.
func requireUndoByDefinition(t *testing.T, doc record.Game, was map[uint64]seen) {
	t.Helper()
	var pile []back
	undone, kinds := 0, map[string]int{}
	for _, entry := range doc.Entries {
		now, watched := was[entry.Version]
		kinds[entry.Kind]++
		switch {
		case !watched || entry.Starts:
			continue
		case entry.Kind == "undo":
			require.Equal(t, pile[len(pile)-1].version, entry.Back)
			require.Equal(t, was[entry.Back].state, now.state, "version %d", entry.Version)
			pile = pile[:len(pile)-1]
			undone++
		case free(entry, now):
			if len(pile) > 0 && pile[0].seat != *entry.Seat {
				pile = nil
			}
			pile = append(pile, back{seat: *entry.Seat, version: entry.Version - 1})
		default:
			pile = nil
		}
		for seat, reason := range now.reasons {
			allowed := len(pile) > 0 && pile[len(pile)-1].seat == seat && doc.Version != entry.Version
			require.Equal(t, allowed, reason == "", "version %d, seat %d: %s", entry.Version, seat, reason)
		}
	}
	require.NotZero(t, undone)
	require.NotZero(t, kinds["propose"])
}

// committing are the kinds of action that show what was hidden, or cannot be taken back by their meaning.
var committing = map[string]bool{"draw": true, "end": true, "accept": true, "withdraw": true}

func free(entry record.Entry, after seen) bool {
	others := false
	for _, seat := range after.asked {
		others = others || int(seat) != *entry.Seat
	}
	for _, seat := range after.prompted {
		others = others || int(seat) != *entry.Seat
	}
	return len(entry.Rolls) == 0 && !committing[entry.Kind] && !others
}

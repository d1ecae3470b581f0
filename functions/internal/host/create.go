package host

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"maps"
	"strings"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// NewGame is a game to be created.
type NewGame struct {
	// Game is the catalogue's id.
	Game  string
	Seats int
	// Options may leave out what stays as it is.
	Options engine.Options
	// Entropy is what the player adds to the seed of the dice; it may be empty.
	Entropy []byte
}

// Create makes a game, in which the player takes the first seat. The same player's same key makes one game.
func (h *Host) Create(ctx context.Context, player store.Player, key string, n NewGame) (Answer, error) {
	answer, err := h.create(ctx, player, key, n)
	h.report(ctx, gameID(player.ID, key), store.Create, answer, err)
	return answer, err
}

func (h *Host) create(ctx context.Context, player store.Player, key string, n NewGame) (Answer, error) {
	rules, found := h.catalogue.Latest(n.Game)
	if !found {
		return Answer{}, &Error{Code: GameUnknown, Message: "the catalogue has no such game"}
	}
	setup, refusal := rules.Resolve(n.Seats, n.Options)
	if refusal != nil {
		return Answer{}, refused(refusal)
	}
	info := rules.Info()
	blank, err := h.open(store.Head{
		ID: gameID(player.ID, key), Game: info.ID, Rules: info.Version, Options: setup.Options, Status: store.Open,
		Seats: n.Seats, Created: h.now().UnixMilli(), SecretKey: h.keys.inUse(),
	})
	if err != nil {
		return Answer{}, err
	}
	player.Entropy = n.Entropy
	answer, err := blank.found(player, key)
	if err != nil {
		return Answer{}, err
	}
	err = h.store.Create(ctx, answer.Game.Head)
	if moved, is := errors.AsType[*store.Moved](err); is {
		return h.created(ctx, moved.Head, answer.Game.Head)
	}
	return answer, FromStore(err)
}

// found makes the first entry of a game.
func (g *Game) found(player store.Player, key string) (Answer, error) {
	entry := store.Entry{Deed: store.Create, Key: keyHash(player.ID, key), Player: &player}
	done, err := g.carry(entry)
	return Answer{Game: g, Events: done.events}, err
}

// created answers for a game that the same key made before.
func (h *Host) created(ctx context.Context, is, wanted store.Head) (Answer, error) {
	if is.Game != wanted.Game || is.Seats != wanted.Seats || !maps.Equal(is.Options, wanted.Options) {
		return Answer{}, &Error{Code: KeyReused, Message: "this idempotency key made another game"}
	}
	answer, err := h.answered(ctx, is, 1)
	return answer, FromStore(err)
}

var idEncoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// idLength is that of 16 bytes in idEncoding.
const idLength = 26

// isGameID reports whether an id can be one that gameID makes. Others name no game, and the table is not asked.
func isGameID(id string) bool {
	return len(id) == idLength && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// gameID follows from who asked and the key, so that asking again cannot make a second game.
func gameID(player, key string) string {
	sum := sha256.Sum256([]byte("game\x00" + player + "\x00" + key))
	return strings.ToLower(idEncoding.EncodeToString(sum[:16]))
}

package host

import (
	"context"
	"time"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// Store is what hosting needs of the table. Its errors are those of package store.
type Store interface {
	// Head reads a game, strongly consistent.
	Head(ctx context.Context, id string) (store.Head, error)
	// Create writes a new game, or fails with *store.Moved when there is one of that id.
	Create(ctx context.Context, head store.Head) error
	// Commit writes after in place of before with the entries between them, or fails with *store.Moved.
	Commit(ctx context.Context, before store.Head, after *store.Head, entries ...store.Entry) error
	// PageWith is the journal page that holds the entry of a version.
	PageWith(ctx context.Context, id string, version uint64) (store.JournalPage, bool, error)
	// PlayerGames lists the ids of a player's games.
	PlayerGames(ctx context.Context, player, after string, limit int) ([]string, string, error)
	// OpenGames lists games with a free seat.
	OpenGames(ctx context.Context, after string, limit int) ([]store.OpenGame, string, error)
}

// SessionStore is what signing in needs of the table.
type SessionStore interface {
	// CreateSession writes a new session.
	CreateSession(ctx context.Context, s store.Session) error
	// RenewSession writes a session over the one counted one lower, or fails with store.ErrSessionMoved.
	RenewSession(ctx context.Context, s store.Session) error
	// Session reads a session, or fails with store.ErrNotFound.
	Session(ctx context.Context, player, id string) (store.Session, error)
	// Sessions lists a player's sessions.
	Sessions(ctx context.Context, player string) ([]store.Session, error)
	// EndSession ends a session.
	EndSession(ctx context.Context, player, id string) error
}

var (
	_ Store        = (*store.Table)(nil)
	_ SessionStore = (*store.Table)(nil)
)

// Host hosts games.
type Host struct {
	store     Store
	sessions  SessionStore
	catalogue engine.Catalogue
	keys      Keyring
	now       func() time.Time
	observe   func(context.Context, Report)
}

// Config is what a Host is made of.
type Config struct {
	Store Store
	// Sessions is where players stay signed in. A host that signs nobody in needs none.
	Sessions  SessionStore
	Catalogue engine.Catalogue
	Keys      Keyring
	// Now is the clock: time.Now outside tests.
	Now func() time.Time
	// Observe is told what became of every command. It may be nil.
	Observe func(context.Context, Report)
}

// New makes a Host.
func New(c Config) *Host {
	return &Host{store: c.Store, sessions: c.Sessions, catalogue: c.Catalogue, keys: c.Keys, now: c.Now, observe: c.Observe}
}

// Catalogue lists the games that can be created.
func (h *Host) Catalogue() []engine.Game {
	games := make([]engine.Game, 0, len(h.catalogue))
	for _, game := range h.catalogue {
		if latest, _ := h.catalogue.Latest(game.Info().ID); latest == game {
			games = append(games, game)
		}
	}
	return games
}

// Game loads a game as it stands.
func (h *Host) Game(ctx context.Context, id string) (*Game, error) {
	head, err := h.head(ctx, id)
	if err != nil {
		return nil, err
	}
	return h.open(head)
}

// Version is the version that a game is at.
func (h *Host) Version(ctx context.Context, id string) (uint64, error) {
	head, err := h.head(ctx, id)
	return head.Version, err
}

func (h *Host) head(ctx context.Context, id string) (store.Head, error) {
	if !isGameID(id) {
		return store.Head{}, FromStore(store.ErrNotFound)
	}
	head, err := h.store.Head(ctx, id)
	return head, FromStore(err)
}

// OpenGames lists games that have a free seat, the oldest first, from behind a cursor. It follows the games by a moment.
func (h *Host) OpenGames(ctx context.Context, cursor string, limit int) ([]store.OpenGame, string, error) {
	games, next, err := h.store.OpenGames(ctx, cursor, limit)
	return games, next, FromStore(err)
}

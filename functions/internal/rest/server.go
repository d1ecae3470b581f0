package rest

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"boulevard/api"
	"boulevard/engine"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/store"
)

// maxBody is the greatest body that is read, in bytes. The greatest that makes sense is far smaller.
const maxBody = 16 << 10

// Config is what the API is made of.
type Config struct {
	Host *host.Host
	Desk *notify.Desk
	Log  *slog.Logger
	// Limits bound what one source may ask for.
	Limits Limits
	// Now is time.Now if nil.
	Now func() time.Time
}

// Handler serves the API.
func Handler(c Config) (http.Handler, error) {
	s := &server{
		host: c.Host, desk: c.Desk, log: c.Log, now: c.Now,
		newcomers: newLimiter(c.Limits.Newcomers), players: newLimiter(c.Limits.Player),
	}
	if s.now == nil {
		s.now = time.Now
	}
	generated, err := api.NewServer(s, s,
		api.WithErrorHandler(s.decodeFailed), api.WithNotFound(notFound), api.WithMethodNotAllowed(methodNotAllowed))
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", generated)
	mux.HandleFunc("GET /openapi.yaml", contract(api.Contract))
	mux.HandleFunc("GET /asyncapi.yaml", contract(api.LiveContract))
	return s.guard(mux), nil
}

type server struct {
	host *host.Host
	desk *notify.Desk
	log  *slog.Logger
	now  func() time.Time
	// newcomers and players are limited by address and by player; nil limits nobody.
	newcomers, players *limiter
}

var (
	_ api.Handler         = (*server)(nil)
	_ api.SecurityHandler = (*server)(nil)
)

// guard bounds bodies, keeps answers out of shared caches, and turns a panic into a problem.
func (s *server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.rescue(w, r)
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		w.Header().Set("Cache-Control", "private, no-cache")
		w.Header().Set("Vary", "Authorization")
		if s.admit(w, r) {
			next.ServeHTTP(w, r)
		}
	})
}

// rescue ends a panic, when it is deferred.
func (s *server) rescue(w http.ResponseWriter, r *http.Request) {
	if cause := recover(); cause != nil {
		s.log.ErrorContext(r.Context(), "panic", "method", r.Method, "path", r.URL.Path, "cause", cause)
		writeProblem(w, newProblem(internal, ""))
	}
}

func contract(text []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/yaml")
		_, _ = w.Write(text)
	}
}

type (
	playerKey  struct{}
	sessionKey struct{}
)

// HandleBearer finds out whom a token belongs to.
func (s *server) HandleBearer(ctx context.Context, _ api.OperationName, t api.Bearer) (context.Context, error) {
	player, session, err := s.host.Player(t.Token)
	if err == nil {
		err = s.admitPlayer(player.ID)
	}
	return context.WithValue(context.WithValue(ctx, playerKey{}, player), sessionKey{}, session), err
}

func caller(ctx context.Context) store.Player {
	player, _ := ctx.Value(playerKey{}).(store.Player)
	return player
}

// CreateGuest makes a guest player.
func (s *server) CreateGuest(ctx context.Context, req *api.NewGuest) (*api.Guest, error) {
	tokens, err := s.host.Guest(ctx, req.Name)
	if err != nil {
		return nil, err
	}
	return encodeTokens(tokens), nil
}

// ListCatalogue lists the games that can be created.
func (s *server) ListCatalogue(context.Context) (*api.Catalogue, error) {
	return encodeCatalogue(s.host.Catalogue()), nil
}

// ListOpenGames lists games with a free seat.
func (s *server) ListOpenGames(ctx context.Context, p api.ListOpenGamesParams) (*api.OpenGames, error) {
	cursor, err := decodeCursor(p.Cursor)
	if err != nil {
		return nil, err
	}
	games, next, err := s.host.OpenGames(ctx, cursor, p.Limit.Or(defaultLimit))
	if err != nil {
		return nil, err
	}
	return encodeOpenGames(games, next), nil
}

// CreateGame creates a game.
func (s *server) CreateGame(ctx context.Context, req *api.NewGame, p api.CreateGameParams) (*api.GameHeaders, error) {
	player := caller(ctx)
	answer, err := s.host.Create(ctx, player, p.IdempotencyKey, host.NewGame{
		Game: req.Game, Seats: req.Seats, Options: engine.Options(req.Options.Value), Entropy: decodeEntropy(req.Entropy),
	})
	if err != nil {
		return nil, err
	}
	return gameAnswer(answer.Game, player)
}

// GetGame shows a game.
func (s *server) GetGame(ctx context.Context, p api.GetGameParams) (api.GetGameRes, error) {
	answer, err := s.seen(ctx, p)
	if err != nil {
		return nil, err
	}
	if tag := etag(answer.Game); matches(p.IfNoneMatch.Value, tag) || p.Since.Value == int64(answer.Game.Version) {
		return &api.GetGameNotModified{ETag: tag}, nil
	}
	done, err := doneAnswer(answer, caller(ctx))
	if err != nil {
		return nil, err
	}
	if p.Since.Set {
		done.Response.Game.Events = done.Response.Events
	}
	return &api.GameHeaders{ETag: done.ETag, Response: done.Response.Game}, nil
}

func (s *server) seen(ctx context.Context, p api.GetGameParams) (host.Answer, error) {
	if p.Since.Set {
		return s.host.Since(ctx, p.Game, uint64(p.Since.Value))
	}
	game, err := s.host.Game(ctx, p.Game)
	return host.Answer{Game: game}, err
}

// GetChoices lists what the caller may do.
func (s *server) GetChoices(ctx context.Context, p api.GetChoicesParams) (*api.ChoicesHeaders, error) {
	game, err := s.host.Game(ctx, p.Game)
	if err != nil {
		return nil, err
	}
	seat := game.SeatOf(caller(ctx).ID)
	choices, err := encodeChoices(game.Choices(seat))
	if err != nil {
		return nil, err
	}
	offers, err := encodeChoices(game.Offers(seat))
	return &api.ChoicesHeaders{
		ETag: etag(game), Response: api.Choices{Version: int64(game.Version), Choices: choices, Offers: offers},
	}, err
}

// JoinGame seats the caller.
func (s *server) JoinGame(ctx context.Context, req api.OptNewSeat, p api.JoinGameParams) (*api.DoneHeaders, error) {
	cmd := host.Command{Game: p.Game, Key: p.IdempotencyKey, Deed: store.Join}
	cmd.Player.Entropy = decodeEntropy(req.Value.Entropy)
	return s.do(ctx, cmd)
}

// LeaveGame gives up the caller's seat.
func (s *server) LeaveGame(ctx context.Context, p api.LeaveGameParams) (*api.DoneHeaders, error) {
	return s.do(ctx, host.Command{Game: p.Game, Key: p.IdempotencyKey, Deed: store.Leave})
}

// StartGame starts a game.
func (s *server) StartGame(ctx context.Context, p api.StartGameParams) (*api.DoneHeaders, error) {
	return s.do(ctx, host.Command{Game: p.Game, Key: p.IdempotencyKey, Deed: store.Start})
}

// Act plays an action.
func (s *server) Act(ctx context.Context, req *api.NewAction, p api.ActParams) (*api.DoneHeaders, error) {
	version, err := decodeVersion(p.IfMatch)
	if err != nil {
		return nil, err
	}
	return s.do(ctx, host.Command{
		Game: p.Game, Key: p.IdempotencyKey, Deed: store.Play, Play: host.Play{Kind: req.Kind, Args: req.Args},
		Version: version, Prompt: engine.PromptID(req.Prompt.Value),
	})
}

func (s *server) do(ctx context.Context, cmd host.Command) (*api.DoneHeaders, error) {
	player := caller(ctx)
	cmd.Player.ID, cmd.Player.Name = player.ID, player.Name
	answer, err := s.host.Act(ctx, cmd)
	if err != nil {
		return nil, err
	}
	return doneAnswer(answer, cmd.Player)
}

// GetJournal lists what was done.
func (s *server) GetJournal(ctx context.Context, p api.GetJournalParams) (*api.Journal, error) {
	cursor, err := decodeCursor(p.Cursor)
	if err != nil {
		return nil, err
	}
	var after uint64
	if cursor != "" {
		if after, err = strconv.ParseUint(cursor, 10, 64); err != nil {
			return nil, badCursor()
		}
	}
	records, more, err := s.host.Journal(ctx, p.Game, after, p.Limit.Or(defaultLimit))
	if err != nil {
		return nil, err
	}
	return encodeJournal(records, more)
}

func etag(game *host.Game) string { return `"` + strconv.FormatUint(game.Version, 10) + `"` }

// matches reports whether an If-None-Match header names the tag. Weak tags compare like strong ones (RFC 9110, 13.1.2).
func matches(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == tag {
			return true
		}
	}
	return false
}

package host

import (
	"context"
	"errors"

	"boulevard/engine"
	"boulevard/functions/internal/store"
)

// Error is a request that was not carried out. Nothing has changed, unless the code is OutcomeUnknown.
type Error struct {
	// Code is stable: one of the codes below.
	Code string
	// Message is for developers.
	Message string
	// Refusal says more where the rules refused.
	Refusal *engine.Refusal
	// Conflict says more where the command spoke of the past.
	Conflict *Conflict
}

// Conflict is what a command that came too late is told.
type Conflict struct {
	// Game is the game as it stands.
	Game *Game
	// StillLegal says whether the action would be accepted there.
	StillLegal bool
}

// Error tells developers. Clients read the fields.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// The codes of errors.
const (
	// GameNotFound says that there is no such game.
	GameNotFound = "game_not_found"
	// GameUnknown says that the catalogue has no such game.
	GameUnknown = "game_unknown"
	// BadName says that a player's name is empty, too long, or has characters that do not print.
	BadName = "bad_name"
	// NotSeated says that the player has no seat in this game.
	NotSeated = "not_seated"
	// NotAsked says that the game does not wait for this seat.
	NotAsked = "not_asked"
	// NotHost says that only the game's host may do this.
	NotHost = "not_host"
	// AlreadySeated says that the player has a seat already.
	AlreadySeated = "already_seated"
	// GameFull says that no seat is free.
	GameFull = "game_full"
	// GameNotOpen says that the game has started, or was cancelled.
	GameNotOpen = "game_not_open"
	// GameNotPlaying says that the game has not started yet, or is over.
	GameNotPlaying = "game_not_playing"
	// PlayerInvalid says that an id is not one that a player can have.
	PlayerInvalid = "player_invalid"
	// AlreadyInvited says that the player is at the table, or has been asked to it.
	AlreadyInvited = "already_invited"
	// TooManyInvited says that the table has asked as many players as it may.
	TooManyInvited = "too_many_invited"
	// TooFewPlayers says that the game cannot be played by so few.
	TooFewPlayers = "too_few_players"
	// VersionMissing says that the action does not tell what it was decided on.
	VersionMissing = "version_missing"
	// VersionAndPrompt says that the action tells two things that it was decided on.
	VersionAndPrompt = "version_and_prompt"
	// VersionConflict says that the game has moved on from the version the action was decided on.
	VersionConflict = "conflict"
	// PromptClosed says that the prompt is not open for this seat, or no longer.
	PromptClosed = "prompt_closed"
	// UndoRefused says that the last action cannot be taken back: the refusal tells why.
	UndoRefused = "undo_refused"
	// VersionNotFound says that the game has not come to this version.
	VersionNotFound = "version_not_found"
	// ReasonMissing says that an operator has given no reason.
	ReasonMissing = "reason_missing"
	// RulesUnknown says that this build has no such version of the rules, or that it is the game's already.
	RulesUnknown = "rules_unknown"
	// KeyReused says that the idempotency key was used for something else.
	KeyReused = "key_reused"
	// Refused says that the rules do not accept it: the refusal tells why.
	Refused = "refused"
	// TokenInvalid says that the token was not made here, or was altered.
	TokenInvalid = "token_invalid"
	// TokenExpired says that the token has run out.
	TokenExpired = "token_expired"
	// TokenRevoked says that the session of a refresh token has ended, by its player or because the token was used twice.
	TokenRevoked = "token_revoked"
	// IssuerNotConfigured says that this host accepts nobody else's tokens.
	IssuerNotConfigured = "issuer_not_configured"
	// Busy says that so many commands raced for the game that this one never came first. It may be sent again.
	Busy = "busy"
	// Unavailable says that the table cannot be asked. The command may be sent again.
	Unavailable = "unavailable"
	// OutcomeUnknown says that the table's answer was lost. The command must be sent again with the same key.
	OutcomeUnknown = "outcome_unknown"
)

func refused(r *engine.Refusal) *Error {
	return &Error{Code: Refused, Message: "the rules do not accept it", Refusal: r}
}

// storeErrors tells the failures of the table apart for whoever sent the command.
var storeErrors = []struct {
	is  error
	err Error
}{
	{store.ErrNotFound, Error{Code: GameNotFound, Message: "there is no such game"}},
	{store.ErrThrottled, Error{Code: Unavailable, Message: "the table is overloaded"}},
	{store.ErrUnavailable, Error{Code: Unavailable, Message: "the table cannot be asked"}},
	{store.ErrOutcomeUnknown, Error{Code: OutcomeUnknown, Message: "the table's answer was lost: send it again with the same key"}},
	{context.DeadlineExceeded, Error{Code: OutcomeUnknown, Message: "it took too long: send it again with the same key"}},
	{context.Canceled, Error{Code: OutcomeUnknown, Message: "the caller went away"}},
}

// FromStore makes an Error of a failure of the table. Other errors pass, and no error is none.
func FromStore(err error) error {
	for _, known := range storeErrors {
		if errors.Is(err, known.is) {
			e := known.err
			return &e
		}
	}
	return err
}

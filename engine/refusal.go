package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Refusal says why an action is not accepted, as data that a client can translate. A refused action has changed nothing.
type Refusal struct {
	// Code is stable and in snake_case, such as "not_enough_money".
	Code string `json:"code"`
	// Rule is the section of the rule book that forbids the action, or of Boulevard's rulings where the book is silent.
	Rule string `json:"rule,omitempty"`
	// Args are the particulars, such as what was needed and what was there.
	Args Args `json:"args,omitempty"`
}

// Args are the particulars of a refusal by name: numbers or short strings.
type Args map[string]any

// Refusal codes that every game shares.
const (
	// NotAsked refuses a seat that the game is not waiting for.
	NotAsked = "not_asked"
	// GameOver refuses everything after the end.
	GameOver = "game_over"
	// PromptClosed refuses an answer to a prompt that is not open for this seat.
	PromptClosed = "prompt_closed"
	// PromptOpen refuses an action of the turn while a prompt is open for this seat.
	PromptOpen = "prompt_open"
	// UnknownAction refuses a kind of action that the game does not have.
	UnknownAction = "unknown_action"
	// UnknownOrder refuses a kind of standing order that the game does not have.
	UnknownOrder = "unknown_order"
	// BadArgument refuses arguments of the wrong type, missing ones, or ones that the action does not have.
	BadArgument = "bad_argument"
	// BadOption refuses an option, or a value of one, that the game does not have.
	BadOption = "bad_option"
	// BadSeats refuses a number of seats that the game cannot be played with.
	BadSeats = "bad_seats"
)

// argKind names the particular that repeats an unknown kind.
const argKind = "kind"

// Refuse makes a refusal.
func Refuse(code, rule string, args Args) *Refusal {
	return &Refusal{Code: code, Rule: rule, Args: args}
}

// Error tells developers what was refused. Clients read the fields.
func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString(r.Code)
	for _, name := range slices.Sorted(maps.Keys(r.Args)) {
		fmt.Fprintf(&b, " %s=%v", name, r.Args[name])
	}
	return b.String()
}

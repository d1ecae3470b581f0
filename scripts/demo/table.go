package main

import (
	"context"
	crand "crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"time"

	"boulevard/api"
)

// table is a game and the clients that play it.
type table struct {
	// kind is the catalogue's id of the game.
	kind    string
	players []*player
	game    api.Game
	random  *rand.Rand
	actions int
}

// player is one client, with a token of its own.
type player struct {
	id    string
	name  string
	token string
	api   *api.Client
}

// Bearer authenticates the client's requests.
func (p *player) Bearer(context.Context, api.OperationName) (api.Bearer, error) {
	return api.Bearer{Token: p.token}, nil
}

var names = []string{"Ann", "Bob", "Cleo", "Dan", "Eve", "Fay"}

// gather makes the players.
func gather(ctx context.Context, url string, c *cli) (*table, error) {
	t := &table{kind: c.Game, random: rand.New(rand.NewPCG(c.Seed, c.Seed))}
	for _, name := range names[:c.Seats] {
		p := &player{name: name}
		var err error
		if p.api, err = api.NewClient(url, p); err != nil {
			return nil, err
		}
		guest, err := p.api.CreateGuest(ctx, &api.NewGuest{Name: name})
		if err != nil {
			return nil, err
		}
		p.id, p.token = guest.Player, guest.Token
		t.players = append(t.players, p)
	}
	return t, nil
}

// sitDown lets the first player create a game and invite the second; the others find it among the open ones.
func (t *table) sitDown(ctx context.Context) error {
	wanted := &api.NewGame{Game: t.kind, Seats: len(t.players), Entropy: api.NewOptEntropy(entropy())}
	created, err := t.players[0].api.CreateGame(ctx, wanted, api.CreateGameParams{IdempotencyKey: newKey()})
	if err != nil {
		return err
	}
	t.game = created.Response
	_, err = t.players[0].api.Invite(ctx, &api.NewInvitation{Player: t.players[1].id},
		api.InviteParams{Game: t.game.ID, IdempotencyKey: newKey()})
	if err != nil {
		return err
	}
	return t.join(ctx)
}

func (t *table) join(ctx context.Context) error {
	for _, p := range t.players[1:] {
		id, err := p.findOpen(ctx)
		if err != nil {
			return err
		}
		seat := api.NewOptNewSeat(api.NewSeat{Entropy: api.NewOptEntropy(entropy())})
		done, err := p.api.JoinGame(ctx, seat, api.JoinGameParams{Game: id, IdempotencyKey: newKey()})
		if err != nil {
			return err
		}
		t.game = done.Response.Game
		fmt.Printf("%5d  %-5s joins\n", t.game.Version, p.name)
	}
	return nil
}

// findOpen is the one game that is open. The list follows the games by a moment.
func (p *player) findOpen(ctx context.Context) (string, error) {
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		open, err := p.api.ListOpenGames(ctx, api.ListOpenGamesParams{})
		if err != nil {
			return "", err
		}
		if len(open.Games) == 1 {
			return open.Games[0].ID, nil
		}
		if time.Now().After(deadline) {
			return "", fmt.Errorf("%d games are open, not one", len(open.Games))
		}
	}
}

// play acts for whoever is asked until nobody is.
func (t *table) play(ctx context.Context) error {
	for t.game.Status == api.GameStatusPlaying {
		seat := t.game.Asked[t.random.IntN(len(t.game.Asked))]
		if err := t.act(ctx, t.players[seat]); err != nil {
			return fmt.Errorf("%s at version %d: %w", t.players[seat].name, t.game.Version, err)
		}
		if t.actions%dealEvery != 0 || t.game.Status != api.GameStatusPlaying || len(t.game.Prompts) > 0 {
			continue // nothing is traded while the game waits for an answer
		}
		if err := t.deal(ctx); err != nil {
			return fmt.Errorf("deal at version %d: %w", t.game.Version, err)
		}
	}
	return nil
}

// How many actions go by until one is sent twice, as a client does whose answer was lost; until one is previewed; and
// until somebody offers a deal. Of the actions that can be taken back, one of undoOne is.
const (
	repeatEvery  = 25
	previewEvery = 8
	dealEvery    = 9
	undoOne      = 6
)

func (t *table) act(ctx context.Context, p *player) error {
	offer, err := p.api.GetChoices(ctx, api.GetChoicesParams{Game: t.game.ID})
	if err != nil {
		return err
	}
	choices := offer.Response.Choices
	if len(choices) == 0 {
		return errors.New("asked, but offered nothing")
	}
	choice := choices[t.random.IntN(len(choices))]
	action, err := t.filled(choice)
	if err != nil {
		return err
	}
	if t.actions%previewEvery == 0 {
		if err := t.preview(ctx, p, action); err != nil {
			return err
		}
	}
	params := api.ActParams{Game: t.game.ID, IdempotencyKey: newKey()}
	if !choice.Prompt.Set {
		params.IfMatch = api.NewOptString(strconv.Quote(strconv.FormatInt(offer.Response.Version, 10)))
	}
	done, err := p.api.Act(ctx, action, params)
	if err != nil {
		return err
	}
	t.game = done.Response.Game
	t.print(p, action, done.Response.Events)
	if t.actions++; t.actions%repeatEvery == 0 {
		again, err := p.api.Act(ctx, action, params)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(done, again) {
			return errors.New("the same command again was answered differently")
		}
	}
	if t.game.Undo.Allowed && t.random.IntN(undoOne) == 0 {
		return t.takeBack(ctx, p)
	}
	return nil
}

// filled makes an action of a choice, its parameters filled at random.
func (t *table) filled(choice api.Choice) (*api.NewAction, error) {
	args := map[string]any{}
	if err := json.Unmarshal(choice.Args, &args); err != nil {
		return nil, err
	}
	for _, p := range choice.Fill {
		switch p.Kind {
		case api.ParameterKindRange:
			args[p.Name] = p.Min.Value + t.random.IntN(p.Max.Value-p.Min.Value+1)
		case api.ParameterKindDeal:
			return nil, fmt.Errorf("%s: a deal is nothing that is asked for", choice.Kind)
		case api.ParameterKindArrangement:
			values := append([]int(nil), p.Values...)
			t.random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			args[p.Name] = values
		}
	}
	encoded, err := json.Marshal(args)
	return &api.NewAction{Kind: choice.Kind, Args: encoded, Prompt: choice.Prompt}, err
}

func (t *table) print(p *player, action *api.NewAction, events []api.Event) {
	fmt.Printf("%5d  %-5s %s %s\n", t.game.Version, p.name, action.Kind, plain(action.Args))
	for _, e := range events {
		fmt.Printf("             %s %s\n", strings.ReplaceAll(e.Code, "_", " "), plain(e.Args))
	}
}

// plain is JSON made easier on the eye.
func plain(data []byte) string {
	return strings.NewReplacer(`"`, "", "{", "", "}", "", ":", " ", ",", ", ").Replace(string(data))
}

func (t *table) printRanking() {
	outcome := t.game.Outcome.Value
	fmt.Printf("\nover after %d actions: %s\n", t.actions, strings.ReplaceAll(outcome.Reason, "_", " "))
	for _, s := range outcome.Ranking {
		fmt.Printf("%3d. %-5s", s.Rank, t.players[s.Seat].name)
		for _, score := range s.Scores {
			fmt.Printf(" %4d %s", score.Value, score.Name)
		}
		fmt.Println()
	}
}

// entropy is what a player adds to the dice, so that nobody else knows what they will be.
func entropy() api.Entropy {
	added := make([]byte, 16)
	_, _ = crand.Read(added)
	return api.Entropy(hex.EncodeToString(added))
}

func newKey() string { return crand.Text() }

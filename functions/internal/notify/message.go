package notify

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
)

// message says in prose what the notices of a delivery say. It takes its words from the catalogue, the players' names and
// the tables of this package alone: nothing of the state of a game gets into it.
func (s *Sender) message(ctx context.Context, d delivery) (Message, error) {
	first := d.notices[0]
	m := Message{
		ID: noticeID(first), Kind: Kind(first.Kinds[0]), Game: first.Game, Version: first.Version, URL: s.Site + "/",
		Unsubscribe: s.unsubscribe(d), Sent: s.Now().UnixMilli(), Silent: first.Kinds[0] == string(Settled),
	}
	if first.Game == "" {
		m.Title, m.Body = titleOf(m.Kind)+" (Boulevard)", serviceBody(m.Kind, d.channel)
		return m, nil
	}
	lines, err := s.lines(ctx, d)
	if err != nil {
		return Message{}, err
	}
	m.Title, m.Body, m.Collapse = lines[0].title(), lines[0].body(), first.Game
	m.URL = s.gameURL(first.Game)
	if len(lines) > 1 {
		m = digest(m, lines, s.Site)
	}
	if Corrects(ChannelKind(d.channel.Kind), d.channel.Address) { // only what can be corrected shows a badge
		m.Badge, err = s.Host.Badge(ctx, first.Player)
	}
	return m, err
}

// serviceBody is what a message about the channel itself says.
func serviceBody(kind Kind, channel store.ContactChannel) string {
	if kind == Confirm {
		return "Somebody wants news of his games sent here. If that is you, your code is " + channel.Code +
			". If not, do nothing: nothing else will come."
	}
	return "News of your games will look like this."
}

// line is what is told of one game.
type line struct {
	kinds  []Kind
	game   string
	others string
}

func (l line) title() string { return titleOf(l.kinds[0]) + ": " + l.game }

func (l line) body() string {
	first := l.game
	if l.others != "" {
		first += " with " + l.others
	}
	sentences := make([]string, 0, len(l.kinds))
	sentences = append(sentences, first)
	for _, kind := range l.kinds[1:] {
		sentences = append(sentences, titleOf(kind))
	}
	return strings.Join(sentences, ". ") + "."
}

// lines are the games of a delivery, each once, with all that is told of it.
func (s *Sender) lines(ctx context.Context, d delivery) ([]line, error) {
	var lines []line
	at := map[string]int{}
	for _, n := range d.notices {
		i, known := at[n.Game]
		if !known {
			game, err := s.gameOf(ctx, d, n.Game)
			if err != nil {
				return nil, err
			}
			i = len(lines)
			at[n.Game] = i
			lines = append(lines, line{game: game.Name(), others: others(game, n.Player)})
		}
		for _, kind := range n.Kinds {
			lines[i].kinds = append(lines[i].kinds, Kind(kind))
		}
		lines[i].kinds = pressing(lines[i].kinds)
	}
	return lines, nil
}

// gameOf is a game of a delivery, which was read when the notice was claimed, unless the notice only corrects another.
func (s *Sender) gameOf(ctx context.Context, d delivery, id string) (*host.Game, error) {
	if game := d.games[id]; game != nil {
		return game, nil
	}
	return s.Host.Game(ctx, id)
}

// others are the names of those whom the player sits with.
func others(game *host.Game, player string) string {
	var names []string
	for _, p := range game.Players {
		if p.ID != player {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", ")
}

// digest makes one message of the news of several games.
func digest(m Message, lines []line, site string) Message {
	body := make([]string, len(lines))
	for i, l := range lines {
		body[i] = titleOf(l.kinds[0]) + ": " + l.body()
	}
	m.Title, m.Body = fmt.Sprintf("News of %d games", len(lines)), strings.Join(body, "\n")
	m.Game, m.Version, m.URL, m.Collapse = "", 0, site+"/", "digest"
	return m
}

func (s *Sender) gameURL(id string) string { return s.Site + "/games/" + url.PathEscape(id) }

// noticeID is the same for all attempts of a notice.
func noticeID(n store.Notice) string {
	return strings.Join([]string{n.Game, strconv.FormatUint(n.Version, 10), strconv.FormatInt(n.At, 10), n.Channel}, ".")
}

// unsubscribe is the link that switches the channel of a delivery off, "" where there is nothing to switch.
func (s *Sender) unsubscribe(d delivery) string {
	if d.channel.Unsubscribe == "" {
		return ""
	}
	return s.Site + "/v1/unsubscribe/" + url.PathEscape(ticket(d.contact.Player, d.channel))
}

// ticket names a channel to whoever holds it, and to nobody else.
func ticket(player string, channel store.ContactChannel) string {
	return strings.Join([]string{player, channel.ID, channel.Unsubscribe}, ".")
}

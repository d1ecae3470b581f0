package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"boulevard/api"
)

// mail is where the players are reached: a receiver on this machine for webhooks, and a live connection.
type mail struct {
	url   string
	mutex sync.Mutex
	// codes are those that mailboxes were sent, by the player's name.
	codes map[string]string
	// got is what each player was told, by name and in order.
	got map[string][]string
	// live are the connections to be closed.
	live []*websocket.Conn
}

// openMail starts the receiver, which ends with the context.
func openMail(ctx context.Context) (*mail, error) {
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &mail{url: "http://" + listener.Addr().String(), codes: map[string]string{}, got: map[string][]string{}}
	server := &http.Server{Handler: m, ReadTimeout: time.Second}
	go func() { _ = server.Serve(listener) }()
	context.AfterFunc(ctx, func() { _ = server.Close() })
	return m, nil
}

// ServeHTTP takes a notice in any of the forms of webhooks, whose path names the player, or a mail as SES does.
func (m *mail) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	switch {
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
	case r.URL.Path == "/v2/email/outbound-emails":
		m.takeMail(body)
		_, _ = io.WriteString(w, `{"MessageId":"demo"}`)
	default:
		m.take(strings.TrimPrefix(r.URL.Path, "/"), body)
	}
}

var codeFormat = regexp.MustCompile(`[0-9]{8}`)

// letter is what SES is asked to send, as far as it is looked at here.
//
//nolint:tagliatelle // the names are theirs
type letter struct {
	Destination struct {
		ToAddresses []string `json:"ToAddresses"`
	} `json:"Destination"`
	Content struct {
		Simple struct {
			Subject text `json:"Subject"`
			Body    struct {
				Text text `json:"Text"`
			} `json:"Body"`
		} `json:"Simple"`
	} `json:"Content"`
}

//nolint:tagliatelle // the name is theirs
type text struct {
	Data string `json:"Data"`
}

// takeMail takes a mail: its subject is a notice like others, and a code is kept.
func (m *mail) takeMail(body []byte) {
	var sent letter
	if err := json.Unmarshal(body, &sent); err != nil || len(sent.Destination.ToAddresses) == 0 {
		return
	}
	name, _, _ := strings.Cut(sent.Destination.ToAddresses[0], "@")
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.got[name] = append(m.got[name], sent.Content.Simple.Subject.Data)
	if code := codeFormat.FindString(sent.Content.Simple.Body.Text.Data); code != "" {
		m.codes[name] = code
	}
}

func (m *mail) take(name string, body []byte) {
	var told struct {
		Type    string `json:"type"`
		Title   string `json:"title"`
		Version int    `json:"version"`
		Content string `json:"content"` // of Discord
		Text    string `json:"text"`    // of Slack
	}
	if err := json.Unmarshal(body, &told); err != nil || told.Type == "version" || told.Type == "pong" {
		return
	}
	line := told.Title
	if line == "" {
		line, _, _ = strings.Cut(told.Content+told.Text, "\n")
	}
	if told.Version > 0 {
		line = fmt.Sprintf("%s (%d)", line, told.Version)
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.got[name] = append(m.got[name], line)
}

// reach lets every player say where he is reached: by a webhook, by e-mail, in a chat room, on a live connection.
func (m *mail) reach(ctx context.Context, t *table, url string) error {
	ways := []func(ctx context.Context, p *player) error{
		func(ctx context.Context, p *player) error { return m.hook(ctx, p, api.NewChannelVariantJSON) },
		m.mailbox,
		func(ctx context.Context, p *player) error { return m.hook(ctx, p, api.NewChannelVariantDiscord) },
		func(ctx context.Context, p *player) error { return m.listen(ctx, p, url) },
	}
	for i, p := range t.players {
		if err := ways[i%len(ways)](ctx, p); err != nil {
			return fmt.Errorf("reach %s: %w", p.name, err)
		}
	}
	return nil
}

// hook adds a webhook, and tests it.
func (m *mail) hook(ctx context.Context, p *player, variant api.NewChannelVariant) error {
	channel, err := p.api.AddChannel(ctx, &api.NewChannel{
		Kind: api.ChannelKindWebhook, Address: m.url + "/" + p.name, Variant: api.NewOptNewChannelVariant(variant),
	})
	if err != nil {
		return err
	}
	test, err := p.api.TestChannel(ctx, api.TestChannelParams{Channel: channel.ID})
	if err == nil && test.State != api.NoticeStateAccepted {
		err = fmt.Errorf("the test: %s %s", test.State, test.Reason.Value)
	}
	return err
}

// mailbox adds a mailbox, and confirms it by the code that it gets.
func (m *mail) mailbox(ctx context.Context, p *player) error {
	channel, err := p.api.AddChannel(ctx, &api.NewChannel{Kind: api.ChannelKindEmail, Address: p.name + "@example.org"})
	if err != nil {
		return err
	}
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		m.mutex.Lock()
		code := m.codes[p.name]
		m.mutex.Unlock()
		if code != "" {
			_, err := p.api.ConfirmChannel(ctx, &api.Confirmation{Code: code}, api.ConfirmChannelParams{Channel: channel.ID})
			return err
		}
	}
	return errors.New("no code has come")
}

// listen takes what a player is told on a live connection.
func (m *mail) listen(ctx context.Context, p *player, url string) error {
	socket, response, err := websocket.Dial(ctx, url+"/v1/live", &websocket.DialOptions{
		HTTPHeader: http.Header{"Authorization": {"Bearer " + p.token}},
	})
	if err != nil {
		return err
	}
	if response.Body != nil {
		_ = response.Body.Close()
	}
	m.live = append(m.live, socket)
	go func() {
		for {
			_, message, err := socket.Read(ctx)
			if err != nil {
				return
			}
			m.take(p.name, message)
		}
	}()
	return nil
}

func (m *mail) close() {
	for _, socket := range m.live {
		_ = socket.Close(websocket.StatusNormalClosure, "")
	}
}

// print tells what each player was told, and what the ledger says of it. The two must agree.
func (m *mail) print(ctx context.Context, t *table) error {
	for _, p := range t.players {
		ledger, err := p.settledLedger(ctx)
		if err != nil {
			return err
		}
		m.mutex.Lock()
		got := m.got[p.name]
		m.mutex.Unlock()
		fmt.Printf("\n%s was told %d times\n", p.name, len(got))
		printShort(got)
		fmt.Printf("   and the ledger says: %s\n", strings.Join(summary(ledger), ", "))
		printShort(lines(ledger))
		if accepted := count(ledger, api.NoticeStateAccepted); accepted != len(got) {
			return fmt.Errorf("%s got %d notices, and the ledger has %d as accepted", p.name, len(got), accepted)
		}
	}
	return nil
}

// few is how much of a long list is printed at its start and at its end.
const few = 4

func printShort(lines []string) {
	for i, line := range lines {
		switch {
		case i < few || i >= len(lines)-few:
			fmt.Printf("       %s\n", line)
		case i == few:
			fmt.Printf("       ... and %d more ...\n", len(lines)-2*few)
		}
	}
}

// settledLedger is all that a player was told, once nothing is under way any more.
func (p *player) settledLedger(ctx context.Context) ([]api.Notice, error) {
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		ledger, err := p.ledger(ctx)
		if err != nil {
			return nil, err
		}
		if count(ledger, api.NoticeStateQueued)+count(ledger, api.NoticeStateSent) == 0 {
			return ledger, nil
		}
		if time.Now().After(deadline) {
			return nil, errors.New("notices are still under way")
		}
	}
}

func (p *player) ledger(ctx context.Context) ([]api.Notice, error) {
	var all []api.Notice
	params := api.ListNoticesParams{Limit: api.NewOptInt(100)}
	for {
		page, err := p.api.ListNotices(ctx, params)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Notices...)
		if !page.Next.Set {
			return all, nil
		}
		params.Cursor = page.Next
	}
}

func count(ledger []api.Notice, state api.NoticeState) int {
	n := 0
	for _, notice := range ledger {
		if notice.State == state {
			n++
		}
	}
	return n
}

// lines are those of a ledger, the oldest first.
func lines(ledger []api.Notice) []string {
	list := make([]string, len(ledger))
	for i, n := range ledger {
		line := fmt.Sprintf("version %3d  %-14s by %-8s %s", n.Version.Value, n.Kinds[0], n.ChannelKind.Or(n.Channel), n.State)
		if n.Reason.Set {
			line += " (" + n.Reason.Value + ")"
		}
		list[len(list)-1-i] = line
	}
	return list
}

// summary counts the lines of a ledger by what they are about and what became of them, in the order of the contract.
func summary(ledger []api.Notice) []string {
	counts := map[string]int{}
	for _, notice := range ledger {
		counts[string(notice.Kinds[0])+" "+string(notice.State)]++
	}
	var lines []string
	for _, kind := range api.NoticeKindsItem("").AllValues() {
		for _, state := range api.NoticeState("").AllValues() {
			if n := counts[string(kind)+" "+string(state)]; n > 0 {
				lines = append(lines, fmt.Sprintf("%d %s %s", n, strings.ReplaceAll(string(kind), "_", " "), state))
			}
		}
	}
	return lines
}

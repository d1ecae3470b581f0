package notify

import (
	"bytes"
	"encoding/json"
)

// Document is the message as programs get it: those behind webhooks, and the page's service worker.
func (m Message) Document() []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // it goes into no page, and room can be short
	_ = encoder.Encode(document{ //nolint:errchkjson // texts and numbers cannot fail
		ID: m.ID, Kind: m.Kind, Game: m.Game, Version: m.Version, Title: m.Title, Body: m.Body, URL: m.URL, Badge: m.Badge,
		Silent: m.Silent, Sent: m.Sent,
	})
	return bytes.TrimSpace(b.Bytes())
}

type document struct {
	ID      string `json:"id"`
	Kind    Kind   `json:"kind"`
	Game    string `json:"game,omitempty"`
	Version uint64 `json:"version,omitempty"`
	Title   string `json:"title"`
	Body    string `json:"body"`
	URL     string `json:"url"`
	Badge   int    `json:"badge"`
	Silent  bool   `json:"silent"`
	Sent    int64  `json:"sent"`
}

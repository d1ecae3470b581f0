package live

import (
	"errors"

	"github.com/go-faster/jx"

	"boulevard/functions/internal/notify"
)

// The types of messages.
const (
	subscribe   = "subscribe"
	unsubscribe = "unsubscribe"
	ping        = "ping"
	pong        = "pong"
	version     = "version"
	notice      = "notice"
	problem     = "problem"
)

const (
	// MaxMessage is the greatest message that a client may send, in bytes.
	MaxMessage = 4 << 10
	// MaxGames is the greatest number of games that a connection may watch.
	MaxGames = 100
	// maxID is the greatest length of a game's id that the table is asked for.
	maxID = 64
	// maxVersion is that of the HTTP contract.
	maxVersion = 999_999_999_999_999_999
)

// Message is what a client says.
type Message struct {
	Type string
	// Games are those to watch, or to watch no longer.
	Games []Watch
}

// Watch names a game, and what its watcher has seen of it.
type Watch struct {
	Game string
	// Since is the version that the client has, 0 for none.
	Since uint64
}

// Decode reads a client's message, or fails with a *Problem. It accepts what the contract describes and nothing else.
func Decode(data []byte) (Message, error) {
	if !jx.Valid(data) {
		return Message{}, &Problem{Code: malformedJSON, Detail: "send one JSON object"}
	}
	var d decoder
	if err := d.object(jx.DecodeBytes(data), d.field); err != nil {
		return Message{}, err
	}
	return d.message, d.check()
}

// decoder reads a message field by field.
type decoder struct {
	message Message
	typed   bool
	listed  bool
	// since tells that a game came with what was seen of it.
	since bool
}

// object reads an object, whose fields must each come once and be known to field.
func (*decoder) object(d *jx.Decoder, field func(d *jx.Decoder, name string) error) error {
	seen := make(map[string]bool)
	err := d.Obj(func(d *jx.Decoder, name string) error {
		if seen[name] {
			return &Problem{Code: invalidValue, Detail: "a field comes twice"}
		}
		seen[name] = true
		return field(d, name)
	})
	if known, ok := errors.AsType[*Problem](err); ok {
		return known
	}
	if err != nil {
		return &Problem{Code: wrongType, Detail: "a value is not of the type that the contract says"}
	}
	return nil
}

func (m *decoder) field(d *jx.Decoder, name string) (err error) {
	switch name {
	case "type":
		m.typed = true
		m.message.Type, err = d.Str()
		return err
	case "games":
		m.listed = true
		return d.Arr(m.watch)
	}
	return unknown()
}

func (m *decoder) watch(d *jx.Decoder) error {
	var w Watch
	err := m.object(d, func(d *jx.Decoder, name string) (err error) {
		switch name {
		case "id":
			w.Game, err = d.Str()
			return err
		case "since":
			m.since = true
			w.Since, err = d.UInt64()
			return err
		}
		return unknown()
	})
	switch {
	case err != nil:
		return err
	case w.Game == "":
		return &Problem{Code: missingField, Detail: "id"}
	case len(w.Game) > maxID || w.Since > maxVersion:
		return &Problem{Code: invalidValue, Detail: "an id or a version is out of bounds"}
	case len(m.message.Games) == MaxGames:
		return tooMany()
	}
	m.message.Games = append(m.message.Games, w)
	return nil
}

// check finds fields that do not belong to the message's type, or are missing.
func (m *decoder) check() error {
	switch {
	case !m.typed:
		return &Problem{Code: missingField, Detail: "type"}
	case m.message.Type == ping && m.listed:
		return unknown()
	case m.message.Type == ping:
		return nil
	case m.message.Type != subscribe && m.message.Type != unsubscribe:
		return &Problem{Code: unknownType, Detail: "send subscribe, unsubscribe or ping"}
	case len(m.message.Games) == 0:
		return &Problem{Code: missingField, Detail: "games"}
	case m.message.Type == unsubscribe && m.since:
		return unknown()
	}
	return nil
}

func encodeVersion(game string, at uint64) []byte {
	return encode(func(e *jx.Encoder) {
		e.Field("type", func(e *jx.Encoder) { e.Str(version) })
		e.Field("game", func(e *jx.Encoder) { e.Str(game) })
		e.Field("version", func(e *jx.Encoder) { e.UInt64(at) })
	})
}

func encodeNotice(m notify.Message) []byte {
	return encode(func(e *jx.Encoder) {
		e.Field("type", func(e *jx.Encoder) { e.Str(notice) })
		e.Field("id", func(e *jx.Encoder) { e.Str(m.ID) })
		e.Field("kind", func(e *jx.Encoder) { e.Str(string(m.Kind)) })
		if m.Game != "" {
			e.Field("game", func(e *jx.Encoder) { e.Str(m.Game) })
			e.Field("version", func(e *jx.Encoder) { e.UInt64(m.Version) })
		}
		e.Field("title", func(e *jx.Encoder) { e.Str(m.Title) })
		e.Field("badge", func(e *jx.Encoder) { e.Int(m.Badge) })
	})
}

func encodePong() []byte {
	return encode(func(e *jx.Encoder) { e.Field("type", func(e *jx.Encoder) { e.Str(pong) }) })
}

func encode(fields func(*jx.Encoder)) []byte {
	var e jx.Encoder
	e.Obj(fields)
	return e.Bytes()
}

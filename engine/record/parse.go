package record

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"sync"
)

// Bounds of a document, which need not be trusted. The longest games have some thousand entries of some hundred bytes.
const (
	MaxSize    = 8 << 20
	maxEntries = 1 << 16
	maxPlayers = 16
	// maxVersion is the greatest number that every reader of JSON has exactly.
	maxVersion = 1<<53 - 1
)

// names are what ids of games and rules look like: they are printed, and a part of the seed. The expression is compiled when
// it is needed, which a function that starts does not wait for.
var names = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9A-Za-z_-]{1,64}$`) })

// Parse reads a document, which need not be trusted. It takes nothing that two readers could understand differently: no
// unknown or repeated fields, no fields in other letters, nothing behind the end.
func Parse(data []byte) (Game, error) {
	if len(data) > MaxSize {
		return Game{}, fmt.Errorf("record: a document has at most %d bytes", MaxSize)
	}
	var g Game
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&g); err != nil {
		return Game{}, fmt.Errorf("record: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return Game{}, errors.New("record: something follows the document")
	}
	if err := checkFaithful(data, g); err != nil {
		return Game{}, err
	}
	return g, g.check()
}

// checkFaithful refuses a document that says something which the decoder passed over, as it does with fields in other
// letters and with a roll of three numbers: written again, it would be another document.
func checkFaithful(data []byte, g Game) error {
	again, err := json.Marshal(g)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	is, err := plain(data)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	if want, err := plain(again); err != nil || !reflect.DeepEqual(is, want) {
		return errors.New("record: the document misspells a field, or has a value of another form")
	}
	return nil
}

// plain is JSON as a tree without the members that say nothing, which one writer leaves out and another writes.
func plain(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	return branch(decoder)
}

func branch(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return object(decoder)
	case json.Delim('['):
		return array(decoder)
	}
	return token, nil
}

func object(decoder *json.Decoder) (any, error) {
	seen, members := map[string]bool{}, map[string]any{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		key, isKey := token.(string)
		if !isKey || seen[key] {
			return nil, fmt.Errorf("the document repeats the field %q", key)
		}
		seen[key] = true
		value, err := branch(decoder)
		if err != nil {
			return nil, err
		}
		if !saysNothing(value) {
			members[key] = value
		}
	}
	_, err := decoder.Token()
	return members, err
}

func array(decoder *json.Decoder) (any, error) {
	elements := []any{}
	for decoder.More() {
		value, err := branch(decoder)
		if err != nil {
			return nil, err
		}
		elements = append(elements, value)
	}
	_, err := decoder.Token()
	return elements, err
}

func saysNothing(value any) bool {
	switch value := value.(type) {
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return value == nil || value == false || value == "" || value == json.Number("0")
}

// check refuses what no host writes, so that whoever reads on need not expect it. What is wrong with single rolls is
// Verify's to name.
func (g Game) check() error {
	switch {
	case g.Format != Format:
		return fmt.Errorf("record: the document has format %d, and this build reads format %d", g.Format, Format)
	case !names().MatchString(g.ID) || !names().MatchString(g.Game):
		return errors.New("record: no id of a game")
	case len(g.Players) == 0 || len(g.Players) > maxPlayers:
		return fmt.Errorf("record: a game has 1 to %d players", maxPlayers)
	case len(g.Entries) > maxEntries:
		return fmt.Errorf("record: a game has at most %d entries", maxEntries)
	}
	if _, err := g.entropy(); err != nil {
		return err
	}
	if _, err := digits("commitment", g.Commitment); err != nil {
		return err
	}
	if _, err := digits("secret", g.Secret); g.Secret != "" && err != nil {
		return err
	}
	return g.checkEntries()
}

func (g Game) checkEntries() error {
	last := uint64(0)
	for _, e := range g.Entries {
		if e.Version <= last || e.Version > maxVersion {
			return fmt.Errorf("record: version %d follows version %d", e.Version, last)
		}
		if e.Seat != nil && (*e.Seat < 0 || *e.Seat >= len(g.Players)) {
			return fmt.Errorf("record: version %d: nobody has seat %d", e.Version, *e.Seat)
		}
		last = e.Version
	}
	return nil
}

// entropy is what the players added, in the order of the seats.
func (g Game) entropy() ([][]byte, error) {
	added := make([][]byte, len(g.Players))
	for seat, p := range g.Players {
		data, err := hex.DecodeString(p.Entropy)
		if err != nil || len(data) > MaxEntropy {
			return nil, fmt.Errorf("record: the entropy of seat %d is not up to %d bytes in hexadecimal digits", seat, MaxEntropy)
		}
		added[seat] = data
	}
	return added, nil
}

// digits are the 32 bytes of a secret or a hash.
func digits(what, text string) ([]byte, error) {
	data, err := hex.DecodeString(text)
	if err != nil || len(data) != SecretSize {
		return nil, fmt.Errorf("record: the %s is not %d bytes in hexadecimal digits", what, SecretSize)
	}
	return data, nil
}

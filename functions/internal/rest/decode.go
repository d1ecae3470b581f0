package rest

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"

	"boulevard/api"
	"boulevard/functions/internal/host"
)

const defaultLimit = 20

// Cursors are opaque to clients, so that what is in them can change.
func encodeCursor(next string) api.OptString {
	if next == "" {
		return api.OptString{}
	}
	return api.NewOptString(base64.RawURLEncoding.EncodeToString([]byte(next)))
}

func decodeCursor(cursor api.OptString) (string, error) {
	decoded, err := base64.RawURLEncoding.DecodeString(cursor.Value)
	if err != nil {
		return "", badCursor()
	}
	return string(decoded), nil
}

// decodeVersion reads an If-Match header, whose form the contract has checked; 0 stands for none.
func decodeVersion(tag api.OptString) (uint64, error) {
	if !tag.Set {
		return 0, nil
	}
	return strconv.ParseUint(strings.Trim(tag.Value, `"`), 10, 64)
}

// decodeEntropy reads hexadecimal digits, whose form the contract has checked.
func decodeEntropy(entropy api.OptEntropy) []byte {
	decoded, err := hex.DecodeString(string(entropy.Value))
	if err != nil {
		return nil
	}
	return decoded
}

func decodeOrders(orders []api.StandingOrder) []host.StandingOrder {
	decoded := make([]host.StandingOrder, len(orders))
	for i, o := range orders {
		decoded[i] = host.StandingOrder{Kind: o.Kind, Args: o.Args}
	}
	return decoded
}

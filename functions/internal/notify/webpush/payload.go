package webpush

import (
	"sort"

	"boulevard/functions/internal/notify"
)

const (
	// recordSize is the size of every message, whatever it says, so that its length tells the push service nothing. It is
	// well below the 4,096 bytes that a push service has to take (RFC 8030, 7.2).
	recordSize = 3072
	// overhead is what is not content: the header with a salt of 16, a size of 4 and a key of 1 + 65 bytes (RFC 8188, 2.1;
	// RFC 8291, 4), the delimiter of the padding (RFC 8188, 2), and the tag of AES-GCM.
	overhead = 16 + 4 + 1 + 65 + 1 + 16
	maxSize  = recordSize - overhead
)

// payload is what the page's service worker gets, with as much of the body as fits. It is not ok if the rest alone is too
// large.
func payload(message notify.Message) (content []byte, ok bool) {
	if content = message.Document(); len(content) <= maxSize {
		return content, true
	}
	body := []rune(message.Body)
	shortened := func(length int) []byte {
		message.Body = string(body[:length]) + "…"
		return message.Document()
	}
	long := sort.Search(len(body), func(length int) bool { return len(shortened(length)) > maxSize })
	if long == 0 {
		return nil, false
	}
	return shortened(long - 1), true
}

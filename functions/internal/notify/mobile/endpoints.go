package mobile

import (
	"crypto/sha256"
	"slices"
	"sync"
)

// maxEndpoints is how many endpoints a process remembers. Forgetting one costs a call.
const maxEndpoints = 1024

// key stands for a token, which is not to lie about in memory.
type key [sha256.Size]byte

func keyOf(variant, token string) key { return sha256.Sum256([]byte(variant + "\x00" + token)) }

// endpoints are what SNS calls the devices that this process has sent to, the oldest being forgotten first.
type endpoints struct {
	mu    sync.Mutex
	arns  map[key]string
	order []key
}

func (e *endpoints) get(k key) (string, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	arn, known := e.arns[k]
	return arn, known
}

func (e *endpoints) put(k key, arn string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, known := e.arns[k]; !known {
		e.order = append(e.order, k)
	}
	e.arns[k] = arn
	if len(e.order) > maxEndpoints {
		delete(e.arns, e.order[0])
		e.order = e.order[1:]
	}
}

func (e *endpoints) forget(k key) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.arns, k)
	e.order = slices.DeleteFunc(e.order, func(other key) bool { return other == k })
}

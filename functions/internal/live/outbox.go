package live

import (
	"slices"
	"sync"
)

// outbox is what a connection is still to be told. Of each game it holds the newest version only, and of notices a few, so
// that it never grows large, however slowly the client reads.
type outbox struct {
	mutex sync.Mutex
	games map[string]*watched
	// notices are those to be told, the oldest first.
	notices [][]byte
	// due are the games with something to tell, the longest waiting first.
	due []string
	// wake holds a token when something is due.
	wake chan struct{}
}

type watched struct {
	// newest is the greatest version heard of. Older ones that come late are no news.
	newest uint64
	due    bool
}

func newOutbox() *outbox {
	return &outbox{games: make(map[string]*watched), wake: make(chan struct{}, 1)}
}

// fits reports whether these games can be watched too.
func (o *outbox) fits(games []Watch) bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	more := make(map[string]bool, len(games))
	for _, w := range games {
		if o.games[w.Game] == nil {
			more[w.Game] = true
		}
	}
	return len(o.games)+len(more) <= MaxGames
}

func (o *outbox) add(game string) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.games[game] == nil {
		o.games[game] = &watched{}
	}
}

func (o *outbox) remove(game string) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if w := o.games[game]; w != nil && w.due {
		o.due = slices.DeleteFunc(o.due, func(id string) bool { return id == game })
	}
	delete(o.games, game)
}

// watching lists the games.
func (o *outbox) watching() []string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	ids := make([]string, 0, len(o.games))
	for id := range o.games {
		ids = append(ids, id)
	}
	return ids
}

// announce makes a version due, if it is news.
func (o *outbox) announce(game string, version uint64) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if w := o.games[game]; w != nil && version > w.newest {
		w.newest = version
		o.makeDue(game, w)
	}
}

// resume makes the newest version of a watched game due for a client that has seen since. It is told again though it has
// been told before: that message may be the one that was lost.
func (o *outbox) resume(game string, version, since uint64) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	w := o.games[game]
	w.newest = max(w.newest, version)
	if w.newest > since {
		o.makeDue(game, w)
	}
}

func (o *outbox) makeDue(game string, w *watched) {
	if !w.due {
		w.due = true
		o.due = append(o.due, game)
	}
	o.call()
}

func (o *outbox) call() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// maxNotices bounds how many notices wait for a client that does not read.
const maxNotices = 32

// tell makes a notice due, unless the client has left too many unread.
func (o *outbox) tell(notice []byte) bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if len(o.notices) >= maxNotices {
		return false
	}
	o.notices = append(o.notices, notice)
	o.call()
	return true
}

// next takes the message that is to be told next, nil for none: notices, then the version that has waited longest.
func (o *outbox) next() []byte {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if len(o.notices) > 0 {
		notice := o.notices[0]
		o.notices = slices.Delete(o.notices, 0, 1)
		return notice
	}
	if len(o.due) == 0 {
		return nil
	}
	game := o.due[0]
	o.due = slices.Delete(o.due, 0, 1)
	w := o.games[game]
	w.due = false
	return encodeVersion(game, w.newest)
}

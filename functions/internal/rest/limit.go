package rest

import (
	"net"
	"net/http"
	"strconv"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"boulevard/functions/internal/host"
)

// Limits bound what one source may ask for. The zero Limits bound nothing. In the cloud each process counts for itself, behind
// the gateway's own throttles.
type Limits struct {
	// Newcomers is what one address may do without a token: become players, exchange tokens, follow links.
	Newcomers Rate
	// Player is what one player may do.
	Player Rate
}

// Rate is a number of requests per minute, and how many may come at once.
type Rate struct{ PerMinute, Burst int }

// Usual are limits that no person comes near: a table of six on one sofa among them.
var Usual = Limits{Newcomers: Rate{PerMinute: 30, Burst: 60}, Player: Rate{PerMinute: 300, Burst: 300}}

// maxSources bounds how many sources are remembered: who comes back after so many others starts anew.
const maxSources = 10_000

// limiter remembers what sources have done lately.
type limiter struct {
	rate    Rate
	sources *lru.Cache[string, *rate.Limiter]
}

// newLimiter is nil for the zero rate.
func newLimiter(r Rate) *limiter {
	if r == (Rate{}) {
		return nil
	}
	sources, _ := lru.New[string, *rate.Limiter](maxSources) // it fails for no size alone
	return &limiter{rate: r, sources: sources}
}

// wait is how long a source has to wait until it may ask again; zero lets it go on.
func (l *limiter) wait(source string, now time.Time) time.Duration {
	if l == nil {
		return 0
	}
	fresh := rate.NewLimiter(rate.Limit(l.rate.PerMinute)/rate.Limit(time.Minute.Seconds()), l.rate.Burst)
	bucket, known, _ := l.sources.PeekOrAdd(source, fresh)
	if !known {
		bucket = fresh
	}
	l.sources.Get(source) // it was used just now
	reservation := bucket.ReserveN(now, 1)
	delay := reservation.DelayFrom(now)
	if delay > 0 {
		reservation.CancelAt(now)
	}
	return delay
}

// addressOf is where a request comes from: the gateway or the socket says so, and no header that anybody can write.
func addressOf(r *http.Request) string {
	if address, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return address
	}
	return r.RemoteAddr
}

// admit refuses requests without a token from an address that sends too many.
func (s *server) admit(w http.ResponseWriter, r *http.Request) bool {
	if r.Header.Get("Authorization") != "" {
		return true // who it is, and how much he asks for, is looked at later
	}
	delay := s.newcomers.wait(addressOf(r), s.now())
	if delay == 0 {
		return true
	}
	w.Header().Set("Retry-After", strconv.Itoa(int(delay/time.Second)+1))
	writeProblem(w, newProblem(tooManyRequests, "wait, as Retry-After says"))
	return false
}

// admitPlayer refuses a player who asks for too much.
func (s *server) admitPlayer(player string) error {
	if s.players.wait(player, s.now()) > 0 {
		return &host.Error{Code: tooManyRequests, Message: "wait a little"}
	}
	return nil
}

package guard

import (
	"errors"
	"io"
	"net/http"
	"time"

	"boulevard/functions/internal/notify"
)

// Outcome is what became of a message that was sent through the client: it reads the answer, and closes it.
func Outcome(response *http.Response, err error, trace *notify.Trace, to notify.Address, now time.Time) notify.Outcome {
	if errors.Is(err, ErrRefused) {
		return notify.Outcome{Verdict: notify.Refused, Reason: "forbidden_address"}
	}
	if err != nil {
		return trace.Failure(err)
	}
	defer func() { _ = response.Body.Close() }()
	var said []byte
	if response.StatusCode >= http.StatusMultipleChoices {
		// What a provider says after it has accepted is not waited for; of an apology that breaks off, the beginning will do.
		said, _ = io.ReadAll(response.Body)
	}
	return notify.OfStatus(response.StatusCode, response.Header, string(said), to, now)
}

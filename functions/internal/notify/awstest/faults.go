package awstest

import (
	"io"
	"net/http"
	"strings"
)

// Hang says nothing until the caller has given up.
func Hang(_ http.ResponseWriter, r *http.Request) bool {
	<-r.Context().Done()
	return true
}

// HangUp closes the connection without an answer.
func HangUp(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }

// Says answers with a status, a Retry-After unless it is empty, and a body that is no document of AWS's.
func Says(status int, retryAfter, body string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		return true
	}
}

// Redirects sends the caller elsewhere, and would have it send the same there.
func Redirects(w http.ResponseWriter, r *http.Request) bool {
	http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	return true
}

// Endless answers with a status, and does not come to an end.
func Endless(status int) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(status)
		for {
			if _, err := io.WriteString(w, strings.Repeat("x", 4096)); err != nil {
				return true
			}
		}
	}
}

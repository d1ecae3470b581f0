// Package awstest is a server on this machine that takes mail as Amazon SES does, and pushes as Amazon SNS does: the calls
// that channels make, with the answers and the errors that AWS documents. It keeps what it is sent.
package awstest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"sync"
	"time"
)

// Email is mail that was sent.
type Email struct {
	ID               string
	From, To         string
	Subject          string
	Text, HTML       string
	Headers          map[string]string
	ConfigurationSet string
	// UTF8 tells that subject and bodies said to be in UTF-8.
	UTF8 bool
}

// Push is what a device was sent.
type Push struct {
	ID string
	// Target is the endpoint, and Token the device that it is of.
	Target, Token string
	// Message has what is for each platform: JSON where that is what the platform gets, and a string under "default".
	Message    map[string]json.RawMessage
	Attributes map[string]string
}

// Server takes mail and pushes.
type Server struct {
	// URL is where it listens.
	URL string

	http *http.Server

	mu        sync.Mutex
	answer    func(http.ResponseWriter, *http.Request) bool
	emails    []Email
	pushes    []Push
	endpoints map[string]*endpoint
	calls     []string
}

// endpoint is a device as SNS knows it.
type endpoint struct {
	token    string
	disabled bool
}

// maxRequest is more than SES or SNS takes of what channels send.
const maxRequest = 1 << 20

// NewServer starts a server. It panics where there is no port to listen on.
func NewServer() *Server {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		panic(fmt.Sprintf("awstest: %v", err))
	}
	s := &Server{URL: "http://" + listener.Addr().String(), endpoints: map[string]*endpoint{}}
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: time.Minute}
	go func() { _ = s.http.Serve(listener) }()
	return s
}

// Close ends the server and all that it is still busy with.
func (s *Server) Close() { _ = s.http.Close() }

// Answer has the function see each request first, whose body it may read: if it returns true, it has answered. For requests
// to SNS, r.Form is parsed. It is called for several requests at once.
func (s *Server) Answer(answer func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

// Emails are those that were taken on, in order.
func (s *Server) Emails() []Email {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.emails)
}

// Pushes are those that were taken on, in order.
func (s *Server) Pushes() []Push {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.pushes)
}

// Calls are the names of all calls, also of those that failed: "SendEmail", "Publish".
func (s *Server) Calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Disable has the endpoints of a token disabled, as SNS does when APNs or FCM tells it that the token is no more.
func (s *Server) Disable(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.endpoints {
		if e.token == token {
			e.disabled = true
		}
	}
}

// Delete removes the endpoints of a token.
func (s *Server) Delete(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.endpoints, func(_ string, e *endpoint) bool { return e.token == token })
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if r.URL.Path == sendEmailPath {
		s.record("SendEmail")
	} else {
		r.Form, _ = url.ParseQuery(string(body))
		s.record(r.Form.Get("Action"))
	}
	s.mu.Lock()
	answer := s.answer
	s.mu.Unlock()
	if answer != nil && answer(w, r) {
		return
	}
	if r.URL.Path == sendEmailPath {
		s.sendEmail(w, r, body)
		return
	}
	s.query(w, r)
}

func (s *Server) record(call string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call)
}

// authorization is that of Signature Version 4.
var authorization = regexp.MustCompile(
	`^AWS4-HMAC-SHA256 Credential=[^/]+/\d{8}/[a-z0-9-]+/([a-z]+)/aws4_request, SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, ` +
		`Signature=[0-9a-f]{64}$`)

// signed tells whether a request is signed for a service. Whether the signature is right, it cannot know: any key will do.
func signed(r *http.Request, service string) bool {
	match := authorization.FindStringSubmatch(r.Header.Get("Authorization"))
	return match != nil && match[1] == service && r.Header.Get("X-Amz-Date") != ""
}

func newID() string { return rand.Text() }

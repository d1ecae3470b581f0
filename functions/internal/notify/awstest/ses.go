package awstest

import (
	"encoding/json"
	"net/http"
)

const sendEmailPath = "/v2/email/outbound-emails"

// sesContent is data in a charset.
type sesContent struct{ Data, Charset string }

// sendEmailRequest is the call's body, as far as channels use it. Its names are AWS's.
type sendEmailRequest struct {
	FromEmailAddress     string
	ConfigurationSetName string
	Destination          struct{ ToAddresses, CcAddresses, BccAddresses []string }
	Content              struct {
		Simple struct {
			Subject sesContent
			Body    struct {
				Text sesContent
				//nolint:tagliatelle // the name is AWS's
				HTML sesContent `json:"Html"`
			}
			Headers []struct{ Name, Value string }
		}
	}
}

func (s *Server) sendEmail(w http.ResponseWriter, r *http.Request, body []byte) {
	var request sendEmailRequest
	err := json.Unmarshal(body, &request) //nolint:musttag // the fields have AWS's names
	switch {
	case r.Method != http.MethodPost:
		SESError(w, http.StatusMethodNotAllowed, "BadRequestException", "only POST")
	case !signed(r, "ses"):
		SESError(w, http.StatusForbidden, "IncompleteSignatureException", "the request is not signed for ses")
	case err != nil || request.FromEmailAddress == "" || request.recipients() != 1:
		SESError(w, http.StatusBadRequest, "BadRequestException", "the request lacks something, or has too much of it")
	default:
		id := newID()
		s.keepEmail(request.email(id))
		writeJSON(w, http.StatusOK, map[string]string{"MessageId": id})
	}
}

// recipients counts them; a player's mail has one.
func (r sendEmailRequest) recipients() int {
	return len(r.Destination.ToAddresses) + len(r.Destination.CcAddresses) + len(r.Destination.BccAddresses)
}

func (r sendEmailRequest) email(id string) Email {
	simple := r.Content.Simple
	email := Email{
		ID: id, From: r.FromEmailAddress, Subject: simple.Subject.Data, Text: simple.Body.Text.Data, HTML: simple.Body.HTML.Data,
		Headers: map[string]string{}, ConfigurationSet: r.ConfigurationSetName,
		UTF8: simple.Subject.Charset == utf8 && simple.Body.Text.Charset == utf8 && simple.Body.HTML.Charset == utf8,
	}
	for _, to := range r.Destination.ToAddresses {
		email.To = to
	}
	for _, header := range simple.Headers {
		email.Headers[header.Name] = header.Value
	}
	return email
}

const utf8 = "UTF-8"

func (s *Server) keepEmail(email Email) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emails = append(s.emails, email)
}

// SESError answers as SES does when it fails: with the error's name in a header, and its words in the body.
func SESError(w http.ResponseWriter, status int, name, message string) {
	w.Header().Set("X-Amzn-Errortype", name)
	writeJSON(w, status, map[string]string{"message": message})
}

func writeJSON(w http.ResponseWriter, status int, document map[string]string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(marshal(document))
}

func marshal(document any) []byte {
	content, err := json.Marshal(document)
	if err != nil {
		panic(err)
	}
	return content
}

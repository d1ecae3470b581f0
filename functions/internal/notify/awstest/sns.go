package awstest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

const snsNamespace = "http://sns.amazonaws.com/doc/2010-03-31/"

// query is a call of SNS, by the AWS query protocol.
func (s *Server) query(w http.ResponseWriter, r *http.Request) {
	if !signed(r, "sns") {
		SNSError(w, http.StatusForbidden, "IncompleteSignature", "The request is not signed for sns")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.Form.Get("Action") {
	case "CreatePlatformEndpoint":
		s.createEndpoint(w, r.Form)
	case "Publish":
		s.publish(w, r.Form)
	case "SetEndpointAttributes":
		s.setAttributes(w, r.Form)
	default:
		SNSError(w, http.StatusBadRequest, "InvalidAction", "Could not find operation "+r.Form.Get("Action"))
	}
}

// createEndpoint gives a token the endpoint that it had. A disabled one has another attribute than a new one would have, and
// that is an error, which names it.
func (s *Server) createEndpoint(w http.ResponseWriter, form url.Values) {
	application, token := form.Get("PlatformApplicationArn"), form.Get("Token")
	if !strings.Contains(application, ":app/") || token == "" {
		SNSError(w, http.StatusBadRequest, "InvalidParameter", "Invalid parameter: PlatformApplicationArn or Token")
		return
	}
	sum := sha256.Sum256([]byte(token))
	arn := strings.Replace(application, ":app/", ":endpoint/", 1) + "/" + hex.EncodeToString(sum[:16])
	e := s.endpoints[arn]
	if e != nil && e.disabled {
		SNSError(w, http.StatusBadRequest, "InvalidParameter", "Invalid parameter: Token Reason: Endpoint "+arn+
			" already exists with the same Token, but different attributes.")
		return
	}
	if e == nil {
		s.endpoints[arn] = &endpoint{token: token}
	}
	snsResult(w, "CreatePlatformEndpoint", named("EndpointArn", arn))
}

func (s *Server) publish(w http.ResponseWriter, form url.Values) {
	arn := form.Get("TargetArn")
	e := s.endpoints[arn]
	if e == nil {
		SNSError(w, http.StatusNotFound, "NotFound", "No endpoint found for the target arn specified")
		return
	}
	if e.disabled {
		SNSError(w, http.StatusBadRequest, "EndpointDisabled", "Endpoint is disabled")
		return
	}
	message, err := messageOf(form)
	if err != nil {
		SNSError(w, http.StatusBadRequest, "InvalidParameter", "Invalid parameter: Message Structure - "+err.Error())
		return
	}
	push := Push{ID: newID(), Target: arn, Token: e.token, Message: message, Attributes: attributesOf(form)}
	s.pushes = append(s.pushes, push)
	snsResult(w, "Publish", named("MessageId", push.ID))
}

func (s *Server) setAttributes(w http.ResponseWriter, form url.Values) {
	e := s.endpoints[form.Get("EndpointArn")]
	if e == nil {
		SNSError(w, http.StatusNotFound, "NotFound", "Endpoint does not exist")
		return
	}
	for key, value := range entries(form, "Attributes.entry.", ".key", ".value") {
		if key == "Enabled" {
			e.disabled = value != "true"
		}
	}
	snsResult(w, "SetEndpointAttributes")
}

// messageOf is a message of the structure "json": a string for each platform, which is JSON of its own but for the default.
func messageOf(form url.Values) (map[string]json.RawMessage, error) {
	var platforms map[string]string
	if form.Get("MessageStructure") != "json" {
		return nil, errors.New("MessageStructure is not json")
	}
	if err := json.Unmarshal([]byte(form.Get("Message")), &platforms); err != nil {
		return nil, errors.New("JSON message body failed to parse")
	}
	if _, ok := platforms["default"]; !ok {
		return nil, errors.New("no default entry in JSON message body")
	}
	message := map[string]json.RawMessage{}
	for platform, text := range platforms {
		raw := json.RawMessage(text)
		if platform == "default" {
			raw = marshal(text)
		}
		if !json.Valid(raw) {
			return nil, errors.New("the message for " + platform + " is no JSON")
		}
		message[platform] = raw
	}
	return message, nil
}

func attributesOf(form url.Values) map[string]string {
	return entries(form, "MessageAttributes.entry.", ".Name", ".Value.StringValue")
}

// entries are a map of the query protocol, which numbers its entries.
func entries(form url.Values, prefix, key, value string) map[string]string {
	list := map[string]string{}
	for i := 1; form.Has(prefix + strconv.Itoa(i) + key); i++ {
		list[form.Get(prefix+strconv.Itoa(i)+key)] = form.Get(prefix + strconv.Itoa(i) + value)
	}
	return list
}

// element is one of XML, with either text or others in it.
type element struct {
	XMLName  xml.Name
	Text     string `xml:",chardata"`
	Elements []element
}

func named(name, text string, elements ...element) element {
	return element{XMLName: xml.Name{Local: name}, Text: text, Elements: elements}
}

func snsResult(w http.ResponseWriter, action string, results ...element) {
	root := named(action+"Response", "", named(action+"Result", "", results...),
		named("ResponseMetadata", "", named("RequestId", newID())))
	writeXML(w, http.StatusOK, root)
}

// SNSError answers as SNS does when it fails.
func SNSError(w http.ResponseWriter, status int, code, message string) {
	blame := "Sender"
	if status >= http.StatusInternalServerError {
		blame = "Receiver"
	}
	writeXML(w, status, named("ErrorResponse", "",
		named("Error", "", named("Type", blame), named("Code", code), named("Message", message)), named("RequestId", newID())))
}

func writeXML(w http.ResponseWriter, status int, root element) {
	root.XMLName.Space = snsNamespace
	w.Header().Set("Content-Type", "text/xml")
	w.WriteHeader(status)
	_ = xml.NewEncoder(w).Encode(root) //nolint:musttag // elements have their names in XMLName
}

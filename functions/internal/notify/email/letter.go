package email

import (
	_ "embed"
	htmltemplate "html/template"
	"net/url"
	"strings"
	texttemplate "text/template"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"

	"boulevard/functions/internal/notify"
)

//go:embed letter.txt
var textSource string

//go:embed letter.html
var htmlSource string

var (
	textTemplate = texttemplate.Must(texttemplate.New("text").Parse(textSource))
	htmlTemplate = htmltemplate.Must(htmltemplate.New("html").Parse(htmlSource))
)

// letter is what the templates say.
type letter struct {
	Title string
	// Lines are the body, line by line.
	Lines            []string
	URL, Unsubscribe string
}

func letterOf(message notify.Message) letter {
	l := letter{Title: subject(message.Title), URL: link(message.URL), Unsubscribe: link(message.Unsubscribe)}
	for line := range strings.SplitSeq(message.Body, "\n") {
		if line = oneLine(line); line != "" {
			l.Lines = append(l.Lines, line)
		}
	}
	return l
}

// content is the letter as SES takes it.
func (l letter) content(id string) (*types.EmailContent, error) {
	var text, html strings.Builder
	if err := textTemplate.Execute(&text, l); err != nil {
		return nil, err
	}
	if err := htmlTemplate.Execute(&html, l); err != nil {
		return nil, err
	}
	return &types.EmailContent{Simple: &types.Message{
		Subject: inUTF8(l.Title),
		Body:    &types.Body{Text: inUTF8(text.String()), Html: inUTF8(html.String())},
		Headers: l.headers(id),
	}}, nil
}

// headers name the notice, so that a repetition can be told from news, and let mail programs unsubscribe with one click
// (RFC 2369, 3.2; RFC 8058, 3.1).
func (l letter) headers(id string) []types.MessageHeader {
	headers := []types.MessageHeader{{Name: aws.String("X-Boulevard-Notice"), Value: aws.String(token(id))}}
	if l.Unsubscribe != "" {
		headers = append(headers,
			types.MessageHeader{Name: aws.String("List-Unsubscribe"), Value: aws.String("<" + l.Unsubscribe + ">")},
			types.MessageHeader{Name: aws.String("List-Unsubscribe-Post"), Value: aws.String("List-Unsubscribe=One-Click")})
	}
	return headers
}

func inUTF8(data string) *types.Content {
	return &types.Content{Data: aws.String(data), Charset: aws.String("UTF-8")}
}

// maxSubject is more than any mail program shows.
const maxSubject = 150

// subject is a title that stays one header and says what it seems to: a name in it could otherwise be an encoded word
// (RFC 2047), which the reader's program decodes.
func subject(title string) string {
	title = strings.ReplaceAll(oneLine(title), "=?", "= ?")
	if runes := []rune(title); len(runes) > maxSubject {
		return string(runes[:maxSubject-1]) + "…"
	}
	return title
}

// oneLine has neither control characters nor those that turn the direction of what follows.
func oneLine(prose string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(prose, "?"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
	}), " ")
}

// link is a URL that can stand between angle brackets in a header, "" if the URL is none.
func link(raw string) string {
	parsed, err := url.Parse(raw)
	if err != nil || parsed.Host == "" || (parsed.Scheme != "https" && parsed.Scheme != "http") {
		return ""
	}
	return token(parsed.String())
}

// token keeps what may stand in a header as it is.
func token(value string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || r == '<' || r == '>' {
			return -1
		}
		return r
	}, value)
}

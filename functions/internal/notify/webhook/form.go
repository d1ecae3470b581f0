package webhook

import (
	"encoding/json"
	"strings"

	"boulevard/functions/internal/notify"
)

// forms are the forms of a body, by the variant of the address.
var forms = map[string]func(notify.Message) []byte{
	notify.JSON:    notify.Message.Document,
	notify.Discord: discord,
	notify.Slack:   slack,
}

// Discord refuses contents of more than 2,000 characters; that much of our words is less, even with each one escaped.
const (
	maxTitle = 200
	maxBody  = 500
)

// suppressEmbeds keeps Discord from fetching and showing what a link leads to.
const suppressEmbeds = 1 << 2

// markdown are the characters that can mean something to Discord, mentions and links included. Anything but a letter, a digit
// or a space stands for itself after a backslash.
var markdown = escaper('\\', `\*_~|<>#[]()@:-`+"`")

// discord is a message of Discord's. Names in it are the players' own words: they ping nobody, and mark up nothing.
func discord(m notify.Message) []byte {
	type mentions struct {
		Parse []string `json:"parse"`
	}
	title, words := markdown.Replace(clip(m.Title, maxTitle)), markdown.Replace(clip(m.Body, maxBody))
	body, _ := json.Marshal(struct { //nolint:errchkjson // texts and numbers cannot fail
		Content  string   `json:"content"`
		Mentions mentions `json:"allowed_mentions"`
		Flags    int      `json:"flags"`
	}{lines("**"+title+"**", words, m.URL), mentions{Parse: []string{}}, suppressEmbeds})
	return body
}

// entities are the three characters that Slack gives a meaning of their own, to be written as it wants them.
var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// slack is a message of Slack's, without markup, so that names mean nothing there either.
func slack(m notify.Message) []byte {
	body, _ := json.Marshal(struct { //nolint:errchkjson // texts and numbers cannot fail
		Text   string `json:"text"`
		Mrkdwn bool   `json:"mrkdwn"`
		Unfurl bool   `json:"unfurl_links"`
	}{Text: entities.Replace(lines(m.Title, m.Body, m.URL))})
	return body
}

func escaper(with byte, characters string) *strings.Replacer {
	pairs := make([]string, 0, 2*len(characters))
	for _, c := range characters {
		pairs = append(pairs, string(c), string(with)+string(c))
	}
	return strings.NewReplacer(pairs...)
}

// lines joins what there is.
func lines(texts ...string) string {
	var b strings.Builder
	for _, text := range texts {
		if text != "" && b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text)
	}
	return b.String()
}

// clip cuts a text by characters.
func clip(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

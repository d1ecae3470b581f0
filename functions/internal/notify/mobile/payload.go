package mobile

import (
	"encoding/json"
	"sort"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sns/types"

	"boulevard/functions/internal/notify"
)

// maxPayload is what Apple and Google take.
const maxPayload = 4096

// platform is what SNS calls a variant, and what its devices get.
type platform struct {
	name    string
	payload func(notify.Message) any
}

var platforms = map[string]platform{
	notify.APNs: {"APNS", apnsPayload},
	notify.FCM:  {"GCM", fcmPayload},
}

// structured is a message of SNS's structure "json", with as much of the body as fits. It is not ok if the rest alone is too
// large.
func (p platform) structured(message notify.Message) (content string, ok bool) {
	payload, ok := fitting(message, p.payload)
	if !ok {
		return "", false
	}
	return string(marshal(map[string]string{"default": message.Title, p.name: string(payload)})), true
}

// fitting shortens the body of a message, by characters, until its payload is not too large.
func fitting(message notify.Message, form func(notify.Message) any) (payload []byte, ok bool) {
	if payload = marshal(form(message)); len(payload) <= maxPayload {
		return payload, true
	}
	body := []rune(message.Body)
	shortened := func(length int) []byte {
		message.Body = string(body[:length]) + "…"
		return marshal(form(message))
	}
	long := sort.Search(len(body), func(length int) bool { return len(shortened(length)) > maxPayload })
	if long == 0 {
		return nil, false
	}
	return shortened(long - 1), true
}

func marshal(document any) []byte {
	content, err := json.Marshal(document)
	if err != nil {
		panic(err) // strings and numbers alone
	}
	return content
}

// countsGames tells that a message's badge says something: what is about the channel itself must not wipe the badge out.
func countsGames(m notify.Message) bool { return m.Kind != notify.Test && m.Kind != notify.Confirm }

// apnsPayload is what an app on an Apple device gets. A silent message shows nothing but the badge, and wakes the app, which
// takes back what it showed.
func apnsPayload(m notify.Message) any {
	aps := map[string]any{}
	if countsGames(m) {
		aps["badge"] = m.Badge
	}
	if m.Silent {
		aps["content-available"] = 1
	} else {
		aps["alert"] = map[string]string{"title": m.Title, "body": m.Body}
	}
	if m.Game != "" {
		aps["thread-id"] = m.Game
	}
	return map[string]any{
		"aps": aps, "id": m.ID, "kind": m.Kind, "game": m.Game, "version": m.Version, "url": m.URL, "collapse": m.Collapse,
	}
}

// fcmPayload is what an app on an Android device gets (FCM's HTTP v1 form), whose data are strings. What is shown has the
// collapse key for a tag too: the one is for messages that wait, the other for those that have been shown.
func fcmPayload(m notify.Message) any {
	android := map[string]any{"priority": "HIGH"}
	data := map[string]string{
		"id": m.ID, "kind": string(m.Kind), "game": m.Game, "version": strconv.FormatUint(m.Version, 10), "url": m.URL,
		"collapse": m.Collapse,
	}
	if countsGames(m) {
		data["badge"] = strconv.Itoa(m.Badge)
	}
	message := map[string]any{"data": data, "android": android}
	if m.Collapse != "" {
		android["collapse_key"] = m.Collapse
	}
	if m.Silent {
		android["priority"] = "NORMAL"
		return map[string]any{"fcmV1Message": map[string]any{"message": message}}
	}
	message["notification"] = map[string]string{"title": m.Title, "body": m.Body}
	if m.Collapse != "" {
		android["notification"] = map[string]string{"tag": m.Collapse}
	}
	return map[string]any{"fcmV1Message": map[string]any{"message": message}}
}

// attributes are headers to Apple's service: SNS reserves these names for them. Google has all that in the payload.
func attributes(variant string, m notify.Message) map[string]types.MessageAttributeValue {
	if variant != notify.APNs {
		return nil
	}
	headers := map[string]string{"PRIORITY": "10", "PUSH_TYPE": "alert"} // a badge counts as an alert
	if m.Silent {
		headers["PRIORITY"] = "5"
	}
	if m.Collapse != "" {
		headers["COLLAPSE_ID"] = m.Collapse
	}
	list := make(map[string]types.MessageAttributeValue, len(headers))
	for name, value := range headers {
		list["AWS.SNS.MOBILE.APNS."+name] = types.MessageAttributeValue{
			DataType: aws.String("String"), StringValue: aws.String(value),
		}
	}
	return list
}

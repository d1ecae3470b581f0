package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boulevard/engine/codec"
)

// NoticeState is how far a notice has come.
type NoticeState uint8

// A notice is Queued until it is handed to its provider; Sent while nobody knows what became of it; and ends Accepted by the
// provider, Failed, or Superseded by what happened meanwhile.
const (
	Queued NoticeState = iota + 1
	Sent
	Accepted
	Failed
	Superseded
)

var noticeStateNames = map[NoticeState]string{
	Queued: "queued", Sent: "sent", Accepted: "accepted", Failed: "failed", Superseded: "superseded",
}

// String is the state as the API names it.
func (s NoticeState) String() string { return noticeStateNames[s] }

// NoticeKey names a notice: what one player is told on one channel of one version of one game.
type NoticeKey struct {
	Player string
	// At is when the version was made, in unix milliseconds: the ledger is in this order.
	At int64
	// Game and Version are empty for a test.
	Game    string
	Version uint64
	// Channel is the id of the player's channel.
	Channel string
}

// Notice is a line of the ledger.
type Notice struct {
	NoticeKey `cbor:"-"`

	// Kinds are the kinds of news, the most pressing first.
	Kinds []string    `cbor:"1,keyasint"`
	State NoticeState `cbor:"2,keyasint"`
	// Reason is why it is in its state, in the words of the provider where it is the provider's.
	Reason string `cbor:"3,keyasint,omitempty"`
	// Due is when a Queued notice is to be sent, in unix milliseconds; 0 is at once.
	Due int64 `cbor:"4,keyasint,omitempty"`
	// Changed is when the notice came into its state, in unix milliseconds.
	Changed int64 `cbor:"5,keyasint"`
	// Attempts counts how often the provider was asked.
	Attempts int `cbor:"6,keyasint,omitempty"`
	// ProviderID is the provider's name for what it accepted.
	ProviderID string `cbor:"7,keyasint,omitempty"`
	// ChannelKind is the kind of the channel, which may be gone when somebody reads this.
	ChannelKind string `cbor:"8,keyasint,omitempty"`

	// rev is the item's; 0 is a notice that is not written yet.
	rev uint64
}

// noticeLife is how long the ledger keeps a notice.
const noticeLife = 30 * 24 * time.Hour

// ErrOvertaken says that somebody else has changed a notice meanwhile. Nothing was written.
var ErrOvertaken = errors.New("store: the notice was changed meanwhile")

const (
	noticePrefix = "NOTICE#"
	duePart      = "DUE"
)

func (k NoticeKey) item() Key {
	return Key{PK: noticePrefix + k.Player, SK: k.versionPrefix() + k.Channel}
}

// versionPrefix begins the sort keys of all that a player is told of one version.
func (k NoticeKey) versionPrefix() string {
	return fmt.Sprintf("%013d#%s#%010d#", k.At, k.Game, k.Version)
}

// IsNotice reports whether key is that of a notice.
func IsNotice(key Key) bool { return strings.HasPrefix(key.PK, noticePrefix) }

// ParseNoticeKey reads the key of a notice's item, which need not be trusted.
func ParseNoticeKey(key Key) (NoticeKey, error) {
	player, ok := strings.CutPrefix(key.PK, noticePrefix)
	parts := strings.Split(key.SK, "#")
	if !ok || len(parts) != 4 {
		return NoticeKey{}, fmt.Errorf("store: item %q %q is no notice", key.PK, key.SK)
	}
	at, err := strconv.ParseInt(parts[0], 10, 64)
	version, err2 := strconv.ParseUint(parts[2], 10, 63)
	if err := errors.Join(err, err2); err != nil {
		return NoticeKey{}, fmt.Errorf("store: item %q %q is no notice: %w", key.PK, key.SK, err)
	}
	return NoticeKey{Player: player, At: at, Game: parts[1], Version: version, Channel: parts[3]}, nil
}

// AddNotice writes a notice unless it is there. One that is due at a time of its own is also listed as due.
func (t *Table) AddNotice(ctx context.Context, n Notice) error {
	n.rev = 0
	err := t.putNotice(ctx, &n, IfAbsent())
	if errors.Is(err, ErrOvertaken) {
		return nil
	}
	return err
}

// ChangeNotice writes what has become of a notice, or fails with ErrOvertaken.
func (t *Table) ChangeNotice(ctx context.Context, n *Notice) error {
	return t.putNotice(ctx, n, IfRev(n.rev))
}

// putNotice lists first and writes then: what is listed in vain does no harm, but what is not listed is forgotten.
func (t *Table) putNotice(ctx context.Context, n *Notice, when Condition) error {
	key := n.item()
	if n.State == Queued && n.Due > 0 {
		if err := t.ListDue(ctx, n.NoticeKey, n.Due); err != nil {
			return err
		}
	}
	body, err := codec.Encode(n)
	if err != nil {
		return err
	}
	err = t.driver.Put(ctx, Item{Key: key, Rev: n.rev + 1, Body: body, Expires: expiry(n.At)}, when)
	if _, overtaken := errors.AsType[*ConditionFailed](err); overtaken {
		return ErrOvertaken
	}
	if err == nil {
		n.rev++
	}
	return err
}

// ListDue has a notice looked at again at a time, in unix milliseconds.
func (t *Table) ListDue(ctx context.Context, key NoticeKey, at int64) error {
	return t.driver.Put(ctx, Item{Key: dueKey(at, key.item()), Rev: 1, Expires: expiry(at)}, Condition{})
}

func expiry(milli int64) int64 { return time.UnixMilli(milli).Add(noticeLife).Unix() }

// Notice reads a notice, or fails with ErrNotFound.
func (t *Table) Notice(ctx context.Context, key NoticeKey) (Notice, error) {
	item, err := t.driver.Get(ctx, key.item())
	if err != nil {
		return Notice{}, err
	}
	return NoticeOf(item)
}

// NoticeOf decodes the item of a notice. The item need not be trusted.
func NoticeOf(item Item) (Notice, error) {
	key, err := ParseNoticeKey(item.Key)
	if err != nil {
		return Notice{}, err
	}
	n := Notice{rev: item.Rev}
	if err := decode(item, &n); err != nil {
		return Notice{}, err
	}
	n.NoticeKey = key
	if n.State.String() == "" || len(n.Kinds) == 0 {
		return Notice{}, fmt.Errorf("store: notice %q %q makes no sense", item.PK, item.SK)
	}
	return n, nil
}

// Notices lists what a player was told or is to be told, the newest first.
func (t *Table) Notices(ctx context.Context, player, after string, limit int) ([]Notice, string, error) {
	return t.notices(ctx, Query{PK: noticePrefix + player, Descending: true, Limit: limit, After: after})
}

// NoticesOf lists what is told of the same version on all the player's channels.
func (t *Table) NoticesOf(ctx context.Context, key NoticeKey) ([]Notice, error) {
	prefix := key.versionPrefix()
	notices, _, err := t.notices(ctx, Query{PK: noticePrefix + key.Player, From: prefix, To: prefix + "~", Limit: MaxLimit})
	return notices, err
}

func (t *Table) notices(ctx context.Context, query Query) ([]Notice, string, error) {
	page, err := t.driver.Query(ctx, query)
	if err != nil {
		return nil, "", err
	}
	notices := make([]Notice, 0, len(page.Items))
	for _, item := range page.Items {
		if n, err := NoticeOf(item); err == nil { // one line that cannot be read does not hide the others
			notices = append(notices, n)
		}
	}
	return notices, page.Next, nil
}

// Due is an entry of the list of notices that are due at times of their own.
type Due struct {
	NoticeKey

	// Since is when it fell due, in unix milliseconds.
	Since int64
	key   Key
}

func dueKey(at int64, notice Key) Key {
	return Key{PK: duePart, SK: fmt.Sprintf("%013d#%s#%s", at, strings.TrimPrefix(notice.PK, noticePrefix), notice.SK)}
}

// DueNotices lists at most limit notices that are due at a time (unix milliseconds), the oldest first.
func (t *Table) DueNotices(ctx context.Context, now int64, limit int) ([]Due, error) {
	page, err := t.driver.Query(ctx, Query{PK: duePart, To: fmt.Sprintf("%013d#~", now), Limit: limit})
	if err != nil {
		return nil, err
	}
	due := make([]Due, 0, len(page.Items))
	for _, item := range page.Items {
		at, rest, _ := strings.Cut(item.SK, "#")
		player, sort, _ := strings.Cut(rest, "#")
		// An entry that names nothing stands for a notice that is not there, and is dropped like one.
		key, _ := ParseNoticeKey(Key{PK: noticePrefix + player, SK: sort})
		since, _ := strconv.ParseInt(at, 10, 64)
		due = append(due, Due{NoticeKey: key, Since: since, key: item.Key})
	}
	return due, nil
}

// DropDue takes an entry off the list.
func (t *Table) DropDue(ctx context.Context, due Due) error {
	return t.driver.Delete(ctx, due.key, Condition{})
}

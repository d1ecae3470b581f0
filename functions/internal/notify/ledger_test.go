package notify_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/functions/internal/host"
	"boulevard/functions/internal/notify"
	"boulevard/functions/internal/store"
)

func TestLedger_WhoeverIsWaitedFor_IsTold(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		r := newReceiver(t)
		players := b.people(2)
		ann := players[0]
		b.hook(ann, r, 0, notify.JSON)
		m := b.started(players, 1)
		b.sweep()
		heard := r.take()
		require.Len(t, heard, 1, "one message, though the game has begun and waits for her")
		require.Contains(t, []notify.Kind{notify.GameStarted, notify.YourTurn}, heard[0].Kind)
		m.playUntilNotAsked(ann)
		b.sweep()
		r.take()

		m.playUntilAsked(ann)
		b.sweep()
		heard = r.take()
		require.NotEmpty(t, heard)
		last := heard[len(heard)-1]
		require.Equal(t, m.game.ID, last.Game)
		require.Equal(t, m.game.Version, last.Version)
		require.Equal(t, "https://games.example/games/"+m.game.ID, last.URL)
		require.Contains(t, last.Title, "Lords of Vegas")
		require.Contains(t, last.Body, "with Bob")
		require.Equal(t, 1, last.Badge)
	})
}

func TestLedger_WithoutAChannel_SaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	m := b.started(b.people(2), 1)
	require.Equal(t, []string{"2 game_started failed no_channel"}, firstWords(b.ledger(m.players[0]), 4))
	require.Empty(t, b.ledger(m.players[1]), "who sat down last has seen it begin")
}

func firstWords(lines []string, count int) []string {
	for i, line := range lines {
		words := strings.Fields(line)
		if words[1] == string(notify.YourTurn) {
			words[1] = string(notify.GameStarted) // whoever begins
		}
		lines[i] = strings.Join(words[:min(count, len(words))], " ")
	}
	return lines
}

// N1: at most one delivery per (game, version, player, channel), recorded before it is sent and its outcome after.
func TestN1_AtMostOneDelivery_RecordedBeforeAndAfter(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		r := newReceiver(t)
		players := b.people(2)
		b.hook(players[0], r, 0, notify.JSON)
		m := b.started(players, 1)
		r.visited(func(posted) {
			lines := b.ledger(players[0])
			require.Contains(t, lines[len(lines)-1], " sent", "it stands in the ledger before it is sent")
		})
		// The change is followed again and again, as after a crash, while several senders work.
		before, after := m.game.Head, m.game.Head
		before.Status = store.Open
		for range 3 {
			require.NoError(t, b.planner.Follow(t.Context(), nil, &after))
			done := make(chan error)
			for range 4 {
				go func() {
					_, err := b.sender.Sweep(t.Context())
					done <- err
				}()
			}
			for range 4 {
				require.NoError(t, <-done)
			}
		}
		require.Len(t, r.take(), 1)
		lines := b.ledger(players[0])
		require.Len(t, lines, 1)
		require.Contains(t, lines[0], " accepted")
	})
}

// N1, through a whole game: no version is told twice on a channel, however often it is planned and swept.
func TestN1_WholeGame_NoNoticeTwice(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	players := b.people(4)
	receivers := make([]*receiver, len(players))
	for i, p := range players {
		receivers[i] = newReceiver(t)
		b.hook(p, receivers[i], 0, notify.JSON)
	}
	m := b.started(players, 3)
	last := -1 // who ends the game has seen it end
	for m.game.Status == store.Playing {
		before := m.game.Head
		m.play()
		last = int(m.game.Tail[len(m.game.Tail)-1].Seat)
		require.NoError(t, b.planner.Follow(t.Context(), &before, &m.game.Head))
		b.sweep()
	}
	for i, r := range receivers {
		seen := map[string]bool{}
		heard := r.take()
		require.NotEmpty(t, heard)
		for _, p := range heard {
			require.False(t, seen[p.ID], "%s told twice", p.ID)
			seen[p.ID] = true
		}
		if i != last {
			require.Contains(t, kindsOf(heard), notify.GameFinished)
		}
	}
}

// N2: never none. A provider that fails for an hour is retried, then the next channel is tried, and the player can read why.
func TestN2_ProviderFailsForAnHour_NextChannelIsTried(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		first, second := newReceiver(t), newReceiver(t)
		players := b.people(2)
		b.hook(players[0], first, 0, notify.JSON)
		b.hook(players[0], second, 1, notify.JSON)
		first.answers(http.StatusServiceUnavailable, "down for maintenance")
		tries := 0
		first.visited(func(posted) { tries++ })
		b.started(players, 1)
		b.sweep()
		require.Equal(t, 1, tries)
		require.Contains(t, b.ledger(players[0])[0], "queued status_503: down for maintenance")
		for range 60 {
			b.pass(time.Minute)
			b.sweep()
		}
		require.Equal(t, 6, tries, "after 1, 3, 8, 18 and 38 minutes")
		require.Empty(t, second.take(), "it may yet recover")
		b.pass(30 * time.Minute)
		b.sweep()
		require.Len(t, second.take(), 1)
		lines := b.ledger(players[0])
		require.Len(t, lines, 2)
		require.Condition(t, func() bool {
			return strings.Contains(lines[0]+lines[1], "failed status_503: down for maintenance") && strings.Contains(lines[0]+lines[1], "accepted")
		}, "%v", lines)
	})
}

func TestN2_ProviderRecovers_IsToldThere(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	first, second := newReceiver(t), newReceiver(t)
	players := b.people(2)
	b.hook(players[0], first, 0, notify.JSON)
	b.hook(players[0], second, 1, notify.JSON)
	first.answers(http.StatusBadGateway, "")
	b.started(players, 1)
	b.sweep()
	first.answers(http.StatusOK, "")
	b.pass(time.Minute)
	b.sweep()
	require.Len(t, first.take(), 1)
	require.Empty(t, second.take())
}

// N2: a process that dies between the record and the provider's answer. Whether the message went out nobody knows: it is
// not sent again on this channel, and the next one is tried.
func TestN2_SenderDies_NextChannelIsTried(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		first, second := newReceiver(t), newReceiver(t)
		players := b.people(2)
		channel := b.hook(players[0], first, 0, notify.JSON)
		b.hook(players[0], second, 1, notify.JSON)
		m := b.started(players, 1)
		n, err := b.table.Notice(t.Context(), store.NoticeKey{
			Player: players[0].ID, At: m.game.Updated(), Game: m.game.ID, Version: m.game.Version, Channel: channel.ID,
		})
		require.NoError(t, err)
		n.State, n.Changed = store.Sent, b.now().UnixMilli()
		require.NoError(t, b.table.ChangeNotice(t.Context(), &n))

		b.sweep()
		require.Contains(t, b.ledger(players[0])[0], " sent", "it may still be under way")
		b.pass(time.Minute)
		b.sweep()
		require.Empty(t, first.take())
		require.Len(t, second.take(), 1)
	})
}

// N3: 404, 410 or "unregistered" removes that one subscription.
func TestN3_Gone_RemovesThatSubscription(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotFound, http.StatusGone} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			b := setup(t, drivers["sqlite"](t))
			gone, there := newReceiver(t), newReceiver(t)
			players := b.people(2)
			b.hook(players[0], gone, 0, notify.JSON)
			kept := b.hook(players[0], there, 0, notify.JSON)
			gone.answers(status, "")
			b.started(players, 1)
			b.sweep()
			contact, err := b.desk.Contact(t.Context(), players[0].ID)
			require.NoError(t, err)
			require.Len(t, contact.Channels, 1)
			require.Equal(t, kept.ID, contact.Channels[0].ID)
			require.Len(t, there.take(), 1)
		})
	}
}

// N3: unless it was renewed meanwhile.
func TestN3_GoneButRenewedMeanwhile_Stays(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		r := newReceiver(t)
		players := b.people(2)
		b.hook(players[0], r, 0, notify.JSON)
		r.answers(http.StatusGone, "")
		r.visited(func(posted) {
			b.pass(time.Millisecond)
			b.hook(players[0], r, 0, notify.JSON)
		})
		b.started(players, 1)
		b.sweep()
		contact, err := b.desk.Contact(t.Context(), players[0].ID)
		require.NoError(t, err)
		require.Len(t, contact.Channels, 1)
	})
}

// N6: ten turns in five minutes make one digest where the player asked for digests.
func TestN6_TenTurnsInFiveMinutes_OneDigest(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		r := newReceiver(t)
		players := b.people(2)
		ann := players[0]
		b.hook(ann, r, 0, notify.JSON)
		_, err := b.desk.SetContact(t.Context(), store.Contact{Player: ann.ID, Digest: 5})
		require.NoError(t, err)
		for seed := range uint64(10) {
			b.started(players, seed)
		}
		b.sweep()
		require.Empty(t, r.take())
		b.pass(5 * time.Minute)
		b.sweep()
		heard := r.take()
		require.Len(t, heard, 1)
		require.Equal(t, "News of 10 games", heard[0].Title)
		require.Equal(t, 9, strings.Count(heard[0].Body, "\n"))
		for _, line := range b.ledger(ann) {
			require.Contains(t, line, "accepted")
		}
	})
}

// throttled is a table that refuses the write of a notice once, at the given claim.
type throttled struct {
	store.Driver

	claims int
}

func (d *throttled) Put(ctx context.Context, item store.Item, when store.Condition) error {
	if store.IsNotice(item.Key) && when.Kind() == store.KindRev {
		if d.claims--; d.claims == 0 {
			return store.ErrThrottled
		}
	}
	return d.Driver.Put(ctx, item, when)
}

// N2: a table that fails in the middle of a digest. What is claimed is sent, and the rest comes with the next sweep.
func TestN2_TableFailsWithinADigest_NothingIsLost(t *testing.T) {
	t.Parallel()
	table := &throttled{Driver: drivers["sqlite"](t)}
	b := setup(t, table)
	r := newReceiver(t)
	players := b.people(2)
	b.hook(players[0], r, 0, notify.JSON)
	_, err := b.desk.SetContact(t.Context(), store.Contact{Player: players[0].ID, Digest: 5})
	require.NoError(t, err)
	for seed := range uint64(3) {
		b.started(players, seed)
	}
	b.pass(5 * time.Minute)
	table.claims = 2
	_, err = b.sender.Sweep(t.Context())
	require.ErrorIs(t, err, store.ErrThrottled)
	b.sweep()
	told := 0
	for _, p := range r.take() {
		told += strings.Count(p.Body, "with Bob")
	}
	require.Equal(t, 3, told)
	for _, line := range b.ledger(players[0]) {
		require.Contains(t, line, "accepted")
	}
}

// N6: a backlog is dropped when the turn is over.
func TestN6_TurnIsOver_BacklogIsDropped(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		r := newReceiver(t)
		players := b.people(2)
		ann := players[0]
		m := b.started(players, 1)
		m.playUntilNotAsked(ann)
		b.hook(ann, r, 0, notify.JSON)
		_, err := b.desk.SetContact(t.Context(), store.Contact{Player: ann.ID, Digest: 600})
		require.NoError(t, err)
		m.playUntilAsked(ann)
		m.playUntilNotAsked(ann)
		b.pass(10 * time.Hour)
		b.sweep()
		for _, p := range r.take() {
			require.NotEqual(t, notify.YourTurn, p.Kind)
		}
		lines := b.ledger(ann)
		require.Contains(t, lines[len(lines)-1], "superseded decided")
	})
}

// N7: "send me a test" gives the provider's real answer.
func TestN7_Test_GivesTheProvidersAnswer(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		r := newReceiver(t)
		ann := b.people(1)[0]
		channel := b.hook(ann, r, 0, notify.JSON)
		test := func() store.Notice {
			done := make(chan store.Notice)
			go func() {
				n, err := b.desk.Test(t.Context(), ann.ID, channel.ID)
				if err != nil {
					t.Error(err)
				}
				done <- n
			}()
			for {
				select {
				case n := <-done:
					return n
				default:
					b.sweep()
				}
			}
		}
		n := test()
		require.Equal(t, store.Accepted, n.State)
		require.Equal(t, []notify.Kind{notify.Test}, kindsOf(r.take()))

		_, err := b.desk.Test(t.Context(), ann.ID, channel.ID)
		requireCode(t, notify.TooSoon, err)
		b.pass(time.Minute)
		r.answers(http.StatusForbidden, "who are you?")
		n = test()
		require.Equal(t, store.Failed, n.State)
		require.Equal(t, "status_403: who are you?", n.Reason)
		b.pass(time.Minute)
		r.answers(http.StatusTooManyRequests, "")
		n = test()
		require.Equal(t, store.Queued, n.State)
		require.Equal(t, "status_429", n.Reason)
	})
}

func requireCode(t *testing.T, code string, err error) {
	t.Helper()
	var known *host.Error
	require.ErrorAs(t, err, &known)
	require.Equal(t, code, known.Code)
}

// N8: repeated failures switch a webhook off, visibly. Renewing it switches it on.
func TestN8_RepeatedFailures_SwitchOffVisibly(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	r := newReceiver(t)
	players := b.people(2)
	channel := b.hook(players[0], r, 0, notify.JSON)
	r.answers(http.StatusBadRequest, "no")
	visits := 0
	r.visited(func(posted) { visits++ })
	for seed := range uint64(12) {
		b.started(players, seed)
		b.sweep()
	}
	require.Equal(t, 10, visits)
	contact, err := b.desk.Contact(t.Context(), players[0].ID)
	require.NoError(t, err)
	require.Equal(t, "failures", contact.Channel(channel.ID).Off)
	lines := b.ledger(players[0])
	require.Contains(t, lines[len(lines)-1], "failed no_channel")

	b.hook(players[0], r, 0, notify.JSON)
	r.answers(http.StatusOK, "")
	b.started(players, 20)
	b.sweep()
	require.Len(t, r.take(), 1)
}

// N9: what happens in quiet hours is told at their end, also where an earlier attempt was put off into them.
func TestN9_QuietHours_AreWaitedFor(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		r := newReceiver(t)
		players := b.people(2)
		ann := players[0]
		b.hook(ann, r, 0, notify.JSON)
		_, err := b.desk.SetContact(t.Context(), store.Contact{Player: ann.ID, Zone: "Europe/Vienna", QuietFrom: 11 * 60, QuietTo: 13 * 60})
		require.NoError(t, err)
		b.started(players, 1) // it is noon in Vienna
		b.sweep()
		require.Empty(t, r.take())
		require.Contains(t, b.ledger(ann)[0], "queued quiet_hours")
		b.pass(59 * time.Minute)
		b.sweep()
		require.Empty(t, r.take())
		b.pass(time.Minute)
		r.answers(http.StatusServiceUnavailable, "")
		b.sweep()
		b.pass(22 * time.Hour) // the retry falls into the quiet hours of the next day
		r.answers(http.StatusOK, "")
		b.sweep()
		require.Empty(t, r.take())
		b.pass(2 * time.Hour)
		b.sweep()
		require.Len(t, r.take(), 1)
	})
}

func TestSeen_AcknowledgedLook_SuppressesTheNotice(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		r := newReceiver(t)
		players := b.people(2)
		ann := players[0]
		b.hook(ann, r, 0, notify.JSON)
		m := b.started(players, 1)
		require.NoError(t, b.desk.Seen(t.Context(), ann.ID, m.game.ID, m.game.Version-1))
		other := b.started(players, 2)
		require.NoError(t, b.desk.Seen(t.Context(), ann.ID, other.game.ID, other.game.Version))
		b.sweep()
		heard := r.take()
		require.Len(t, heard, 1, "an older look is none, nor is one at another game")
		require.Equal(t, m.game.ID, heard[0].Game)
		require.Contains(t, b.ledger(ann)[1], "superseded seen")
		requireCode(t, host.VersionNotFound, b.desk.Seen(t.Context(), ann.ID, m.game.ID, m.game.Version+1))
		requireCode(t, host.GameNotFound, b.desk.Seen(t.Context(), ann.ID, "none", 1))
	})
}

// The player's own action on another device: what waits to be sent is not sent, and what a device shows is corrected.
func TestSettled_DecidedOnAnotherDevice_IsCorrected(t *testing.T) {
	t.Parallel()
	onEachDriver(t, func(t *testing.T, b *bundle) {
		program, room := newReceiver(t), newReceiver(t)
		players := b.people(2)
		ann := players[0]
		b.hook(ann, program, 0, notify.JSON)
		b.hook(ann, room, 0, notify.Discord)
		m := b.started(players, 1)
		m.playUntilAsked(ann)
		b.sweep()
		program.take()
		room.take()
		m.playUntilNotAsked(ann)
		b.sweep()
		heard := program.take()
		require.NotEmpty(t, heard)
		settled := heard[len(heard)-1]
		require.Equal(t, notify.Settled, settled.Kind)
		require.True(t, settled.Silent)
		require.Zero(t, settled.Badge)
		for _, line := range room.take() {
			require.NotContains(t, line.Content, "not waited for", "what stands in a chat room stays there")
		}
	})
}

// U4, and badges: nothing is left on any device that says a decision waits, once none does. Undos are played too.
func TestU4_WholeGame_NoDeviceShowsADecisionThatDoesNotWait(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	players := b.people(3)
	receivers := make([]*receiver, len(players))
	shows := make([]bool, len(players))
	for i, p := range players {
		receivers[i] = newReceiver(t)
		b.hook(p, receivers[i], 0, notify.JSON)
	}
	m := b.started(players, 5)
	undone := 0
	for m.game.Status == store.Playing {
		actor := m.asked()
		m.play()
		if m.game.UndoReason(m.game.SeatOf(actor.ID)) == "" && m.random.IntN(3) == 0 {
			m.act(host.Command{Player: actor, Key: "undo" + time.Duration(m.game.Version).String(), Deed: store.Undo, Version: m.game.Version})
			undone++
		}
		b.sweep()
		for i, p := range players {
			for _, heard := range receivers[i].take() {
				shows[i] = heard.Kind == notify.YourTurn || heard.Kind == notify.DecisionAsked || heard.Kind == notify.DealOffered
			}
			require.False(t, shows[i] && len(m.game.Waits(p.ID)) == 0, "%s at version %d", p.Name, m.game.Version)
		}
	}
	require.NotZero(t, undone)
}

// N10: no hidden information in any title, body or URL: they are made of the tables of words and the players' names.
func TestN10_NothingOfTheStateIsTold(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	players := b.people(4)
	receivers := make([]*receiver, len(players))
	for i, p := range players {
		receivers[i] = newReceiver(t)
		b.hook(p, receivers[i], 0, notify.JSON)
	}
	m := b.started(players, 7)
	for m.game.Status == store.Playing {
		m.play()
		b.sweep()
	}
	words := strings.NewReplacer("Ann", "", "Bob", "", "Cleo", "", "Dan", "", "Lords of Vegas", "", " with ", "", ", ", "", ".", "", ": ", "")
	told := map[string]bool{}
	for _, r := range receivers {
		for _, p := range r.take() {
			require.Equal(t, "https://games.example/games/"+m.game.ID, p.URL)
			told[words.Replace(p.Title)] = true
			for part := range strings.SplitSeq(p.Body, ". ") {
				told[strings.TrimSpace(words.Replace(part))] = true
			}
		}
	}
	for phrase := range told {
		require.Contains(t, []string{
			"", "Your turn", "A decision for you", "A deal for you", "The game begins", "The game is over", "Your casino was taken over",
			"Your deal is done", "Your deal is off", "You are not waited for any more",
		}, phrase)
	}
}

func TestInvited_IsTold_UntilHeSitsDown(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	r := newReceiver(t)
	players := b.people(3)
	b.hook(players[2], r, 0, notify.JSON)
	answer, err := b.host.Create(t.Context(), players[0], "create", host.NewGame{Game: "lords-of-vegas", Seats: 3})
	require.NoError(t, err)
	invite := host.Command{Game: answer.Game.ID, Player: players[0], Key: "invite", Deed: store.Invite, Invited: players[2].ID}
	_, err = b.host.Act(t.Context(), invite)
	require.NoError(t, err)
	b.sweep()
	require.Equal(t, []notify.Kind{notify.Invited}, kindsOf(r.take()))
	b.pass(time.Second)
	join := host.Command{Game: answer.Game.ID, Player: players[1], Key: "join", Deed: store.Join}
	_, err = b.host.Act(t.Context(), join)
	require.NoError(t, err)
	b.sweep()
	require.Empty(t, r.take(), "once is enough")
	for name, c := range map[string]struct {
		who  store.Player
		whom string
		code string
	}{
		"who is there": {players[0], players[1].ID, host.AlreadyInvited},
		"asked before": {players[1], players[2].ID, host.AlreadyInvited},
		"nobody":       {players[0], "nobody", host.PlayerInvalid},
		"by a passer":  {players[2], players[2].ID, host.NotSeated},
	} {
		_, err := b.host.Act(t.Context(), host.Command{
			Game: answer.Game.ID, Player: c.who, Key: "invite " + name, Deed: store.Invite, Invited: c.whom,
		})
		requireCode(t, c.code, err)
	}
}

// S2: no address and no secret gets into a log.
func TestLogs_HoldNoAddress(t *testing.T) {
	t.Parallel()
	b := setup(t, drivers["sqlite"](t))
	r := newReceiver(t)
	players := b.people(2)
	channel := b.hook(players[0], r, 0, notify.JSON)
	for seed, status := range []int{http.StatusOK, http.StatusBadRequest, http.StatusBadGateway, http.StatusGone} {
		r.answers(status, r.url+" "+string(channel.Address.Secret))
		b.started(players, uint64(seed))
		b.sweep()
	}
	require.Contains(t, b.logs.String(), "status_502")
	require.NotContains(t, b.logs.String(), r.url)
	require.NotContains(t, b.logs.String(), channel.Unsubscribe)
}

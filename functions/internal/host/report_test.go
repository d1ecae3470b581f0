package host_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boulevard/engine/catalogue"
	"boulevard/functions/internal/host"
	"boulevard/functions/internal/store"
	"boulevard/functions/internal/store/sqlite"
)

func TestReport_TellsWhatBecameOfEachCommand(t *testing.T) {
	t.Parallel()
	driver, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "boulevard.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, driver.Close()) })
	keys, err := host.NewKeyring(bytes.Repeat([]byte("boulevard"), 4))
	require.NoError(t, err)
	var reports []host.Report
	h := hosting{host.New(host.Config{
		Store: store.NewTable(driver), Catalogue: catalogue.All(), Keys: keys, Now: time.Now,
		Observe: func(_ context.Context, r host.Report) { reports = append(reports, r) },
	})}
	game, players := h.started(t, 2)
	require.Equal(t, []host.Report{
		{Game: game.ID, Version: 1, Deed: "create", Result: host.Done}, {Game: game.ID, Version: 2, Deed: "join", Result: host.Done},
	}, reports)
	turn := players[game.Asked[0]]
	for _, c := range []struct {
		cmd  host.Command
		want host.Report
	}{
		{host.Command{Deed: store.Play, Play: host.Play{Kind: "end"}, Version: 1}, host.Report{Result: host.Conflicted, Code: "conflict"}},
		{host.Command{Deed: store.Play, Play: host.Play{Kind: "end"}, Version: 2}, host.Report{Result: host.Declined, Code: "must_draw_first"}},
		{host.Command{Deed: store.Leave}, host.Report{Result: host.Declined, Code: "game_not_open"}},
	} {
		reports = nil
		c.cmd.Game, c.cmd.Player, c.cmd.Key = game.ID, turn, "a key of eight"
		_, err := h.Act(t.Context(), c.cmd)
		require.Error(t, err)
		require.Len(t, reports, 1)
		require.Equal(t, c.want.Result, reports[0].Result)
		require.Equal(t, c.want.Code, reports[0].Code)
		require.Zero(t, reports[0].Version)
	}
}

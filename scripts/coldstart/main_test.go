package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"boulevard/scripts/coldstart/emulator"
)

func TestOriginOf_TellsModulesApart(t *testing.T) {
	t.Parallel()
	for symbol, want := range map[string]string{
		"boulevard/engine/lords.(*State).Turn":                                "boulevard/engine",
		"type:.eq.boulevard/api.Game":                                         "boulevard/api",
		"go:itab.*boulevard/functions/internal/rest.answer,net/http.Handler":  "boulevard/functions",
		"github.com/aws/aws-sdk-go-v2/service/dynamodb/schemas.init":          "github.com/aws/aws-sdk-go-v2/service/dynamodb",
		"github.com/aws/aws-sdk-go-v2/aws/retry.(*Standard).MaxAttempts-fm":   "github.com/aws/aws-sdk-go-v2",
		"gopkg.in/yaml%2ev2.resolve":                                          "gopkg.in/yaml.v2",
		"slices.SortFunc[go.shape.[]github.com/aws/smithy-go.X,go.shape.int]": "rest of the standard library",
		"vendor/golang.org/x/net/idna.idnaValues":                             network,
		"crypto/tls.(*Conn).readRecordOrCCS":                                  network,
		"runtime.mallocgc":                                                    "runtime, reflect, os",
		"encoding/json.Marshal":                                               "encoding",
		"go:func.*":                                                           tables,
		"type:func(context.Context) error":                                    tables,
	} {
		require.Equal(t, want, originOf(symbol), symbol)
	}
}

func TestContents_AddUpToTheFile(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "named")
	require.NoError(t, emulator.BuildNamed(t.Context(), "scripts/coldstart/bare", program))
	const size = 8 << 20
	parts, err := contents(program, size)
	require.NoError(t, err)
	sum := int64(0)
	names := make([]string, len(parts))
	for i, p := range parts {
		require.Positive(t, p.bytes, p.name)
		sum += p.bytes
		names[i] = p.name
	}
	require.Equal(t, int64(size), sum)
	require.Subset(t, names, []string{
		network, tables, "github.com/aws/aws-sdk-go-v2/service/dynamodb", "runtime, reflect, os",
	})
}

func TestDurations_AreThoseOfTheLog(t *testing.T) {
	t.Parallel()
	const log = `01 Dec 2026 01:34:53,752 [INFO] (rapid) INIT REPORT(durationMs: 14.774000)
01 Dec 2026 01:34:53,757 [INFO] (rapid) INVOKE RTDONE(status: success, produced bytes: 0, duration: 5.464000ms)
01 Dec 2026 01:34:53,761 [INFO] (rapid) INVOKE RTDONE(status: success, produced bytes: 0, duration: 2.952000ms)
`
	require.Equal(t, []float64{14.774}, durations(log, initReport))
	require.Equal(t, []float64{5.464, 2.952}, durations(log, requestReport))
}

func TestJudge_FailsWhatIsTooSlowOrTooLarge(t *testing.T) {
	t.Parallel()
	c := cli{Ratio: 1.3, Bytes: 1000}
	bare := &measured{starts: []start{{init: 4}, {init: 100}, {init: 3}, {init: 5}}}
	for want, function := range map[string]*measured{
		"":                        {bytes: 1000, starts: []start{{init: 5.2}, {init: 4}, {init: 200}, {init: 6}}},
		"the init takes too long": {bytes: 1000, starts: []start{{init: 5.3}, {init: 4}, {init: 5.4}, {init: 6}}},
		"the file is too large":   {bytes: 1001, starts: []start{{init: 5}}},
	} {
		err := c.judge(function, bare)
		if want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 2, median([]float64{3, 1, 2}), 0)
	require.InDelta(t, 2.5, median([]float64{4, 3, 1, 2}), 0)
	require.InDelta(t, 2, quartile([]float64{4, 3, 1, 2}), 0)
	require.InDelta(t, 1, quartile([]float64{1}), 0)
	require.Equal(t, "1,234,567", grouped(1234567))
	require.Equal(t, "999", grouped(999))
}

package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var usual = habits{
	Looks: 3, Watchers: 1, Mailed: 0.1, Phoned: 0.3, Latency: 5, Memory: 0.5, Logged: 700, Alarms: 10, Metrics: 10, Months: 12,
}

func sample(t *testing.T) (measured, map[string]float64) {
	t.Helper()
	file, err := os.Open("testdata/benchmarks.txt")
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	m, err := read(file)
	require.NoError(t, err)
	var prices priceList
	require.NoError(t, json.Unmarshal(pricesJSON, &prices))
	return m, prices.Unit
}

func TestRead_TakesWhatTheBenchmarksSay(t *testing.T) {
	t.Parallel()
	m, _ := sample(t)
	require.Equal(t, units{write: 8, read: 1, stored: 60000}, m.designs["transaction"])
	require.InEpsilon(t, 0.001, m.command, 1e-9)
	require.InEpsilon(t, 0.006, m.follow, 1e-9)
	require.InEpsilon(t, 0.5, m.notices, 1e-9)
}

func TestRead_SaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := read(strings.NewReader("BenchmarkDesigns/boulevard-2 1000 1 ns/op 1.0 wru/action\n"))
	require.ErrorContains(t, err, `no benchmark has measured "Designs/boulevard rru/action"`)
	require.ErrorContains(t, err, `"Fanout/dynamodb notices/change"`)
}

func TestBill_MultipliesUnitsByPrices(t *testing.T) {
	t.Parallel()
	m, price := sample(t)
	own, other := m.bill(usual, price, m.designs[ours]), m.bill(usual, price, m.designs["transaction"])
	// A request, its function, a write unit and a read unit, 11 KB of answer and 700 B of log.
	require.InEpsilon(t, 1e-6+(0.2e-6+0.011*0.5*1.33334e-5)+(0.625e-6+0.125e-6)+(11e-6*0.09+0.7e-6*0.5), own.of(command), 1e-9)
	require.InEpsilon(t, 7*0.625e-6, other.total()-own.total(), 1e-9, "all else is the same")
	require.InEpsilon(t, own.total()*167+own.kept, own.perGame(167), 1e-9)
	require.InEpsilon(t, 8000/1e9*12*0.45, own.kept, 1e-9)
}

func TestJudge_FailsAboveHalfOfTheOtherDesign(t *testing.T) {
	t.Parallel()
	m, price := sample(t)
	bills := map[string]bill{}
	for _, design := range designs {
		bills[design] = m.bill(usual, price, m.designs[design])
	}
	require.NoError(t, judge(bills))
	bills[ours] = bills["transaction"]
	require.Error(t, judge(bills))
}

func TestPrices_AreAllThere(t *testing.T) {
	t.Parallel()
	m, price := sample(t)
	for name := range price {
		without := map[string]float64{}
		for other, dollars := range price {
			if other != name {
				without[other] = dollars
			}
		}
		full := m.bill(usual, price, m.designs[ours]).total() + m.bill(usual, price, m.designs[ours]).kept + fixed(usual, price)
		less := m.bill(usual, without, m.designs[ours]).total() + m.bill(usual, without, m.designs[ours]).kept + fixed(usual, without)
		require.Less(t, less, full, "%s is in no bill", name)
	}
}

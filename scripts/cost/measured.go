package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// The designs that are compared, the first of which is this program's.
const ours = "boulevard"

var designs = []string{ours, "transaction", "history"}

var designNames = map[string]string{
	ours:          "Boulevard",
	"transaction": "JSON state and event in a transaction",
	"history":     "JSON with its history in one item",
}

// units are what a table is asked for: by one action, and bytes kept for one game.
type units struct{ write, read, stored float64 }

// measured is what the benchmarks say.
type measured struct {
	designs map[string]units
	// actions are those of a game.
	actions float64
	// command is the processor's time for one command, in seconds, and answer the bytes that it is answered.
	command, answer float64
	// follow is what follows from a change: notices, the table's units, and the time that it takes, in seconds.
	notices, followWrite, followRead, follow float64
}

// read takes the results of the benchmarks Designs, Command and Fanout; repeated runs are averaged.
func read(from io.Reader) (measured, error) {
	sums := map[string]float64{}
	counts := map[string]float64{}
	reader := benchfmt.NewReader(from, "benchmarks")
	for reader.Scan() {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(string(result.Name), "-")
		for _, value := range result.Values {
			sums[name+" "+value.Unit] += value.Value
			counts[name+" "+value.Unit]++
		}
	}
	if err := reader.Err(); err != nil {
		return measured{}, err
	}
	return fromResults(func(key string) (float64, bool) { return sums[key] / counts[key], counts[key] > 0 })
}

func fromResults(value func(key string) (float64, bool)) (measured, error) {
	var missing []error
	get := func(key string) float64 {
		v, ok := value(key)
		if !ok {
			missing = append(missing, fmt.Errorf("no benchmark has measured %q", key))
		}
		return v
	}
	m := measured{designs: map[string]units{}}
	for _, design := range designs {
		name := "Designs/" + design
		m.designs[design] = units{
			write: get(name + " wru/action"), read: get(name + " rru/action"), stored: get(name + " stored-B/game"),
		}
	}
	m.actions = get("Designs/" + ours + " actions/game")
	m.command, m.answer = get("Command/dynamodb cpu-us/action")/1e6, get("Command/dynamodb answer-B/action")
	m.notices = get("Fanout/dynamodb notices/change")
	m.followWrite, m.followRead = get("Fanout/dynamodb wru/change"), get("Fanout/dynamodb rru/change")
	m.follow = get("Fanout/dynamodb sec/op")
	return m, errors.Join(missing...)
}

func (m measured) print(h habits) {
	fmt.Printf(`
measured                              per action
  table units of the command          %.2f written, %.2f read
  table units of what follows         %.2f written, %.2f read, %.2f notices
  time of the command, its answer     %.1f ms of a processor, %.1f KB
  time of what follows                %.1f ms, table and receivers on the same machine
  actions of a game, bytes kept       %.0f, %.1f KB
assumed
  looks at a game, live watchers      %.1f, %.1f
  notices by mail, to phones          %.0f %%, %.0f %%
  wait for one call to the table      %.0f ms
  memory of a function, log of a call %.2f GB, %.0f B
`, m.designs[ours].write, m.designs[ours].read, m.followWrite, m.followRead, m.notices, m.command*1e3, m.answer/1e3, m.follow*1e3,
		m.actions, m.designs[ours].stored/1e3, h.Looks, h.Watchers, 100*h.Mailed, 100*h.Phoned, h.Latency, h.Memory, h.Logged)
}

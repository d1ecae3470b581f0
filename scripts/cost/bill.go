package main

import (
	"fmt"
	"strings"
)

// bill is what one action costs, in dollars, by what it is for, and what a finished game costs to keep.
type bill struct {
	lines []line
	kept  float64
}

type line struct {
	name    string
	dollars float64
	// table tells that the design of the table decides it.
	table bool
}

const (
	gigabyte = 1e9
	// callsOfCommand are those of a command to the table, and callsOfFollowing those of what follows, for each notice.
	callsOfCommand, callsOfFollowing = 2, 6
)

// bill is what an action costs on a design of the table. All else is the same.
func (m measured) bill(h habits, price map[string]float64, design units) bill {
	run := func(seconds, calls float64) float64 {
		return price["function_request"] + (seconds+calls*h.Latency/1e3)*h.Memory*price["function_gb_second"]
	}
	invocations := 2 + h.Looks + m.notices
	return bill{
		lines: []line{
			{name: "HTTP API", dollars: (1 + h.Looks) * price["http_request"]},
			{name: "function http", dollars: run(m.command, callsOfCommand) + h.Looks*run(m.command, 1)},
			{name: "the command's units", dollars: design.write*price["write_unit"] + design.read*price["read_unit"], table: true},
			{name: "looks at the game", dollars: h.Looks * design.read * price["read_unit"], table: true},
			{name: "functions stream and notify", dollars: run(m.follow, callsOfFollowing) + m.notices*run(m.follow, callsOfFollowing)},
			{name: "units of ledger and lists", dollars: m.followWrite*price["write_unit"] + m.followRead*price["read_unit"]},
			{name: "mails and pushes", dollars: m.notices * (h.Mailed*price["mail"] + h.Phoned*price["phone_push"])},
			{name: "live messages", dollars: h.Watchers * price["socket_message"]},
			{name: "logs", dollars: invocations * h.Logged / gigabyte * price["log_gb"]},
			{name: "answers sent", dollars: (1 + h.Looks) * m.answer / gigabyte * price["out_gb"]},
		},
		kept: design.stored / gigabyte * h.Months * (price["stored_gb_month"] + price["backup_gb_month"]),
	}
}

func (b bill) total() float64 { return b.sum(func(line) bool { return true }) }

// table is what the design of the table decides.
func (b bill) table() float64 { return b.sum(func(l line) bool { return l.table }) }

func (b bill) sum(counts func(line) bool) float64 {
	sum := 0.0
	for _, l := range b.lines {
		if counts(l) {
			sum += l.dollars
		}
	}
	return sum
}

// perGame is what a game costs until it is finished, and to keep it.
func (b bill) perGame(actions float64) float64 { return b.total()*actions + b.kept }

const million = 1e6

func printBills(bills map[string]bill, m measured) {
	fmt.Printf("\n%-30s", "dollars per million actions")
	for _, design := range designs {
		fmt.Printf("  %22s", shortened(designNames[design]))
	}
	fmt.Println()
	for i, l := range bills[ours].lines {
		fmt.Printf("  %-28s", l.name)
		for _, design := range designs {
			fmt.Printf("  %22.2f", bills[design].lines[i].dollars*million)
		}
		fmt.Println()
	}
	rows := []struct {
		name  string
		value func(design string) float64
		form  string
	}{
		{"the table, together", func(d string) float64 { return bills[d].table() * million }, "  %22.2f"},
		{"all", func(d string) float64 { return bills[d].total() * million }, "  %22.2f"},
		{"dollars for a finished game", func(d string) float64 { return bills[d].perGame(m.actions) }, "  %22.6f"},
		{"  to keep it", func(d string) float64 { return bills[d].kept }, "  %22.6f"},
	}
	for _, row := range rows {
		fmt.Printf("%-30s", row.name)
		for _, design := range designs {
			fmt.Printf(row.form, row.value(design))
		}
		fmt.Println()
	}
}

// shortened fits a name into a column.
func shortened(name string) string {
	const width = 22
	if len(name) <= width {
		return name
	}
	return strings.TrimSpace(name[:width-3]) + "..."
}

// fixed is what a stage costs a month when nobody plays.
func fixed(h habits, price map[string]float64) float64 {
	const minutes, secrets = 30 * 24 * 60, 2
	sweep := price["schedule"] + price["function_request"] + h.Latency/1e3*h.Memory*price["function_gb_second"] + price["read_unit"]
	return minutes*sweep + secrets*price["secret_month"] + h.Alarms*price["alarm_month"] + h.Metrics*price["metric_month"] +
		price["dashboard_month"]
}

func printGrowth(perGame, fixed float64) {
	fmt.Printf("\n%12s  %14s  %14s\n", "games/month", "dollars/month", "dollars/game")
	for games := 1.0; games <= million; games *= 10 {
		total := fixed + games*perGame
		fmt.Printf("%12.0f  %14.2f  %14.6f\n", games, total, total/games)
	}
	fmt.Printf("A stage costs %.2f a month when nobody plays: metrics, alarms, a dashboard, secrets, and a look at the clock every minute.\n",
		fixed)
}

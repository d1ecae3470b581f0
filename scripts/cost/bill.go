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
	part    part
	name    string
	dollars float64
}

// part is what a line is for.
type part string

const (
	// command is the action itself, from the request to its answer.
	command part = "the action"
	// looks are those of all who sit at the table.
	looks part = "looks at it"
	// follows is all that follows from it.
	follows part = "what follows"
)

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
	logged := h.Logged / gigabyte * price["log_gb"]
	answer := m.answer / gigabyte * price["out_gb"]
	following := 1 + m.notices
	return bill{
		lines: []line{
			{command, "request", price["http_request"]},
			{command, "function", run(m.command, callsOfCommand)},
			{command, "units of the table", design.write*price["write_unit"] + design.read*price["read_unit"]},
			{command, "answer and log", answer + logged},
			{looks, "requests", h.Looks * price["http_request"]},
			{looks, "function", h.Looks * run(m.command, 1)},
			{looks, "units of the table", h.Looks * design.read * price["read_unit"]},
			{looks, "answers and logs", h.Looks * (answer + logged)},
			{follows, "functions and logs", following * (run(m.follow, callsOfFollowing) + logged)},
			{follows, "units of ledger and lists", m.followWrite*price["write_unit"] + m.followRead*price["read_unit"]},
			{follows, "mails and pushes", m.notices * (h.Mailed*price["mail"] + h.Phoned*price["phone_push"])},
			{follows, "live messages", h.Watchers * price["socket_message"]},
		},
		kept: design.stored / gigabyte * h.Months * (price["stored_gb_month"] + price["backup_gb_month"]),
	}
}

func (b bill) total() float64 { return b.of(command) + b.of(looks) + b.of(follows) }

// of is what a part of the bill comes to.
func (b bill) of(p part) float64 {
	sum := 0.0
	for _, l := range b.lines {
		if l.part == p {
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
		if i == 0 || bills[ours].lines[i-1].part != l.part {
			printRow(string(l.part), "%22.2f", func(design string) float64 { return bills[design].of(l.part) * million })
		}
		printRow("    "+l.name, "%22.2f", func(design string) float64 { return bills[design].lines[i].dollars * million })
	}
	printRow("all", "%22.2f", func(design string) float64 { return bills[design].total() * million })
	printRow("dollars for a finished game", "%22.6f", func(design string) float64 { return bills[design].perGame(m.actions) })
	printRow("    to keep it", "%22.6f", func(design string) float64 { return bills[design].kept })
}

// printRow prints a number for each design.
func printRow(name, form string, value func(design string) float64) {
	fmt.Printf("%-30s", name)
	for _, design := range designs {
		fmt.Printf("  "+form, value(design))
	}
	fmt.Println()
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

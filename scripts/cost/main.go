// Command cost tells what hosting costs: it multiplies what the benchmarks have measured by a dated table of list prices. It
// reads their output from standard input.
package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/alecthomas/kong"
)

// habits are what no benchmark can measure: how clients behave, and how far the table is from the functions.
type habits struct {
	Looks    float64 `help:"How often a game is looked at for one action made in it." default:"3"`
	Watchers float64 `help:"How many live connections hear of an action." default:"1.5"`
	Mailed   float64 `help:"Which part of the notices goes out by e-mail." default:"0.1"`
	Phoned   float64 `help:"Which part of them goes to apps on phones." default:"0.3"`
	Latency  float64 `help:"Milliseconds that a function waits for one call to its table." default:"5"`
	Memory   float64 `help:"Gigabytes that a function has." default:"0.5"`
	Logged   float64 `help:"Bytes that are logged for one invocation." default:"700"`
	Alarms   float64 `help:"Alarms of a stage." default:"20"`
	Metrics  float64 `help:"Metrics of a stage, each combination of dimensions being one." default:"25"`
	Months   float64 `help:"For how long a finished game is kept." default:"12"`
}

// priceList is what a unit of each thing costs, in dollars.
type priceList struct {
	AsOf   string             `json:"as_of"`
	Region string             `json:"region"`
	Note   string             `json:"note"`
	Unit   map[string]float64 `json:"unit"`
}

//go:embed prices.json
var pricesJSON []byte

func main() {
	var h habits
	command := kong.Parse(&h, kong.Name("cost"))
	command.FatalIfErrorf(h.run())
}

func (h habits) run() error {
	var prices priceList
	if err := json.Unmarshal(pricesJSON, &prices); err != nil {
		return err
	}
	m, err := read(os.Stdin)
	if err != nil {
		return err
	}
	fmt.Printf("list prices of %s as of %s (%s)\n", prices.Region, prices.AsOf, prices.Note)
	m.print(h)
	bills := map[string]bill{}
	for _, design := range designs {
		bills[design] = m.bill(h, prices.Unit, m.designs[design])
	}
	printBills(bills, m)
	printGrowth(bills[ours].perGame(m.actions), fixed(h, prices.Unit))
	return judge(bills)
}

// half is what an action may cost at the most of what it costs by another design.
const half = 0.5

// judge compares this design with the cheaper of the others, by what an action costs from its request to its answer.
func judge(bills map[string]bill) error {
	ratio := func(cost func(bill) float64) float64 {
		return cost(bills[ours]) / min(cost(bills[designs[1]]), cost(bills[designs[2]]))
	}
	action := ratio(func(b bill) float64 { return b.of(command) })
	fmt.Printf("\nAn action costs %.0f %% of what it costs by the cheaper of the other designs; with looks and all that follows, %.0f %%.\n",
		100*action, 100*ratio(bill.total))
	if action >= half {
		return errors.New("an action costs more than half of what it costs by another design")
	}
	return nil
}

package engine

// Choice is something a seat may do now. A choice without Fill is one action; a choice with Fill stands for every action
// that can be made of it by filling each parameter from its domain. What is offered is exactly what is accepted.
type Choice struct {
	// Action is what to do, with its fixed arguments. It may be shared, so nobody changes it.
	Action Action
	// Prompt is the prompt that this choice answers, or 0.
	Prompt PromptID
	// Fill lists the arguments that the seat still decides.
	Fill []Param
	// Facts explains the choice to a client that knows no rules (costs, gains, who is boss), as the game's own data.
	Facts any
}

// ParamKind names the shape of a parameter's domain.
type ParamKind string

const (
	// Range is a whole number from Min to Max, both included.
	Range ParamKind = "range"
	// Arrangement is a list that puts each of Values once into Slots, in the order of Slots.
	Arrangement ParamKind = "arrangement"
	// Deal is a list of steps by which parties give each other money and things, by the game's own schema.
	Deal ParamKind = "deal"
)

// Party is what one seat can put into a deal.
type Party struct {
	Seat Seat `json:"seat"`
	// Money is the most that it could give now, in dollars.
	Money int `json:"money"`
	// Goods are the names of the things it could give, by their sort.
	Goods map[string][]string `json:"goods"`
}

// Param is an argument that the seat fills in.
type Param struct {
	// Name is the argument's name in the action.
	Name string    `json:"name"`
	Kind ParamKind `json:"kind"`
	// Min and Max bound a range.
	Min int `json:"min,omitempty"`
	Max int `json:"max,omitempty"`
	// Slots and Values are those of an arrangement, equal in number.
	Slots  []string `json:"slots,omitempty"`
	Values []int    `json:"values,omitempty"`
	// Parties are those of a deal.
	Parties []Party `json:"parties,omitempty"`
}

// Filled is the action that c stands for when each parameter is filled at random: pick(n) returns a number from 0 to n-1.
// A deal is left without steps, as only the game knows which ones mean anything.
func (c Choice) Filled(pick func(n int) int) Action {
	action := c.Action
	for _, p := range c.Fill {
		if p.Kind == Deal {
			continue
		}
		action = action.(Fillable).Fill(p.Name, p.pick(pick))
	}
	return action
}

func (p Param) pick(pick func(n int) int) []int {
	if p.Kind == Range {
		return []int{p.Min + pick(p.Max-p.Min+1)}
	}
	values := append([]int(nil), p.Values...)
	for i := len(values) - 1; i > 0; i-- {
		j := pick(i + 1)
		values[i], values[j] = values[j], values[i]
	}
	return values
}

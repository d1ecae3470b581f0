package lords

import "boulevard/engine"

// DealFacts explains an answer to a deal.
type DealFacts struct {
	Deal uint32 `json:"deal"`
	// Last tells that nothing but this acceptance is missing.
	Last bool `json:"last,omitempty"`
}

// DealView is an open deal as everybody sees it.
type DealView struct {
	Deal     uint32        `json:"deal"`
	Proposer engine.Seat   `json:"proposer"`
	Parties  []engine.Seat `json:"parties"`
	Accepted []engine.Seat `json:"accepted"`
	Steps    Steps         `json:"steps"`
	// Stale says why the deal could not be made now.
	Stale *engine.Refusal `json:"stale,omitempty"`
}

// dealOffers lists what a seat may do about trades at this moment, whoever's turn it is.
func (s *State) dealOffers(seat engine.Seat) []engine.Choice {
	if !seat.In(len(s.Players)) || s.Phase == Over {
		return nil
	}
	var list []engine.Choice
	domain := s.dealDomain()
	if r := s.canPropose(seat, nil); r.ok() {
		list = append(list, engine.Choice{Action: new(Propose), Fill: domain})
	}
	for i := range s.Deals {
		deal := &s.Deals[i]
		if !deal.Steps.parties(s.Turn).has(seat) {
			continue
		}
		prompt := deal.prompt(seat)
		accept := &Accept{prompt: prompt}
		if r := accept.check(s, seat); r.ok() {
			facts := &DealFacts{Deal: deal.Version, Last: deal.last(seat, s.Turn)}
			list = append(list, engine.Choice{Action: new(Accept), Prompt: prompt, Facts: facts})
		}
		facts := &DealFacts{Deal: deal.Version}
		list = append(list, engine.Choice{Action: new(Withdraw), Prompt: prompt, Facts: facts})
		if r := s.canPropose(seat, deal); r.ok() {
			list = append(list, engine.Choice{Action: new(Counter), Prompt: prompt, Fill: domain, Facts: facts})
		}
	}
	return list
}

// dealDomain tells what each seat could put into a deal now.
func (s *State) dealDomain() []engine.Param {
	parties := make([]engine.Party, len(s.Players))
	for i := range parties {
		lots, dice := []string{}, []string{}
		for at := range s.Lots {
			switch lot := &s.Lots[at]; {
			case lot.hasMarker(engine.Seat(i)):
				lots = append(lots, string(s.id(at)))
			case lot.hasDie(engine.Seat(i)):
				dice = append(dice, string(s.id(at)))
			}
		}
		parties[i] = engine.Party{
			Seat: engine.Seat(i), Money: s.Players[i].Money, Goods: map[string][]string{"lots": lots, "dice": dice},
		}
	}
	return []engine.Param{{Name: "steps", Kind: engine.Deal, Parties: parties}}
}

// dealViews hides nothing: deals are made at the table.
func (s *State) dealViews() []DealView {
	views := make([]DealView, 0, len(s.Deals))
	for i := range s.Deals {
		deal := &s.Deals[i]
		stale := s.canClose(deal)
		views = append(views, DealView{
			Deal: deal.Version, Proposer: deal.Proposer, Parties: deal.Steps.parties(s.Turn).list(),
			Accepted: deal.Accepted.list(), Steps: deal.Steps, Stale: stale.data(),
		})
	}
	return views
}

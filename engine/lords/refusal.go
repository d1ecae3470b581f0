package lords

import "boulevard/engine"

// Sections of the rule book that refusals and events cite.
const (
	ruleSetup      = "Setting Up"
	ruleOwns       = "Who Owns What"
	ruleTurns      = "Taking Turns"
	ruleDraw       = "Step 1: Draw"
	ruleTakeOver   = "Take Over Your Lot"
	ruleLotsPay    = "Owned Lots Pay"
	ruleCasinosPay = "Casinos Pay"
	rulePlay       = "Step 2: Play"
	ruleTiles      = "Available Tiles"
	ruleDice       = "Available Dice"
	ruleBuild      = "Action - Build"
	ruleSprawl     = "Action - Sprawl"
	ruleRemodel    = "Action - Remodel"
	ruleReorganize = "Action - Reorganize"
	ruleGamble     = "Action - Gamble"
	ruleRaise      = "Action - Raise"
	ruleTies       = "Reroll if Tied"
	ruleTrading    = "Trading"
	ruleWinning    = "Winning"
)

// Names of particulars that several refusals have.
const (
	argArgument = "argument"
	argMax      = "max"
)

// why is a reason to refuse something; the zero why is none.
type why uint8

const (
	fine why = iota
	// The game has no such thing.
	unknownLot
	unknownColor
	// The lot does not suit.
	notYourLot
	lotNotEmpty
	lotOwned
	notAdjacent
	// The casino is none, is not named by its first lot, or has the wrong boss.
	noCasino
	notFirstLot
	noBoss
	notBoss
	ownCasino
	// The supply or the purse does not suffice.
	noTiles
	notEnoughMoney
	// The casino cannot be changed like that.
	sameColor
	noRisers
	maxHeight
	// The dice or the bet do not allow it.
	noDieThere
	alreadyReorganized
	alreadyGambled
	betOutOfRange
	wrongDice
	// A die must be named if and only if none is in the supply (Available Dice).
	dieNeeded
	dieInSupply
	notYourDie
	// A turn has one draw, and begins with it (Rulings 4).
	mustDrawFirst
	alreadyDrawn
	// The deal is not one, or there are too many.
	unknownSeat
	noSteps
	tooManySteps
	tooManyDeals
	alreadyProposed
	alreadyAccepted
	badStep
	toOneself
	badMoney
	notInDeals
	onlyLast
	notAParty
	nobodyElse
	// What is given is not the giver's, or the receiver has nothing to mark it with.
	notGiversLot
	notGiversDie
	noMarkerLeft
	noDieLeft
	// The rest of a deal would be up to dice, or something else must be answered before it.
	upToDice
	promptOpen
)

// dealStale is the code of a deal that cannot be done any more: its particulars say why, with the reason's own code.
const dealStale = "deal_stale"

// reasons are the codes of the refusals, and what their particulars are called: two numbers and a name.
var reasons = [...]struct {
	code    string
	numbers [2]string
	name    string
}{
	fine:               {},
	unknownLot:         {code: "unknown_lot", name: argArgument},
	unknownColor:       {code: "unknown_color"},
	notYourLot:         {code: "not_your_lot"},
	lotNotEmpty:        {code: "lot_not_empty"},
	lotOwned:           {code: "lot_owned", numbers: [2]string{"owner"}},
	notAdjacent:        {code: "not_adjacent"},
	noCasino:           {code: "no_casino"},
	notFirstLot:        {code: "not_first_lot", name: "first"},
	noBoss:             {code: "no_boss"},
	notBoss:            {code: "not_boss", numbers: [2]string{"boss"}},
	ownCasino:          {code: "own_casino"},
	noTiles:            {code: "no_tiles", numbers: [2]string{"needed", "left"}, name: "color"},
	notEnoughMoney:     {code: "not_enough_money", numbers: [2]string{"needed", "have"}},
	sameColor:          {code: "same_color"},
	noRisers:           {code: "no_risers"},
	maxHeight:          {code: "max_height", numbers: [2]string{argMax}},
	noDieThere:         {code: "no_die_there"},
	alreadyReorganized: {code: "already_reorganized"},
	alreadyGambled:     {code: "already_gambled"},
	betOutOfRange:      {code: "bet_out_of_range", numbers: [2]string{"min", argMax}},
	wrongDice:          {code: "wrong_dice"},
	dieNeeded:          {code: "die_needed"},
	dieInSupply:        {code: "die_in_supply"},
	notYourDie:         {code: "not_your_die"},
	mustDrawFirst:      {code: "must_draw_first"},
	alreadyDrawn:       {code: "already_drawn"},
	unknownSeat:        {code: "unknown_seat"},
	noSteps:            {code: "no_steps"},
	tooManySteps:       {code: "too_many_steps", numbers: [2]string{argMax}},
	tooManyDeals:       {code: "too_many_deals", numbers: [2]string{argMax}},
	alreadyProposed:    {code: "already_proposed"},
	alreadyAccepted:    {code: "already_accepted"},
	badStep:            {code: "bad_step"},
	toOneself:          {code: "to_oneself"},
	badMoney:           {code: "bad_money", numbers: [2]string{"min", argMax}},
	notInDeals:         {code: "not_in_deals"},
	onlyLast:           {code: "only_last"},
	notAParty:          {code: "not_a_party"},
	nobodyElse:         {code: "nobody_else"},
	notGiversLot:       {code: "not_givers_lot", numbers: [2]string{"giver"}, name: "lot"},
	notGiversDie:       {code: "not_givers_die", numbers: [2]string{"giver"}, name: "lot"},
	noMarkerLeft:       {code: "no_marker_left", numbers: [2]string{"receiver"}},
	noDieLeft:          {code: "no_die_left", numbers: [2]string{"receiver"}},
	upToDice:           {code: "up_to_dice"},
	promptOpen:         {code: engine.PromptOpen, numbers: [2]string{"prompt", "seat"}},
}

// refusal says why something is not possible; the zero refusal says that it is. It is a small value, made without
// allocation, because whoever lists the choices asks about many things that are not possible.
type refusal struct {
	why why
	// step is one more than the place of the step of a deal that is refused.
	step uint8
	// stale tells that the step was possible when the deal was proposed.
	stale   bool
	rule    string
	numbers [2]int
	name    string
}

func refuse(why why, rule string) refusal { return refusal{why: why, rule: rule} }

// ok reports whether nothing is refused.
func (r *refusal) ok() bool { return r.why == fine }

// data is the refusal for clients, nil where nothing is refused.
func (r *refusal) data() *engine.Refusal {
	if r.ok() {
		return nil
	}
	reason := &reasons[r.why]
	args := engine.Args{}
	for i, name := range reason.numbers {
		if name != "" {
			args[name] = r.numbers[i]
		}
	}
	if reason.name != "" {
		args[reason.name] = r.name
	}
	if r.step > 0 {
		args["step"] = int(r.step) - 1
	}
	code := reason.code
	if r.stale {
		args["code"], code = code, dealStale
	}
	if len(args) == 0 {
		args = nil
	}
	return engine.Refuse(code, r.rule, args)
}

// noSuchLot refuses a lot that the board does not have. What was sent is not repeated: it may be anything.
func noSuchLot(argument string) refusal {
	return refusal{why: unknownLot, rule: ruleOwns, name: argument}
}

// pay refuses what the seat cannot pay for: there is no credit.
func (s *State) pay(seat engine.Seat, cost int, rule string) refusal {
	if have := s.Players[seat].Money; have < cost {
		return refusal{why: notEnoughMoney, rule: rule, numbers: [2]int{cost, have}}
	}
	return refusal{}
}

// tiles refuses a colour that has too few tiles left (Available Tiles).
func (s *State) tiles(color Color, needed int) refusal {
	if !color.company() {
		return refuse(unknownColor, ruleTiles)
	}
	if left := s.tilesLeft(color); left < needed {
		return refusal{why: noTiles, rule: ruleTiles, numbers: [2]int{needed, left}, name: color.String()}
	}
	return refusal{}
}

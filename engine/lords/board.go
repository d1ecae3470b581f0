package lords

import (
	"embed"
	"encoding/json"
	"math/bits"
)

//go:embed boards/*.json
var boardFiles embed.FS

// maxLots is what a lotSet can hold.
const maxLots = 64

// noLot stands for no lot where a lot's place in the board's order is wanted.
const noLot = -1

// LotID names a lot as the board prints it, such as "A2".
type LotID string

// LotInfo is what is printed on the board about a lot.
type LotInfo struct {
	ID   LotID `json:"id"`
	Row  int   `json:"row"`
	Col  int   `json:"col"`
	Cost int   `json:"cost"`
	Die  int   `json:"die"`
	// Strip tells whether the lot touches The Strip.
	Strip bool `json:"strip"`
}

// Card is a property card's place in the unshuffled deck.
type Card uint8

// noCard stands for no card.
const noCard Card = 0xff

// cardInfo is what is printed on a property card.
type cardInfo struct {
	// lot is the place of its lot, or noLot.
	lot   int
	color Color
}

// board is the printed board with its deck. Lots are known by their place in its order.
type board struct {
	id, street, provenance string

	lots  []LotInfo
	index map[LotID]int
	// near are the lots that share an edge with each, none of them across a street (Rulings 15).
	near  []lotSet
	strip lotSet

	cards []cardInfo
	// end is the End of Game card.
	end Card
	// track are the spaces of the scoring track, with its breaks.
	track []int

	menu *menu
}

// boardFile and deckFile are the shapes of the files in boards/.
type boardFile struct {
	Board      string `json:"board"`
	Street     string `json:"strip"`
	Provenance string `json:"provenance"`
	Lots       []struct {
		LotInfo
		Neighbors []LotID `json:"neighbors"`
	} `json:"lots"`
}

type deckFile struct {
	Companies map[string]string `json:"companies"`
	Track     []int             `json:"track"`
	Cards     []struct {
		Lot   LotID  `json:"lot"`
		Color string `json:"color"`
		End   bool   `json:"end_of_game"`
	} `json:"cards"`
}

// loadBoard reads an embedded board. That one is well-formed is tested, so it cannot fail.
func loadBoard(name string) *board {
	var file boardFile
	readBoard(name, &file)
	b := &board{
		id: file.Board, street: file.Street, provenance: file.Provenance,
		index: make(map[LotID]int, len(file.Lots)),
	}
	for i, lot := range file.Lots {
		b.lots = append(b.lots, lot.LotInfo)
		b.index[lot.ID] = i
		if lot.Strip {
			b.strip |= lotBit(i)
		}
	}
	for _, lot := range file.Lots {
		var near lotSet
		for _, id := range lot.Neighbors {
			near |= lotBit(b.index[id])
		}
		b.near = append(b.near, near)
	}
	b.loadDeck()
	b.menu = newMenu(b.lots)
	return b
}

// loadDeck reads the cards. All but the End of Game card name a lot, also those that Pay The Strip (Components; Rulings 1).
func (b *board) loadDeck() {
	var file deckFile
	readBoard("property-cards", &file)
	b.track = file.Track
	for i, card := range file.Cards {
		lot, ok := b.index[card.Lot]
		if !ok {
			lot = noLot
		}
		if card.End {
			b.end = Card(i)
		}
		b.cards = append(b.cards, cardInfo{lot: lot, color: colorNamed(card.Color)})
	}
}

// readBoard panics where a file is broken: it is part of the program, not something that is handed in.
func readBoard(name string, into any) {
	data, err := boardFiles.ReadFile("boards/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		panic(err)
	}
}

// neighbors are the lots that share an edge with a lot of the set.
func (b *board) neighbors(set lotSet) lotSet {
	var near lotSet
	for rest := set; rest != 0; rest &= rest - 1 {
		near |= b.near[rest.first()]
	}
	return near &^ set
}

// lotSet is a set of lots: bit i stands for the lot in place i of the board's order. Loops take the members in that order:
//
//	for rest := set; rest != 0; rest &= rest - 1 { lot := rest.first() ... }
type lotSet uint64

func lotBit(lot int) lotSet { return 1 << lot }

func (l lotSet) has(lot int) bool { return l>>lot&1 != 0 }
func (l lotSet) first() int       { return bits.TrailingZeros64(uint64(l)) }
func (l lotSet) count() int       { return bits.OnesCount64(uint64(l)) }

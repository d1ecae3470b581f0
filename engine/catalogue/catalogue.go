// Package catalogue lists the games that can be played here.
package catalogue

import (
	"boulevard/engine"
	"boulevard/engine/lords"
)

// All is every game, in the order in which it is offered. The list is explicit: nothing registers itself.
func All() engine.Catalogue {
	return engine.Catalogue{
		lords.Game(),
	}
}

package main

import "fmt"

// MayDestroy refuses to destroy a stage unless whoever wants it has named the stage twice over, knowing what is lost.
func MayDestroy(config Config, confirm, confirmDataLoss string) error {
	lost := "its addresses, connections and alarms; its table, keyring and logs stay, but no later stack takes them up by itself"
	if config.Throwaway {
		lost = "its table, its keyring and its logs: every game and player"
	}
	for _, given := range []struct{ name, value string }{{"CONFIRM", confirm}, {"CONFIRM_DATA_LOSS", confirmDataLoss}} {
		if given.value != config.Stage {
			return fmt.Errorf("destroying %s loses %s. If that is meant: %s=%s (it is %q)",
				config.Stage, lost, given.name, config.Stage, given.value)
		}
	}
	return nil
}

// Package notify tells players what has happened in their games, each once on each channel, and keeps a ledger of it.
//
// A change of a game becomes records in the ledger ([Planner]); a record that is written is sent ([Sender]), and what became
// of it is written into it. Nothing is sent that is not recorded, and nothing is recorded that is not committed.
package notify

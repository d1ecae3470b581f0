// Package live tells whoever watches a game that it has moved on. A message says only "game G is at version v": the client
// then asks for the game as it may see it. So no message can be ahead of the table, show anything hidden, or do harm when
// it is lost, repeated or late. The contract is api/asyncapi.yaml.
package live

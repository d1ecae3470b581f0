'use strict'

// node serve.js PORT: a DynamoDB-compatible server in memory, on 127.0.0.1 only. Port 0 takes any free one. Its port is
// the one line it prints, once it listens. It ends when its standard input does, so it never outlives who started it.

const dynalite = require('dynalite')

const port = Number(process.argv[2])
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error('usage: node serve.js PORT')
  process.exit(2)
}

const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 })
server.keepAliveTimeout = 120000 // longer than clients keep idle connections: a request never meets one being closed
server.on('error', (err) => {
  console.error(err.message)
  process.exit(1)
})
// A client that gives up in the middle of a request is nothing to end for; dynalite itself throws.
server.on('request', (request) => request.removeAllListeners('error').on('error', () => {}))
server.listen(port, '127.0.0.1', () => console.log(server.address().port))

process.stdin.resume()
process.stdin.on('end', () => process.exit(0))
process.stdin.on('error', () => process.exit(0))

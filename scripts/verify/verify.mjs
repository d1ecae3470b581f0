// Checks the dice of an exported game as `go run ./scripts/verify` does, with nothing but Node: node verify.mjs FILE.
// It shares no code with the server, so that both would have to be wrong in the same way.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

const hosting = ['create', 'join', 'leave', 'start', 'undo', 'order', 'invite', 'rewind', 'repin']

/** Bytes of hexadecimal digits, of which Node's own reader would take as many as it understands. */
function bytes(what, text, least, most) {
  if (typeof text !== 'string' || !/^([0-9a-f]{2})*$/i.test(text) || text.length < 2 * least || text.length > 2 * most) {
    throw new Error(`the ${what} is not ${least} to ${most} bytes in hexadecimal digits`)
  }
  return Buffer.from(text, 'hex')
}

/** The seed: HMAC-SHA256(secret, game id, and for each seat the length of its entropy and the entropy). */
function seedOf(game, secret) {
  const mac = createHmac('sha256', secret).update(game.id)
  for (const player of game.players) {
    const entropy = bytes('entropy', player.entropy ?? '', 0, 255)
    mac.update(Buffer.from([entropy.length])).update(entropy)
  }
  return mac.digest()
}

/** The bytes of one version: HMAC-SHA256(seed, version as 8 bytes, block as 4), blocks 0, 1, ... one after another. */
function* stream(seed, version) {
  for (let block = 0; ; block++) {
    const message = Buffer.alloc(12)
    message.writeBigUInt64BE(BigInt(version))
    message.writeUInt32BE(block, 8)
    yield* createHmac('sha256', seed).update(message).digest()
  }
}

/** A number below n: the first byte below the greatest multiple of n that a byte can hold, modulo n. */
function roll(source, n) {
  for (;;) {
    const byte = source.next().value
    if (byte < 256 - (256 % n)) return byte % n
  }
}

function check(game) {
  if (game.format !== 1) throw new Error(`the document has format ${game.format}, and this program reads format 1`)
  if (!game.secret) throw new Error('the document has no secret: it is revealed when the game has ended')
  const secret = bytes('secret', game.secret, 32, 32)
  const hash = createHash('sha256').update(secret).digest('hex')
  if (hash !== bytes('commitment', game.commitment, 32, 32).toString('hex')) {
    throw new Error(`the commitment is ${game.commitment}, but the hash of the secret is ${hash}`)
  }
  const seed = seedOf(game, secret)
  let last = 0
  for (const entry of game.entries) {
    if (!Number.isSafeInteger(entry.version) || entry.version <= last) {
      throw new Error(`version ${entry.version} follows version ${last}`)
    }
    last = entry.version
    checkEntry(seed, entry)
  }
}

function checkEntry(seed, entry) {
  const source = stream(seed, entry.version)
  const rolls = entry.rolls ?? []
  rolls.forEach(([n, value, more], index) => {
    const can = Number.isInteger(n) && n >= 1 && n <= 256 && more === undefined
    const may = entry.starts === true || !hosting.includes(entry.kind)
    const want = can && may ? roll(source, n) : undefined
    if (value === want && want !== undefined) return
    const wanted = want === undefined ? 'none' : `[${n},${want}]`
    throw new Error(`version ${entry.version}, roll ${index}: the document has [${n},${value}], but it has to be ${wanted}`)
  })
}

function report(game) {
  const rolls = game.entries.flatMap((entry) => entry.rolls ?? [])
  const faces = [0, 0, 0, 0, 0, 0]
  for (const [n, value] of rolls) if (n === 6) faces[value]++
  const expected = faces.reduce((sum, count) => sum + count, 0) / 6
  const square = expected && faces.reduce((sum, count) => sum + ((count - expected) * (count - expected)) / expected, 0)
  const names = ['ones', 'twos', 'threes', 'fours', 'fives', 'sixes']
  return `game        ${game.id}, ${game.game}, rules version ${game.rules}
commitment  ${game.commitment} is the hash of the secret
rolls       ${rolls.length} in ${game.entries.length} entries, each as the secret gives it
faces       ${faces.map((count, i) => `${count} ${names[i]}`).join(', ')}
chi-square  ${(Math.floor(square * 100 + 0.5) / 100).toFixed(2)} (fair dice come over 20.52 once in a thousand games)`
}

try {
  const game = JSON.parse(readFileSync(process.argv[2], 'utf8'))
  check(game)
  console.log(report(game))
} catch (error) {
  console.error(`verify: error: record: ${error.message}`)
  process.exitCode = 1
}

'use strict'

// node serve.js CERT KEY: a push service (RFC 8030) and the browser behind it, by HTTPS on a free port of 127.0.0.1, with
// the certificate and the key of these PEM files. It shares no code with the sender: JSON Web Tokens are checked by jose,
// contents are decrypted by http_ece.
//
// Its first line is the subscription: {endpoint, p256dh, auth}. Each message that it takes on is one more line:
// {claims, key, payload, size, headers}. What is not as the RFCs want it is answered with 400 or 403 and the reason. It ends when
// its standard input does, so it never outlives who started it.

const crypto = require('crypto')
const fs = require('fs')
const https = require('https')
const ece = require('http_ece')

const maxBody = 4096 // what a push service must take (RFC 8030, 7.2)
const maxAge = 24 * 60 * 60 // of a token (RFC 8292, 2)

const [cert, key] = process.argv.slice(2)
if (!cert || !key) {
  console.error('usage: node serve.js CERT KEY')
  process.exit(2)
}

const browser = crypto.createECDH('prime256v1')
browser.generateKeys()
const auth = crypto.randomBytes(16).toString('base64url')

class Refusal extends Error {
  constructor (status, message) {
    super(message)
    this.status = status
  }
}

function check (right, status, message) {
  if (!right) throw new Refusal(status, message)
}

// vapid checks who sends (RFC 8292).
async function vapid (jose, header, origin) {
  const parts = /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(header ?? '')
  check(parts, 403, 'no vapid authorization')
  const point = Buffer.from(parts[2], 'base64url')
  check(point.length === 65 && point[0] === 4, 403, 'k is no point')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url')
  }
  const publicKey = await jose.importJWK(jwk, 'ES256')
  const options = { algorithms: ['ES256'], audience: origin, requiredClaims: ['exp', 'sub'] }
  const { payload } = await jose.jwtVerify(parts[1], publicKey, options).catch((err) => {
    throw new Refusal(403, err.code)
  })
  check(payload.exp <= Date.now() / 1000 + maxAge, 403, 'exp is more than a day away')
  check(/^(mailto:[^:]+@|https:\/\/)/.test(payload.sub), 403, 'sub is no contact')
  return { claims: payload, key: parts[2] }
}

// decrypted is what the browser would hand to the page (RFC 8291).
function decrypted (headers, body) {
  check(headers['content-encoding'] === 'aes128gcm', 400, 'not aes128gcm')
  check(/^\d+$/.test(headers.ttl ?? ''), 400, 'no TTL')
  check(/^[\w-]{1,32}$/.test(headers.topic ?? '-'), 400, 'bad topic')
  check(body.length <= maxBody, 413, 'too large')
  try {
    return ece.decrypt(body, { version: 'aes128gcm', privateKey: browser, authSecret: auth }).toString()
  } catch (err) {
    throw new Refusal(400, 'not to be decrypted')
  }
}

async function read (request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function main () {
  const jose = await import('jose')
  const server = https.createServer({ cert: fs.readFileSync(cert), key: fs.readFileSync(key) })
  server.on('request', async (request, response) => {
    const origin = `https://127.0.0.1:${server.address().port}`
    try {
      const body = await read(request)
      check(request.method === 'POST', 400, 'not POST')
      const sender = await vapid(jose, request.headers.authorization, origin)
      const payload = decrypted(request.headers, body)
      console.log(JSON.stringify({ ...sender, payload, size: body.length, headers: request.headers }))
      response.writeHead(201, { Location: `${origin}/messages/1` }).end()
    } catch (err) {
      response.writeHead(err.status ?? 500).end(err.message)
    }
  })
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address()
    console.log(JSON.stringify({
      endpoint: `https://127.0.0.1:${port}/subscriptions/1`,
      p256dh: browser.getPublicKey('base64url'),
      auth
    }))
  })
}

process.stdin.resume()
process.stdin.on('end', () => process.exit(0))
process.stdin.on('error', () => process.exit(0))
main()

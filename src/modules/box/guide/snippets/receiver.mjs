// A receiver of webhooks from Brokerbase. Node 18 or newer, nothing to install:
//   WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const KEY = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace(/^whsec_/, ''), 'base64')
const TOLERANCE = 300 // seconds that a timestamp may be off
const LARGEST = 1024 * 1024

/** Returns whether one of the signatures is right; there are two while a secret is rotated. */
function isSigned(headers, body) {
  const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': signatures = '' } = headers
  if (KEY.length === 0 || !/^\d{1,12}$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > TOLERANCE)
    return false
  const expected = createHmac('sha256', KEY).update(`${id}.${time}.`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return signature.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

// In production use a table with the id as its key, which survives a restart.
const seen = new Set()

/** Stores an event and returns at once; process it after the answer. The same id may come again. */
function take(event) {
  if (seen.has(event.id)) return
  seen.add(event.id)
  console.log(`took ${event.id} ${event.event} ${event.sequence}`)
}

async function receive(request, response) {
  const answer = (status) => response.writeHead(status).end()
  const parts = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > LARGEST) return answer(413)
    parts.push(part)
  }
  // the signature is of the raw bytes: parse them afterwards
  const body = Buffer.concat(parts)
  if (request.method !== 'POST' || !isSigned(request.headers, body)) return answer(400)
  take(JSON.parse(body.toString()))
  answer(204)
}

// a sender that closes the connection early must not end the program
const server = createServer((request, response) => receive(request, response).catch(() => response.destroy()))
server.listen(Number(process.env.PORT ?? 8080), () => console.log('ready'))

import type { Reply, Rows } from './simulator.calls.ts'
import type { Conditions, Effect } from './simulator.faults.ts'
import { writeChunk, writeHead } from './simulator.http.ts'
import { writeRetcode } from './simulator.server-calls.ts'
import { writeRow } from './simulator.shapes.ts'

/** The part of a socket that answers need. */
export type Sink = {
  /** Resolves when more may be written; false if the connection has ended. */
  write(bytes: string | Uint8Array): Promise<boolean>
  /** Ends the connection at once, without a word. */
  destroy(): void
  /** Resolves when others had their turn. */
  rest(): Promise<void>
}

/** So many rows are written before others have their turn. */
const PIECE = 250

function* changeRows(rows: Rows, change: 'none' | 'fewer' | 'double' | 'half'): Rows {
  const list = [...rows].filter((row) => row !== null)
  const [first] = list
  if (change === 'none') return
  if (change === 'fewer') yield* list.slice(0, -1)
  if (change === 'half') yield* list.slice(0, Math.ceil(list.length / 2))
  if (change === 'double') {
    if (first !== undefined) yield first
    yield* list
  }
}

/** Changes a whole reply as an effect says. */
export function changeReply(reply: Reply, effect: Effect | null): Reply {
  if (effect?.do === 'retcode') return { retcode: effect.code }
  if (effect?.do === 'proof' && reply.top !== undefined)
    return { ...reply, top: { ...reply.top, cli_rand_answer: '0'.repeat(32) } }
  if (effect?.do !== 'rows') return reply
  if (effect.change === 'total') {
    const { answer } = reply
    if (answer === undefined || Array.isArray(answer)) return reply
    return { ...reply, answer: Object.fromEntries(Object.entries(answer).map(([k, v]) => [k, String(Number(v) + 1)])) }
  }
  if (reply.rows === undefined) return reply
  const rows = changeRows(reply.rows, effect.change)
  return effect.change === 'half' ? { retcode: 14, rows } : { ...reply, rows }
}

const isList = (answer: Reply['answer']): answer is readonly string[] => Array.isArray(answer)

/** Returns the JSON of a reply in pieces; an empty piece lets others run. */
function* writeReply(reply: Reply, conditions: Conditions): Iterable<string> {
  const code = `"retcode":${JSON.stringify(writeRetcode(reply.retcode))}`
  if (reply.rows === undefined) {
    const top = Object.entries(reply.top ?? {}).map(
      ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
    )
    const { answer } = reply
    const rest =
      answer === undefined ? '' : `,"answer":${isList(answer) ? JSON.stringify(answer) : writeRow(answer, conditions)}`
    yield `{${code}${top.join('')}${rest}}`
    return
  }
  let piece = `{${code},"answer":[`
  let [count, isFirst] = [0, true]
  for (const row of reply.rows) {
    if (row !== null) {
      piece += `${isFirst ? '' : ','}${typeof row === 'string' ? JSON.stringify(row) : writeRow(row, conditions)}`
      isFirst = false
      count += 1
    }
    if (row === null || count === PIECE) {
      yield piece
      ;[piece, count] = ['', 0]
    }
  }
  yield `${piece}]}`
}

/** Writes a reply: with its length if it is short, else in chunks. Returns whether all of it was taken. */
export async function sendReply(sink: Sink, reply: Reply, conditions: Conditions): Promise<boolean> {
  let waiting: string | null = null
  let isChunked = false
  for (const piece of writeReply(reply, conditions)) {
    if (waiting !== null) {
      if (!isChunked && !(await sink.write(writeHead(200, null)))) return false
      isChunked = true
      if (waiting !== '' && !(await sink.write(writeChunk(waiting)))) return false
      await sink.rest()
    }
    waiting = piece
  }
  const last = waiting ?? ''
  if (!isChunked) return sink.write(writeHead(200, Buffer.byteLength(last)) + last)
  return (await sink.write(writeChunk(last))) && sink.write('0\r\n\r\n')
}

/** Writes an answer that is no JSON: a status with nothing, or with a page as proxies make them. */
export function sendStatus(sink: Sink, status: number, isPage: boolean): Promise<boolean> {
  const body = isPage ? `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>` : ''
  return sink.write(writeHead(status, body.length, isPage ? 'text/html' : 'application/json') + body)
}

const FILLING = 'a'.repeat(65_536)

/** Fills an answer without its end, as far as the other side takes it. */
async function sendEndless(sink: Sink, part: 'headers' | 'body'): Promise<void> {
  if (part === 'body') await sink.write(`${writeHead(200, null)}`)
  else await sink.write('HTTP/1.1 200 OK\r\n')
  const piece = part === 'body' ? writeChunk(FILLING) : Buffer.from(`X-Filling: ${FILLING}\r\n`)
  while (await sink.write(piece)) await sink.rest()
}

async function sendHuge(sink: Sink, bytes: number): Promise<boolean> {
  if (!(await sink.write(writeHead(200, bytes)))) return false
  for (let left = bytes; left > 0; left -= FILLING.length) {
    if (!(await sink.write(FILLING.slice(0, left)))) return false
    await sink.rest()
  }
  return true
}

/** Writes a reply as an effect spoils it. Returns whether the other side got a whole answer. */
export async function sendSpoiled(sink: Sink, given: Reply, conditions: Conditions, effect: Effect): Promise<boolean> {
  // rows can be gone through only once
  const reply = given.rows === undefined ? given : { ...given, rows: [...given.rows] }
  const body = [...writeReply(reply, conditions)].join('')
  const length = Buffer.byteLength(body)
  const answer = writeHead(200, length) + body
  switch (effect.do) {
    case 'cut': {
      if (effect.when === 'headers') await sink.write(answer.slice(0, effect.bytes ?? 20))
      if (effect.when === 'body') {
        const head = writeHead(200, length)
        await sink.write(head + body.slice(0, effect.bytes ?? Math.floor(body.length / 2)))
      }
      sink.destroy()
      return false
    }
    case 'silent':
      return false
    case 'status':
      await sendStatus(sink, effect.status, effect.html ?? false)
      return true
    case 'empty':
      return sink.write(writeHead(200, 0))
    case 'truncate': {
      const half = body.slice(0, Math.floor(body.length / 2))
      return sink.write(writeHead(200, Buffer.byteLength(half)) + half)
    }
    case 'length':
      await sink.write(writeHead(200, length + effect.by) + body)
      if (effect.by > 0) sink.destroy()
      return effect.by === 0
    case 'huge':
      return sendHuge(sink, effect.bytes)
    case 'twice':
      return sink.write(answer + answer)
    case 'endless':
      await sendEndless(sink, effect.part)
      return false
    case 'garbage':
      return sink.write(effect.text)
    default:
      return sendReply(sink, reply, conditions)
  }
}

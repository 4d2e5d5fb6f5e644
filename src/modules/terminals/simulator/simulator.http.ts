import { KIB } from '../../../platform/bytes.ts'
import { normalize, type Parameters } from './simulator.calls.ts'

const MOST_HEAD = 64 * KIB
const MOST_BODY = 1024 * KIB

/** One request as it came over a connection. */
export type Request = {
  method: string
  path: string
  query: string
  headers: ReadonlyMap<string, string>
  body: string
}

/** What the bytes so far are: a request with its length, nothing whole yet, or no HTTP at all. */
type Reading = { request: Request; length: number } | 'unfinished' | 'broken'

function readHead(text: string): Omit<Request, 'body'> | null {
  const [first = '', ...lines] = text.split('\r\n')
  const [method = '', target = '', version = ''] = first.split(' ')
  if (!/^[A-Z]+$/.test(method) || !target.startsWith('/') || !version.startsWith('HTTP/1.')) return null
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon <= 0) return null
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  return { method, path, query: mark === -1 ? '' : target.slice(mark + 1), headers }
}

/** Reads a body in chunks; null where it is not whole yet. */
function readChunks(bytes: Buffer, from: number): { body: Buffer; end: number } | null | 'broken' {
  const parts: Buffer[] = []
  for (let at = from; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line === -1) return null
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    if (!(size >= 0 && size <= MOST_BODY)) return 'broken'
    const end = line + 2 + size
    if (bytes.length < end + 2) return null
    if (size === 0) return { body: Buffer.concat(parts), end: end + 2 }
    parts.push(bytes.subarray(line + 2, end))
    at = end + 2
  }
}

/** Reads the first request of the bytes that a connection has sent. */
export function readRequest(bytes: Buffer): Reading {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return bytes.length > MOST_HEAD ? 'broken' : 'unfinished'
  const head = readHead(bytes.toString('latin1', 0, end))
  if (head === null) return 'broken'
  const from = end + 4
  if (head.headers.get('transfer-encoding')?.toLowerCase() === 'chunked') {
    const read = readChunks(bytes, from)
    if (read === null) return 'unfinished'
    if (read === 'broken') return 'broken'
    return { request: { ...head, body: read.body.toString('utf8') }, length: read.end }
  }
  const size = Number(head.headers.get('content-length') ?? '0')
  if (!(Number.isSafeInteger(size) && size >= 0 && size <= MOST_BODY)) return 'broken'
  if (bytes.length < from + size) return 'unfinished'
  return { request: { ...head, body: bytes.toString('utf8', from, from + size) }, length: from + size }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the fields of a body, which is JSON or a form; null if it is neither. */
function readBody({ headers, body }: Request): Record<string, unknown> | null {
  if (body.trim() === '') return {}
  if (!body.trimStart().startsWith('{')) {
    if (headers.get('content-type')?.includes('json')) return null
    return Object.fromEntries(new URLSearchParams(body))
  }
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Returns the parameters of a request by name: those of the address, and over them those of the body. */
export function readParameters(request: Request): Parameters | null {
  const body = readBody(request)
  if (body === null) return null
  const parameters = new Map<string, unknown>()
  for (const [name, value] of new URLSearchParams(request.query)) parameters.set(normalize(name), value)
  for (const [name, value] of Object.entries(body)) parameters.set(normalize(name), value)
  return parameters
}

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
}

/** Writes the head of an answer; without a length the body follows in chunks. */
export const writeHead = (status: number, length: number | null, type = 'application/json'): string =>
  [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Unknown'}`,
    'Server: Simulator',
    `Content-Type: ${type}`,
    'Connection: keep-alive',
    length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    '',
    '',
  ].join('\r\n')

/** Writes a piece of a body in chunks. */
export function writeChunk(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

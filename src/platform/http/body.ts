import { Type } from '@sinclair/typebox'
import { invalid, Problem } from './problem.ts'

/** JSON bodies; files have a limit of their own. */
export const MAX_JSON_BYTES = 1024 * 1024
export const MAX_FILE_BYTES = 15 * 1024 * 1024

/** Bytes as they came, for a route of `takesRawBody`; the media type is for the document only. */
export const RawBody = (contentMediaType: string) => Type.Uint8Array({ contentMediaType })

/** Routes whose body is bytes, not JSON: uploads and signed callbacks (the signature covers the raw body). */
const RAW = /^\/v1\/(files\/|psp\/[^/]+\/callback$|ads\/meta\/webhook$)/

export const takesRawBody = (path: string): boolean => RAW.test(path)
/** 10,000 positions of one sync are some 3 MB. */
const LARGE_JSON_BYTES = 16 * 1024 * 1024
const LARGE_JSON = /^\/v1\/(positions\/sync|leads\/import)$/
/** Official lists of sanctions are some 30 MB, and more once they are text in JSON. They go to disk while they arrive. */
export const SPOOLED_BYTES = 64 * 1024 * 1024
export const goesToDisk = (path: string): boolean => path === '/v1/sanctions/lists'
/** Bytes that a body of this path may have. */
export const limitOf = (path: string): number => {
  if (path.startsWith('/v1/files/')) return MAX_FILE_BYTES
  if (goesToDisk(path)) return SPOOLED_BYTES
  return LARGE_JSON.test(path) ? LARGE_JSON_BYTES : MAX_JSON_BYTES
}
export const tooLarge = (limit: number) =>
  new Problem(413, 'too_large', `The body is larger than ${limit / 1024 / 1024} MiB.`)

/** Cheap refusals from the headers alone: declared size and content type. */
export function checkBodyHeaders(request: Request, path: string): void {
  const { method, headers } = request
  if (method === 'GET' || method === 'HEAD') return
  const length = headers.get('content-length')
  if (length !== null && Number(length) > limitOf(path)) throw tooLarge(limitOf(path))
  if (
    takesRawBody(path) ||
    length === '0' ||
    (length === null && !headers.has('transfer-encoding') && request.body === null)
  )
    return
  const type = headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Problem(415, 'unsupported_media_type', 'Send JSON with Content-Type: application/json.', [
      { path: 'header.content-type', code: 'unsupported_media_type', message: 'must be application/json' },
    ])
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** No body of ours is nested deeper than a handful; the validator's time grows with the square of the depth, so one deep body would hold up everybody. */
const MAX_DEPTH = 32

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1)))

/** Text that could hold a null byte or half a surrogate pair: only then is the tree walked. */
const SUSPECT = /\\u(0000|[dD][89a-fA-F])|\0/

/** Reads the body of a JSON route, within its limit. `undefined` when there is none. */
export async function readJson(request: Request, path: string): Promise<unknown> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.byteLength > limitOf(path)) throw tooLarge(limitOf(path))
  return parseJson(bytes)
}

/** The value of a JSON body: strict UTF-8, not too deep, no null bytes, no half characters. `undefined` when there is none. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return undefined
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new Problem(400, 'malformed_body', 'The body is not valid UTF-8.', [
      { path: 'body', code: 'utf8', message: 'must be UTF-8' },
    ])
  }
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem(400, 'malformed_body', 'The body is not valid JSON.', [
      { path: 'body', code: 'json', message: 'must be JSON' },
    ])
  }
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    throw invalid('body', 'invalid', 'must be an object')
  }
  if (isDeeper(value, MAX_DEPTH)) {
    throw new Problem(400, 'malformed_body', 'The body is nested too deep.', [
      { path: 'body', code: 'depth', message: `must be nested at most ${MAX_DEPTH} deep` },
    ])
  }
  if (SUSPECT.test(text)) refuseBadText(value, '')
  return value
}

/** Bytes of a raw route, within its limit. */
export async function readRaw(request: Request, path: string): Promise<Uint8Array> {
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength > limitOf(path)) throw tooLarge(limitOf(path))
  return new Uint8Array(bytes)
}

function refuseBadText(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw invalid(path || 'body', 'bad_text', 'holds a null byte or half a character')
    }
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      refuseBadText(item, `${path}.${index}`.replace(/^\./, ''))
    })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      refuseBadText(key, path)
      refuseBadText(item, path === '' ? key : `${path}.${key}`)
    }
  }
}

/** A query string with a repeated parameter, a null byte or broken percent-encoding is refused before anything reads it. */
export function checkUrl(url: string): void {
  const mark = url.indexOf('?')
  if (url.includes('%')) {
    let decoded: string
    try {
      decoded = decodeURIComponent(url)
    } catch {
      throw new Problem(400, 'malformed_url', 'The address is not valid percent-encoded UTF-8.')
    }
    if (decoded.includes('\0')) throw new Problem(400, 'malformed_url', 'The address holds a null byte.')
  }
  if (mark === -1) return
  const seen = new Set<string>()
  for (const name of new URLSearchParams(url.slice(mark)).keys()) {
    if (seen.has(name)) throw invalid(`query.${name.slice(0, 100)}`, 'repeated', 'is given more than once')
    seen.add(name)
  }
}

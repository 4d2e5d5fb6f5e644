import { say } from '../../../words/say.ts'
import { MIB } from '../../bytes.ts'
import { invalid, Problem } from '../../problem.ts'
import { VALUES } from './body.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** No valid body is nested nearly this deep. */
const MAX_DEPTH = 32
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/** Refuses a body that is nested too deep or has too many values before it is parsed, by one look at each byte. */
function checkShape(bytes: Uint8Array, maxValues: number): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1
      // { and [, then } and ]
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1
      values += 1
      if (depth > MAX_DEPTH)
        throw new Problem(400, 'malformed_body', say('problems.error.body_depth'), [
          { path: 'body', code: 'depth', message: say('problems.field.depth', { maxDepth: MAX_DEPTH }) },
        ])
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1
    else if (byte === COMMA) values += 1
  }
  if (values > maxValues)
    throw new Problem(413, 'too_large', say('problems.error.body_values', { maxValues }), [
      { path: 'body', code: 'too_large', message: say('problems.field.values_too_many', { maxValues }) },
    ])
}

/**
 * Returns whether JSON could have a null byte or half a surrogate pair. If not, the values need no check. Searching for
 * these parts is 15 times as fast as a pattern.
 */
const isSuspect = (text: string): boolean => ['\0', '\\u0000', '\\ud', '\\uD'].some((part) => text.includes(part))

/**
 * Returns the value of a JSON body: strict UTF-8, limited depth and number of values, no null bytes, no half
 * characters. `undefined` if empty. The field `rows` may hold such texts, since its rows are refused one by one.
 */
export async function parseJson(
  bytes: Uint8Array,
  maxValues = VALUES,
  parse: (text: string) => unknown = JSON.parse,
  rows?: string,
): Promise<unknown> {
  if (bytes.byteLength === 0) return undefined
  // for a large body other requests run between the steps
  const pause = bytes.byteLength > MIB ? () => Bun.sleep(0) : undefined
  checkShape(bytes, maxValues)
  await pause?.()
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new Problem(400, 'malformed_body', say('problems.error.body_utf8'), [
      { path: 'body', code: 'utf8', message: say('problems.field.utf8') },
    ])
  }
  await pause?.()
  try {
    value = parse(text)
  } catch {
    throw new Problem(400, 'malformed_body', say('problems.error.body_json'), [
      { path: 'body', code: 'json', message: say('problems.field.json') },
    ])
  }
  await pause?.()
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    throw invalid('body', 'invalid', say('problems.field.object'))
  }
  if (isSuspect(text)) refuseBadText(rows === undefined ? value : { ...value, [rows]: null }, '')
  await pause?.()
  return value
}

/** Returns whether a text has a null byte or half a character, which the database cannot keep unchanged. */
export const isBadText = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

/** Returns a path of limited length: it is made for every value, and keys may be long. */
const under = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`).slice(0, 300)

function refuseBadText(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (isBadText(value)) throw invalid(path || 'body', 'bad_text', say('problems.field.bad_text'))
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      refuseBadText(item, under(path, String(index)))
    })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      refuseBadText(key, path)
      refuseBadText(item, under(path, key))
    }
  }
}

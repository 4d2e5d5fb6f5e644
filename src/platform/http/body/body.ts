import { type TSchema, Type } from '@sinclair/typebox'
import { say } from '../../../words/say.ts'
import type { BoxCtx } from '../../access/ctx.ts'
import { KIB, MIB } from '../../bytes.ts'
import { SECOND } from '../../clock.ts'
import { invalid, Problem } from '../../problem.ts'
import { isRows } from '../../wire/fields.ts'

/** The limits of one operation's body. */
export type Limits = {
  maxBytes: number
  /** The number of objects, lists and members, which determines the cost of parsing more than bytes. */
  maxValues: number
  /** Bytes as they came, not JSON: uploads and signed callbacks, whose signature covers the raw body. */
  raw: boolean
  /** Its numbers are money, so the written form of each is remembered. */
  exactNumbers: boolean
  /** The field with rows that are refused one by one, which may hold texts that no other body may. */
  rows: string | undefined
  /** It is written to disk while it arrives. */
  spooled: boolean
  /** Decides before the first byte is read whether this body may come, and how much of it. */
  admit: Admit | undefined
}
export type Admitted = {
  maxBytes: number
  tooLarge: () => Problem
  /** The owners of the body, outermost first; only if a signature has proven them. */
  holder?: readonly string[]
}
/** What decides whether a body is admitted, before there is a context. */
export type Admission = Pick<BoxCtx, 'directory' | 'signatures' | 'now'>
export type Admit = (admission: Admission, request: Request, params: Readonly<Record<string, string>>) => Admitted

/** The limits of strangers and of signed-in callers, unless the route declares `maxBytes`. */
const PUBLIC_BYTES = 64 * KIB
export const SIGNED_IN_BYTES = MIB
export const VALUES = 20_000

const admissions = new WeakMap<object, Admit>()

/** A header that the body requires, as the document describes it. */
type SignatureHeader = { name: string; description: string; pattern: string; example: string }

/**
 * Declares a route's body of raw bytes; the media type, the contents and the signing header are for the document.
 * `admit` checks signature, declared size and type before a byte is read.
 */
export function RawBody(
  contentMediaType: string,
  options: { maxBytes: number; admit?: Admit; holds?: TSchema; signature?: SignatureHeader },
) {
  const { maxBytes, admit, holds, signature } = options
  const schema = Type.Uint8Array({
    contentMediaType,
    'x-max-bytes': maxBytes,
    ...(holds === undefined ? {} : { 'x-holds': holds }),
    ...(signature === undefined ? {} : { 'x-signature': signature }),
  })
  if (admit) admissions.set(schema, admit)
  return schema
}

type Declared = { body?: unknown; detail?: object }
const numberAt = (of: unknown, key: string): number | undefined => {
  const value: unknown = typeof of === 'object' && of !== null ? Reflect.get(of, key) : undefined
  return typeof value === 'number' ? value : undefined
}

const findRows = (schema: object | undefined): string | undefined => {
  const properties: unknown = schema && Reflect.get(schema, 'properties')
  if (typeof properties !== 'object' || properties === null) return undefined
  return Object.entries(properties).find(([, property]) => isRows(property))?.[0]
}

/**
 * Returns the limits that a route declares: `maxBytes` and `maxValues` beside its access, or those of its `RawBody`.
 */
export function readLimits({ body, detail }: Declared): Limits {
  const isPublic = detail !== undefined && 'x-role' in detail && detail['x-role'] === 'public'
  const schema = typeof body === 'object' && body !== null ? body : undefined
  return {
    maxBytes:
      numberAt(body, 'x-max-bytes') ?? numberAt(detail, 'x-max-bytes') ?? (isPublic ? PUBLIC_BYTES : SIGNED_IN_BYTES),
    maxValues: numberAt(detail, 'x-max-values') ?? VALUES,
    exactNumbers: detail !== undefined && 'x-exact-numbers' in detail && detail['x-exact-numbers'] === true,
    rows: findRows(schema),
    raw: schema !== undefined && 'contentMediaType' in schema,
    spooled: detail !== undefined && 'x-spooled' in detail && detail['x-spooled'] === true,
    admit: schema && admissions.get(schema),
  }
}

const inUnits = (bytes: number): { size: number; unit: 'mib' | 'kib' | 'bytes' } =>
  bytes % MIB === 0
    ? { size: bytes / MIB, unit: 'mib' }
    : bytes % KIB === 0
      ? { size: bytes / KIB, unit: 'kib' }
      : { size: bytes, unit: 'bytes' }
export const tooLarge = (limit: number) =>
  new Problem(413, 'too_large', say('problems.error.body_too_large', inUnits(limit)))

/** Returns whether a request has a body, by its headers. */
export function bringsBody(request: Request): boolean {
  const { headers } = request
  const length = headers.get('content-length')
  return length === null ? headers.has('transfer-encoding') || request.body !== null : length !== '0'
}

/** At most this much of a refused body is read and dropped. */
const REST_BYTES = MIB
const REST_MS = SECOND

/**
 * Drops the rest of a refused body if the client wants the connection closed with the answer. Closing resets the
 * connection while the client still writes, and many clients then never see the reason. If the connection stays open,
 * the server itself drops the rest. At most `REST_BYTES` are read, since a stranger may send gigabytes.
 */
export async function throwAwayRest({ headers, body, bodyUsed }: Request): Promise<void> {
  if (headers.get('connection')?.toLowerCase() !== 'close' || body === null || bodyUsed || body.locked) return
  const reader = body.getReader()
  const over = Bun.sleep(REST_MS).then(() => ({ done: true, value: undefined }))
  try {
    for (let size = 0; size < REST_BYTES; ) {
      const { done, value } = await Promise.race([reader.read(), over])
      if (done) return
      size += value?.byteLength ?? 0
    }
  } catch {
    // the client disconnected first
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** Refuses, by the headers alone, a body of another type than JSON. */
export function checkContentType({ headers }: Request): void {
  if (/^application\/json\s*(;|$)/i.test((headers.get('content-type') ?? '').slice(0, 200))) return
  throw new Problem(415, 'unsupported_media_type', say('problems.error.media_type'), [
    {
      path: 'header.content-type',
      code: 'unsupported_media_type',
      message: say('problems.field.media_type'),
    },
  ])
}

/**
 * Refuses a query string with a repeated parameter, a null byte or broken percent-encoding before anything reads it.
 */
export function checkUrl(url: string): void {
  const mark = url.indexOf('?')
  if (url.includes('%')) {
    let decoded: string
    try {
      decoded = decodeURIComponent(url)
    } catch {
      throw new Problem(400, 'malformed_url', say('problems.error.url_encoding'))
    }
    if (decoded.includes('\0')) throw new Problem(400, 'malformed_url', say('problems.error.url_null_byte'))
  }
  // a single parameter cannot be repeated
  if (mark === -1 || !url.includes('&', mark)) return
  const seen = new Set<string>()
  for (const name of new URLSearchParams(url.slice(mark)).keys()) {
    if (seen.has(name)) throw invalid(`query.${name.slice(0, 100)}`, 'repeated', say('problems.field.repeated'))
    seen.add(name)
  }
}

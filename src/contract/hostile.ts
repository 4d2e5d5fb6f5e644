import type { TSchema } from '@sinclair/typebox'
import { listFields, withAt } from './attacks.ts'
import { getProperties, listAlternatives, type Route } from './routes.ts'

/** A request that is as expensive as possible; `make` takes a share of its largest size, between 0 and 1. */
export type Hostile = {
  name: string
  /** The name of the text that fills a field, if one does. */
  text?: string
  make: (share: number) => { path?: string; raw?: string; headers?: Record<string, string> }
}

/** Texts on which patterns may be slow: long runs of one kind of character with an end that does not match. */
export const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'letters and a line end': (length) => `${'a'.repeat(length)}\n`,
  'blanks and a line end': (length) => `${' '.repeat(length)}\n`,
  'digits and a letter': (length) => `${'1'.repeat(length)}x`,
  'dots and labels': (length) => `a@${'a.'.repeat(length >> 1)}!`,
  hyphens: (length) => `a${'-'.repeat(length)}!`,
  'combining marks': (length) => 'e\u0301'.repeat(length >> 1),
  'line ends': (length) => '\n'.repeat(length),
  'zeros behind a dot': (length) => `1.${'0'.repeat(length)}x`,
}

const isText = (schema: TSchema): boolean =>
  listAlternatives(schema).some(({ type, anyOf, enum: values }) => type === 'string' || values !== undefined || anyOf)

/** Returns JSON of a value in which the text at one path takes this many bytes. */
function filled(value: unknown, path: readonly string[], size: number, text: (length: number) => string): string {
  const rest = JSON.stringify(withAt(value, path, '')).length
  const unit = Buffer.byteLength(JSON.stringify(text(1000))) / 1000
  return JSON.stringify(withAt(value, path, text(Math.max(1, Math.floor((size - rest - 100) / unit)))))
}

const json = { 'content-type': 'application/json' }

const SHAPES: Readonly<Record<string, (bytes: number) => string>> = {
  'many unknown fields': (bytes) =>
    `{${Array.from({ length: Math.floor(bytes / 12) }, (_, index) => `"${index.toString(36).padStart(5, 'k')}":0`).join(',')}}`,
  'one list of nothing': (bytes) => `{"a":[${'[],'.repeat(Math.floor(bytes / 3) - 4)}[]]}`,
  'a long name': (bytes) => `{"${'k'.repeat(bytes - 10)}":1}`,
  'a long number': (bytes) => `{"a":${'9'.repeat(bytes - 10)}}`,
  escapes: (bytes) => `{"a":"${'\\u0000'.repeat(Math.floor(bytes / 6) - 4)}"}`,
}

/** Returns unsigned bodies of the largest size for a signed operation, each alone and inside a valid body. */
export function hostileSigned({ signature, maxBytes }: Route, valid: string): Hostile[] {
  const shapes: typeof SHAPES = {
    ...SHAPES,
    'a list of ids': (bytes) =>
      `{"a":[${Array.from({ length: Math.floor(bytes / 17) }, (_, index) => `{"id":"${index + 1e5}"}`).join(',')}]}`,
    'many members': (bytes) =>
      `{${Array.from({ length: Math.min(19_000, Math.floor(bytes / 10)) }, (_, index) => `"${index}":1`).join(',')}}`,
    'numbers in a list': (bytes) => `{"a":[${'1,'.repeat(Math.min(19_000, bytes / 2 - 6))}1]}`,
  }
  const headers = { ...json, ...signature }
  return Object.entries(shapes).flatMap(([name, shape]): Hostile[] => [
    { name, make: (share) => ({ raw: shape(maxBytes * share - 1), headers }) },
    {
      name: `${name}, in a sound body`,
      make: (share) => ({
        raw: `${valid.slice(0, -1)},"more":${shape(maxBytes * share - valid.length - 20)}}`,
        headers,
      }),
    },
  ])
}

/** Returns bodies that may take long to check: each text field with each text, and shapes that every schema refuses. */
export function hostileBodies(route: Route, valid: unknown, texts = Object.entries(TEXTS)): Hostile[] {
  const { body: schema, maxBytes } = route
  if (!schema) return []
  const size = (share: number): number => Math.floor(maxBytes * share) - 1
  const fields = listFields(schema, valid).filter(({ schema: of }) => isText(of))
  const lists = listFields(schema, valid).filter(({ schema: of }) =>
    listAlternatives(of).some(({ type }) => type === 'array'),
  )
  return [
    ...fields.flatMap(({ path }) =>
      texts.map(
        ([name, text]): Hostile => ({
          name: `${path.join('.')}: ${name}`,
          text: name,
          make: (share) => ({ raw: filled(valid, path, size(share), text), headers: json }),
        }),
      ),
    ),
    ...lists.map(
      ({ path }): Hostile => ({
        name: `${path.join('.')}: wrong items`,
        make: (share) => ({
          raw: JSON.stringify(withAt(valid, path, Array(Math.max(1, Math.min(19_000, size(share) >> 2))).fill(0))),
          headers: json,
        }),
      }),
    ),
    ...Object.entries(SHAPES).map(
      ([name, shape]): Hostile => ({ name, make: (share) => ({ raw: shape(size(share)), headers: json }) }),
    ),
  ]
}

/** The server takes at most this many characters of a request's line and headers. */
const HEAD = 12_000

/** Returns slow queries, paths and headers, which the server limits to about 16 KiB. */
export function hostileHeads(route: Route, path: string): Hostile[] {
  const encoded = (text: string): string => encodeURIComponent(text).slice(0, HEAD).replace(/%.?$/, '')
  const names = Object.keys(getProperties(route.query))
  const plain: Readonly<Record<string, (length: number) => string>> = {
    'one long word': (length) => `${'a1'.repeat(length >> 1)}!`,
    'blanks between marks': (length) => `x${' ,; ='.repeat(Math.floor(length / 5))}!`,
  }
  return [
    ...names.flatMap((name) =>
      Object.entries(TEXTS).map(
        ([what, text]): Hostile => ({
          name: `query.${name}: ${what}`,
          make: (share) => ({ path: `${path}?${name}=${encoded(text(Math.floor(HEAD * share)))}` }),
        }),
      ),
    ),
    ...(route.params.length === 0
      ? []
      : Object.entries(TEXTS).map(
          ([what, text]): Hostile => ({
            name: `path: ${what}`,
            make: (share) => ({ path: route.path.replaceAll(/:\w+/g, encoded(text(Math.floor(HEAD * share)))) }),
          }),
        )),
    ...[
      'if-match',
      'idempotency-key',
      'content-type',
      'x-forwarded-for',
      'cookie',
      'accept-encoding',
      'origin',
      'x-psp-signature',
      'x-hub-signature-256',
    ].flatMap((header) =>
      Object.entries(plain).map(
        ([what, text]): Hostile => ({
          name: `header.${header}: ${what}`,
          make: (share) => ({ path, headers: { [header]: text(Math.floor(HEAD * share)).trim() || 'x' } }),
        }),
      ),
    ),
  ]
}

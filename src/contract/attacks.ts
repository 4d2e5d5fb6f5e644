import type { TSchema } from '@sinclair/typebox'
import { NOTE, REFERENCE, UNSAID } from '../platform/wire/formats.ts'
import { getProperties, listAlternatives, type Route } from './routes.ts'

/** No answer may repeat this text. */
export const MARK = 'zqxmarkzqx'

/** A request of this kind must be refused, with a problem that names `field` if there is one. */
type Attack = {
  name: string
  body?: unknown
  raw?: BodyInit
  headers?: Record<string, string>
  field?: string
  status?: number
}

type Field = { path: string[]; schema: TSchema; nullable: boolean }

/** Returns every field of a body, including those of objects and of the first item of each list. */
export function listFields(schema: TSchema, value: unknown, path: string[] = []): Field[] {
  return Object.entries(getProperties(schema)).flatMap(([key, property]) => {
    const options = listAlternatives(property)
    const at = [...path, key]
    const nullable = Array.isArray(property.anyOf) && property.anyOf.length > options.length
    const inner = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
    return [
      { path: at, schema: property, nullable },
      ...options.flatMap((option) => {
        if (option.type === 'object') return inner === undefined || inner === null ? [] : listFields(option, inner, at)
        if (option.type !== 'array' || !Array.isArray(inner) || inner.length === 0) return []
        const items: TSchema = option.items
        const first = [...at, '0']
        return [{ path: first, schema: items, nullable: false }, ...listFields(items, inner[0], first)]
      }),
    ]
  })
}

/** Returns a copy of a JSON value in which the value at one path is replaced. */
export function withAt(value: unknown, path: readonly string[], to: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return to
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? withAt(item, rest, to) : item))
  const object = typeof value === 'object' && value !== null ? value : {}
  return { ...object, [key]: withAt(Reflect.get(object, key), rest, to) }
}

const listTypes = (schema: TSchema): Set<string> =>
  new Set(
    listAlternatives(schema).map(({ type, enum: values }) =>
      typeof type === 'string' ? type : values ? 'string' : 'any',
    ),
  )

const WRONG: readonly [string, unknown][] = [
  ['string', MARK],
  ['number', 12345],
  ['boolean', true],
  ['array', [MARK]],
  ['object', { [MARK]: MARK }],
]

/** These values are no amounts. Reported amounts (balances, profits) may be negative. */
const BAD_AMOUNTS = ['1'.repeat(30), '1e5', '0x10', '', ' 1', '1.123456789', 'NaN', 'Infinity', '1,000', '١٢']
const MAY_BE_NEGATIVE = new Set(['balance', 'equity', 'profit', 'swap', 'commission'])
const isAmount = ({ description }: TSchema): boolean => description === 'decimal amount'
const isCurrency = ({ description }: TSchema): boolean => String(description).startsWith('ISO 4217')
const isText = (schema: TSchema): boolean =>
  listAlternatives(schema).some(({ type, enum: values }) => type === 'string' && values === undefined)

const isFreeText = ({ format }: TSchema): boolean => UNSAID.has(format)
export const isCardless = ({ format }: TSchema): boolean => format === NOTE || format === REFERENCE
const hasForm = (schema: TSchema): boolean => schema.format !== undefined && !isFreeText(schema)

/** Returns values that a field must refuse, each with its description. */
function badValues({ path, schema, nullable }: Field): (readonly [string, unknown])[] {
  const types = listTypes(schema)
  if (types.has('any')) return []
  const name = path.at(-1) ?? ''
  const options = listAlternatives(schema)
  const longest = Math.max(...options.map(({ maxLength }) => (typeof maxLength === 'number' ? maxLength : 0)))
  const wrong = WRONG.filter(([type]) => !types.has(type) && !(type === 'number' && types.has('integer')))
  return [
    ...wrong,
    ...(nullable ? [] : ([['null', null]] as const)),
    ...(isText(schema)
      ? ([
          ['a null byte', `a\0${MARK}`],
          ['half a character', `${MARK}\ud800`],
        ] as const)
      : []),
    ...(isText(schema) && longest < 10_000 ? ([['10,000 characters', MARK.repeat(1000)]] as const) : []),
    ...(options.some(({ enum: values }) => values !== undefined) ? ([['an unknown word', MARK]] as const) : []),
    ...(options.some(hasForm) ? ([['not its format', MARK]] as const) : []),
    ...(options.some(isFreeText) ? ([['a control character', `a\u0001${MARK}`]] as const) : []),
    ...(options.some(isCardless) ? ([['a card number', `${MARK} 4111 1111 1111 1111`]] as const) : []),
    ...(types.has('integer')
      ? ([
          ['a fraction', 1.5],
          ['a huge number', 1e300],
          ['a negative number', -1],
        ] as const)
      : []),
    ...(types.has('number') ? ([['a negative number', -1]] as const) : []),
    ...(options.some(isAmount)
      ? [...BAD_AMOUNTS, ...(MAY_BE_NEGATIVE.has(name) ? [] : ['-1'])].map((text): [string, string] => [
          `amount ${text}`,
          text,
        ])
      : []),
    ...(options.some(isCurrency)
      ? ([
          ['an unknown currency', 'QQQ'],
          ['a small currency', 'eur'],
        ] as const)
      : []),
  ]
}

const json = { 'content-type': 'application/json' }

/** A POST whose body has no required field also succeeds without a body. */
const mayBeEmpty = ({ method, body }: Route): boolean => method === 'POST' && !(body?.required?.length > 0)

/** Returns bodies that every operation refuses, whatever its fields are. */
function wholeBodies(route: Route, valid: unknown): Attack[] {
  const text = JSON.stringify(valid)
  return [
    ...(mayBeEmpty(route) ? [] : [{ name: 'no body', field: 'body' }]),
    { name: 'half of it', raw: text.slice(0, -1), headers: json, field: 'body', status: 400 },
    { name: 'something after it', raw: `${text}${MARK}`, headers: json, field: 'body', status: 400 },
    { name: 'no JSON', raw: MARK, headers: json, field: 'body', status: 400 },
    { name: 'not UTF-8', raw: new Uint8Array([0x22, 0xff, 0xfe, 0x22]), headers: json, field: 'body', status: 400 },
    {
      name: 'nested 5,000 deep',
      raw: `{"${MARK}":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      headers: json,
      field: 'body',
    },
    { name: 'a list', body: [valid], field: 'body', status: 422 },
    { name: 'a text', body: MARK, field: 'body', status: 422 },
    { name: 'a number', body: 5, field: 'body', status: 422 },
    { name: 'null', body: null, field: 'body', status: 422 },
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonx'].map(
      (type): Attack => ({
        name: type,
        raw: text,
        headers: { 'content-type': type },
        field: 'header.content-type',
        status: 415,
      }),
    ),
    { name: 'no content type', raw: new TextEncoder().encode(text), field: 'header.content-type', status: 415 },
    { name: 'a huge declared length', raw: text, headers: { ...json, 'content-length': '99999999999' }, status: 413 },
    { name: 'one byte too many', raw: text.padEnd(route.maxBytes + 1), headers: json, status: 413 },
  ]
}

/** Returns all bodies that an operation must refuse, each made from a valid one. */
export function bodyAttacks(route: Route, valid: unknown): Attack[] {
  const { body: schema } = route
  if (!schema) return []
  const fields = listFields(schema, valid)
  const objects = [
    [],
    ...fields.filter(({ schema: of, path }) => isStrict(of) && at(valid, path) !== undefined).map(({ path }) => path),
  ]
  const required: unknown = schema.required
  return [
    ...wholeBodies(route, valid),
    ...objects.map((path: string[]): Attack => {
      const key = [...path, 'surprise']
      return {
        name: `unknown field ${key.join('.')}`,
        body: withAt(valid, key, MARK),
        field: key.join('.'),
        status: 422,
      }
    }),
    {
      name: 'a field called __proto__',
      raw: JSON.stringify(valid).replace('{', '{"__proto__":{"a":1},').replace(',}', '}'),
      headers: json,
      status: 422,
    },
    ...(Array.isArray(required) ? required : []).map((key: string): Attack => {
      const { [key]: _, ...rest }: Record<string, unknown> = { ...(typeof valid === 'object' ? valid : {}) }
      return { name: `without ${key}`, body: rest, field: key, status: 422 }
    }),
    ...fields.flatMap((field) =>
      badValues(field).map(
        ([what, value]): Attack => ({
          name: `${field.path.join('.')}: ${what}`,
          body: withAt(valid, field.path, value),
          field: field.path.join('.'),
          status: 422,
        }),
      ),
    ),
    ...fields
      .filter(({ schema: of }) => listTypes(of).has('number') || listTypes(of).has('integer'))
      .map(({ path }): Attack => {
        // JSON cannot write this number; JSON.parse reads it as Infinity
        const raw = JSON.stringify(withAt(valid, path, '@')).replace('"@"', '1e400')
        return { name: `${path.join('.')}: 1e400`, raw, headers: json, field: path.join('.'), status: 422 }
      }),
  ]
}

/** Returns whether a schema has only fields of fixed names; a record has a pattern for their names instead. */
const isStrict = (schema: TSchema): boolean =>
  listAlternatives(schema).some(
    ({ type, additionalProperties, patternProperties }) =>
      type === 'object' && additionalProperties === false && patternProperties === undefined,
  )
const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((of, key) => (typeof of === 'object' && of !== null ? Reflect.get(of, key) : undefined), value)

/** An operation without a body must refuse these instead of ignoring them. */
export const strayBodies: readonly Attack[] = [
  { name: 'a field', body: { surprise: MARK }, field: 'surprise', status: 422 },
  { name: 'a list', body: [], field: 'body', status: 422 },
  { name: 'a list of something', body: [MARK], field: 'body', status: 422 },
  { name: 'a text', body: MARK, field: 'body', status: 422 },
  { name: 'an empty text', body: '', field: 'body', status: 422 },
  { name: 'a number', body: 0, field: 'body', status: 422 },
  { name: 'a truth', body: false, field: 'body', status: 422 },
  { name: 'no JSON', raw: MARK, headers: json, field: 'body', status: 400 },
  { name: 'a form', raw: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' }, status: 415 },
]

/** Returns query strings that must be refused, each with the parameter that the problem names. */
export function queryAttacks(route: Route): { query: string; field?: string }[] {
  const attacks: { query: string; field?: string }[] = [
    { query: 'a=%ff' },
    { query: 'a=%00' },
    { query: 'a=%ED%A0%80' },
    { query: 'a=%' },
    { query: `${MARK}=1&${MARK}=2`, field: `query.${MARK}` },
  ]
  attacks.push({ query: 'surprise=1', field: 'query.surprise' })
  for (const [name, property] of Object.entries(getProperties(route.query))) {
    const bad = (value: string) =>
      attacks.push({ query: `${name}=${encodeURIComponent(value)}`, field: `query.${name}` })
    attacks.push({ query: `${name}=1&${name}=1`, field: `query.${name}` })
    if (name !== 'ids') bad(MARK.repeat(1000))
    bad('9'.repeat(9000))
    if (isFreeText(property)) bad(`\u0001${MARK}`)
    if (property.enum || hasForm(property) || property['x-integer'] || name === 'cursor' || name === 'sort') bad(MARK)
    if (property['x-integer']) for (const value of ['-1', '1.5', '1e9', '9007199254740993', '']) bad(value)
    if (name === 'limit') for (const value of ['0', '201']) bad(value)
    if (name === 'cursor') for (const value of ['.', 'a.b', `${btoa('[1,"x"]')}.${'A'.repeat(22)}`, '0']) bad(value)
    if (isAmount(property)) for (const value of BAD_AMOUNTS) bad(value)
    if (isCurrency(property)) bad('eur')
  }
  return attacks
}

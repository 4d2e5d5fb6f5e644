import type { TSchema } from '@sinclair/typebox'
import { MEANT } from './field-values.ts'
import { getProperties, listAlternatives } from './routes.ts'
import type { Place } from './seed-firm.ts'

/** A field of a body; `*` in its path means an item of a list. */
export type Field = { path: readonly string[]; schema: TSchema; required: boolean }

const isBag = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns every field of a body schema, including those of objects and of list items. */
export function fieldsIn(schema: TSchema, path: readonly string[] = []): Field[] {
  return Object.entries(getProperties(schema)).flatMap(([key, property]) => {
    const at = [...path, key]
    const inside = listAlternatives(property).flatMap((one) =>
      one.type === 'array'
        ? listAlternatives(one.items).flatMap((item) => fieldsIn(item, [...at, '*']))
        : fieldsIn(one, at),
    )
    const required = Array.isArray(schema.required) && schema.required.includes(key)
    return inside.length > 0 ? inside : [{ path: at, schema: property, required }]
  })
}

/** Returns the value at a path of a JSON value. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((of, key) => (typeof of === 'object' && of !== null ? Reflect.get(of, key) : undefined), value)

/** Returns the path of a field in this body; in a list it is in the first item that has the field, or in the first. */
export function pathIn(body: unknown, { path }: Field): string[] {
  const found: string[] = []
  for (const [depth, key] of path.entries()) {
    const list = valueAt(body, found)
    const index = Array.isArray(list) ? list.findIndex((item) => isBag(item) && (path[depth + 1] ?? '') in item) : 0
    found.push(key === '*' ? String(Math.max(index, 0)) : key)
  }
  return found
}

/** Returns texts of several forms, a unique one first; the first one that a schema accepts is used. */
const texts = ({ unique }: Place, now: unknown): string[] => [
  unique('word'),
  unique('word').replace('-', ''),
  String(Number(now ?? 1) + 1),
  String(Number(now ?? 1) / 2),
  '0.4',
  '0.1',
  'USD',
  'DE',
  'de',
  '#654321',
  '10:00',
  '19:00',
]

/** Returns values of one form that differ from the present one. */
async function listValues(schema: TSchema, now: unknown, place: Place): Promise<unknown[]> {
  const { type, format, pattern = '', minimum, maximum } = schema
  if (Array.isArray(schema.enum)) return schema.enum
  if (schema.const !== undefined) return [schema.const]
  if (type === 'boolean') return [true, false]
  if (type === 'integer' || type === 'number') return [Number(now ?? 0) + 1, Number(now ?? 2) - 1, minimum, maximum]
  if (type === 'object') return [{ [place.unique('key').replace('-', '')]: 1 }]
  if (type === 'array') {
    const others = await listValues(schema.items, Array.isArray(now) ? now[0] : undefined, place)
    return others.map((other) => [other])
  }
  if (format === 'email') return [place.email()]
  if (format === 'date') return ['2026-01-11', '1991-03-04']
  if (format === 'date-time') return ['2026-01-09T10:00:00.000Z', '2098-01-01T00:00:00.000Z']
  return texts(place, now)
    .filter((text) => new RegExp(pattern, 'u').test(text))
    .slice(0, 2)
}

/** Returns values that a field may have in this body; one may be the present one, and `undefined` omits the field. */
export async function otherValues(name: string, field: Field, body: unknown, place: Place): Promise<unknown[]> {
  const { schema, required, path } = field
  const now = valueAt(body, pathIn(body, field))
  const options = listAlternatives(schema)
  const isWord = options.some((one) => Array.isArray(one.enum))
  const meant = MEANT[name] ?? (isWord ? undefined : MEANT[path.at(-1) ?? ''])
  const found: unknown[] = meant ? [await meant(place, body)] : []
  if (!meant) for (const one of options) found.push(...(await listValues(one, now, place)))
  if (Array.isArray(schema.anyOf) && schema.anyOf.length > options.length) found.push(null)
  if (!required) found.push(undefined)
  return found
}

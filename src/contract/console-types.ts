import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { isObject } from '../platform/http/openapi/schemas.ts'

/**
 * Writes `dist/operations.d.ts`, which declares the module `brokerbase:operations`: the types of the console's calls,
 * generated from the committed API document. The preload gives the generator the compiler version that it needs. Usage:
 * `bun run types`.
 */
type Entry = { success?: object }
const committed: Record<string, Entry> = await Bun.file(join(import.meta.dir, 'openapi.snapshot.json')).json()
const paths: Record<string, Record<string, object>> = {}
const schemas: Record<string, object> = {}
for (const [name, entry] of Object.entries(committed)) {
  const [kind = '', subject = ''] = name.split(' ')
  if (kind === 'schema') schemas[subject] = entry
  else if (entry.success !== undefined)
    paths[subject] = { ...paths[subject], [kind.toLowerCase()]: { ...entry, responses: entry.success } }
}
/** Makes a field that is always present required here, although the other generators of clients may not. */
const asAnswered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asAnswered)
  if (!isObject(value)) return value
  const { 'x-required': always, ...rest } = value
  const required =
    Array.isArray(always) && Array.isArray(rest.required) ? { required: [...rest.required, ...always] } : {}
  return { ...Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, asAnswered(item)])), ...required }
}
const components = { ...committed.shared, schemas }
const document = { openapi: '3.1.0', info: { title: 'Brokerbase', version: '1' }, paths, components }
const types = astToString(await openapiTypes(JSON.stringify(asAnswered(document))))
await Bun.write(
  join(import.meta.dir, '../../dist/operations.d.ts'),
  `declare module 'brokerbase:operations' {\n${types}}\n`,
)

import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'

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
const components = { ...committed.shared, schemas }
const document = { openapi: '3.1.0', info: { title: 'Brokerbase', version: '1' }, paths, components }
const types = astToString(await openapiTypes(JSON.stringify(document)))
await Bun.write(
  join(import.meta.dir, '../../dist/operations.d.ts'),
  `declare module 'brokerbase:operations' {\n${types}}\n`,
)

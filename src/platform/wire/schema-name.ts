import type { TSchema } from '@sinclair/typebox'

/**
 * Gives a schema its name in the OpenAPI document, which prints it once and refers to it. The validator ignores the
 * name. If two different schemas have one name, the document cannot be made.
 */
export const nameSchema = <T extends TSchema>(name: string, schema: T): T => ({ ...schema, 'x-name': name })

/** Returns the name of a schema; undefined if it has none. */
export function findSchemaName(schema: object): string | undefined {
  const name: unknown = 'x-name' in schema ? schema['x-name'] : undefined
  return typeof name === 'string' ? name : undefined
}

/** Returns a named schema without its name and with another description, since a name has one description only. */
export function worded<T extends TSchema>(schema: T, description: string): T {
  const own = { ...schema, description }
  Reflect.deleteProperty(own, 'x-name')
  return own
}

/** Returns a schema as JSON without names, for an answer that comes without the document of the names. */
export const withoutNames = (schema: TSchema): Record<string, unknown> =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === 'x-name' ? undefined : value)))

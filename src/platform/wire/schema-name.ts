import type { TSchema } from '@sinclair/typebox'

/**
 * Gives a schema its name in the OpenAPI document, which prints it once and refers to it. The validator does not look
 * at the name, so what is taken and refused stays as it was. Two different schemas of one name make no document.
 */
export const nameSchema = <T extends TSchema>(name: string, schema: T): T => ({ ...schema, 'x-name': name })

/** The name of a schema, if it has one. */
export function findSchemaName(schema: object): string | undefined {
  const name: unknown = 'x-name' in schema ? schema['x-name'] : undefined
  return typeof name === 'string' ? name : undefined
}

/** A named schema with words of its own, printed in its place: a name stands for one description. */
export function worded<T extends TSchema>(schema: T, description: string): T {
  const own = { ...schema, description }
  Reflect.deleteProperty(own, 'x-name')
  return own
}

/** A schema as JSON for readers of an answer, who have no document beside it to find names in. */
export const withoutNames = (schema: TSchema): Record<string, unknown> =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === 'x-name' ? undefined : value)))

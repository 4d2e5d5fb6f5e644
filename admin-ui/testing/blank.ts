import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import type { Answer, CallId } from '../operations.ts'

type Schema = {
  $ref?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  type?: string | readonly string[]
  minimum?: number
  examples?: readonly unknown[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  /** The fields that are always present; `required` leaves out objects that may be null. */
  'x-required'?: readonly string[]
}
type Operation = { operationId: string; success: { 200?: { content: { 'application/json': { schema: Schema } } } } }

const file = join(import.meta.dir, '../../src/contract/openapi.snapshot.json')
const snapshot: Readonly<Record<string, Schema & Operation>> = JSON.parse(readFileSync(file, 'utf8'))
const findSchema = (ref: string): Schema => snapshot[`schema ${ref.split('/').at(-1)}`] ?? {}

/** Builds the least that a schema allows: null if possible, else empty, false, the minimum or its first value. */
function least({ $ref, anyOf, type, properties = {}, minimum = 0, ...schema }: Schema): unknown {
  if ($ref) return least(findSchema($ref))
  if (anyOf) return anyOf.some((one) => one.type === 'null') ? null : least(anyOf[0] ?? {})
  if (Array.isArray(type)) return null
  if ('const' in schema || schema.enum) return schema.const ?? schema.enum?.[0]
  if (type === 'object') {
    const always = [...(schema.required ?? []), ...(schema['x-required'] ?? [])]
    return Object.fromEntries(always.map((key) => [key, least(properties[key] ?? {})]))
  }
  if (type === 'array') return []
  if (type === 'boolean') return false
  return type === 'string' ? (schema.examples?.[0] ?? '') : minimum
}

const ajv = new Ajv({ strict: false, validateFormats: false })
const schemas = Object.entries(snapshot).flatMap(([name, schema]) => {
  const [, key] = name.split('schema ')
  return key === undefined ? [] : [[key, schema] as const]
})
ajv.addSchema({ $id: 'document', components: { schemas: Object.fromEntries(schemas) } })
const isAnswer = <Id extends CallId>(_: Id, schema: Schema, value: unknown): value is Answer<Id> =>
  ajv.validate({ $ref: `document${schema.$ref ?? ''}` }, value)

/**
 * Builds an answer with empty values from the committed OpenAPI document. Samples then name only the fields that matter
 * to them, and a new field of the API is in all of them.
 */
export function blank<Id extends CallId>(id: Id): Answer<Id> {
  const operation = Object.values(snapshot).find(({ operationId }) => operationId === id)
  const schema = operation?.success[200]?.content['application/json'].schema ?? {}
  const value = least(schema)
  if (!isAnswer(id, schema, value)) throw new Error(`${id} answers nothing that could be blank`)
  return value
}

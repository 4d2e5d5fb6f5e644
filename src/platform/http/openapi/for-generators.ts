import { isObject, type Json } from './schemas.ts'

/** These keys are left out where a named schema is copied into a field. */
const LEFT_OUT = new Set(['examples', 'description', 'title'])

const isNull = (schema: unknown): boolean => isObject(schema) && schema.type === 'null'
const isScalar = ({ type }: Json): boolean => typeof type === 'string' && type !== 'object' && type !== 'array'

/**
 * Makes a document that the usual generators of clients can read. Most of them understand a field that may be null only
 * as `type: [string, null]`, not as one of two schemas, and lose the nulls of schemas composed by `allOf`. `schemas`
 * are the named ones. Verified by `bun run generators`.
 */
export function forGenerators(document: Json, schemas: Json): Json {
  const resolve = (schema: unknown): Json | undefined => {
    if (!isObject(schema)) return undefined
    const name = typeof schema.$ref === 'string' ? schema.$ref.replace('#/components/schemas/', '') : undefined
    const found = name === undefined ? schema : schemas[name]
    return isObject(found) ? found : undefined
  }
  const asNullable = (options: readonly unknown[], rest: Json): Json | undefined => {
    const [only, ...others] = options.filter((option) => !isNull(option))
    const schema = resolve(only)
    if (others.length > 0 || options.length !== 2 || schema === undefined || !isScalar(schema)) return undefined
    const isNamed = schema !== only
    const own = Object.entries(schema).filter(([key]) => !isNamed || !LEFT_OUT.has(key))
    const allowed = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
    return { ...Object.fromEntries(own), ...allowed, ...rest, type: [schema.type, 'null'] }
  }
  const asOne = (parts: readonly unknown[], rest: Json): Json | undefined => {
    const objects = parts.map(resolve).map((part) => (part?.type === 'object' ? part : undefined))
    if (!objects.every(isObject)) return undefined
    const required = objects.flatMap((part) => (Array.isArray(part.required) ? part.required : []))
    const properties = Object.assign({}, ...objects.map((part) => part.properties))
    return { type: 'object', required: [...new Set(required)], properties, ...rest }
  }
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite)
    if (!isObject(value)) return value
    const { anyOf, allOf, ...rest } = value
    // many generators cannot express a value of two types, so its type is left out
    if (Array.isArray(value.type) && value.type.filter((type) => type !== 'null').length > 1)
      return Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'type'))
    const simple =
      (Array.isArray(anyOf) && asNullable(anyOf, rest)) || (Array.isArray(allOf) && asOne(allOf, rest)) || value
    return withoutNullObjects(Object.fromEntries(Object.entries(simple).map(([key, item]) => [key, rewrite(item)])))
  }
  const rewritten = rewrite(document)
  return isObject(rewritten) ? withoutUnused(rewritten) : document
}

/**
 * Makes required objects that may be null optional, since the generator for Java accepts no null for a required object.
 * `x-required` names them, for the types of the console.
 */
function withoutNullObjects(schema: Json): Json {
  const { required, properties } = schema
  if (!Array.isArray(required) || !isObject(properties)) return schema
  const isNullable = (name: unknown): boolean => {
    const property = properties[String(name)]
    return isObject(property) && Array.isArray(property.anyOf) && property.anyOf.some(isNull)
  }
  const nullable = required.filter(isNullable)
  if (nullable.length === 0) return schema
  return { ...schema, required: required.filter((name) => !isNullable(name)), 'x-required': nullable }
}

/** Leaves out the named schemas to which nothing refers any more. */
function withoutUnused(document: Json): Json {
  const { components } = document
  if (!isObject(components) || !isObject(components.schemas)) return document
  const named = new Set(JSON.stringify(document).match(/(?<="#\/components\/schemas\/)[^"]+/g))
  const used = Object.entries(components.schemas).filter(([name]) => named.has(name))
  return { ...document, components: { ...components, schemas: Object.fromEntries(used) } }
}

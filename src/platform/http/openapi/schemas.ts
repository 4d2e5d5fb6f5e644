import { UNSAID } from '../../wire/formats.ts'
import { buildExample } from './examples.ts'

export type Json = Record<string, unknown>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Simplifies a schema for readers. A number or a boolean of a query is text to the validator, and is shown as what it
 * means; a pattern and a sentence that repeat a list of values are left out, and so is the format that refuses control
 * characters, which ninety fields have.
 */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!isObject(value)) return value
  const { 'x-integer': range, pattern, ...rest } = value
  if (isObject(range)) return { ...rest, type: 'integer', ...range }
  if (value['x-boolean'] === true) return { type: 'boolean', description: value.description }
  if (typeof pattern === 'string' && Array.isArray(value.enum)) return plain(withoutValues(rest))
  const said = Object.entries(value).filter(([key, item]) => key !== 'format' || !UNSAID.has(item))
  return Object.fromEntries(said.map(([key, item]) => [key, plain(item)]))
}

/** Leaves the values out of a description such as “one of a, -a; default -a”. */
const withoutValues = ({ description, ...rest }: Json): Json =>
  typeof description === 'string' ? { ...rest, description: description.replace(/^one of [^;]*; /, '') } : rest

/** Takes the named schemas out of the document, so that each is printed once, and leaves references in their place. */
export function createNames() {
  const schemas = new Map<string, Json>()
  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer)
    if (!isObject(value)) return value
    const { 'x-name': name, ...own } = value
    const content = Object.fromEntries(Object.entries(own).map(([key, item]) => [key, refer(item)]))
    if (typeof name !== 'string') return content
    // a page needs no example of its own, since the schema of its rows has one
    const shown = 'examples' in content || name.endsWith('Page')
    const printed = shown ? content : { ...content, examples: [buildExample(own, name)] }
    const known = schemas.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(printed)) {
      throw new Error(`Two different schemas are named ${name}.`)
    }
    schemas.set(name, printed)
    return { $ref: `#/components/schemas/${name}` }
  }
  const referAll = (parts: Json): Json =>
    Object.fromEntries(Object.entries(parts).map(([key, item]) => [key, refer(item)]))
  return {
    refer,
    referAll,
    /** The schemas that were referred to, by name. */
    schemas: (): Json => Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

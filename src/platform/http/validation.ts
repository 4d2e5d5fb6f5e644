import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { say } from '../../words/say.ts'
import { NOT_BLANK, ONE_LINE } from './fields.ts'
import { DATE_OR_TIME, FREE_TEXT, findControl } from './formats.ts'
import { type FieldError, Problem } from './problem.ts'

/** What a validator says of one place in the input. */
type Finding = { path: string; message: string; code?: 'unknown_field' }
type Alternative = { type?: string; pattern?: string; format?: string; description?: string; enum?: readonly unknown[] }
type Bag = Readonly<Record<string, unknown>>

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value)
const isSchema = (value: unknown): value is TSchema => isBag(value)
const isAlternative = (value: unknown): value is Alternative => isBag(value)

/** Nobody mends more than this at once, and finding more costs time. */
const MAX_FINDINGS = 20
const MAX_MESSAGE = 300
const MAX_LIST = 250
const MAX_PATH = 300

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-01-31',
  'date-time': 'a time such as 2026-01-31T09:00:00Z',
  [DATE_OR_TIME]: 'a time such as 2026-01-31T09:00:00Z, or a date',
  email: 'an address such as ada@example.com',
}
const PATTERNS: Readonly<Record<string, string>> = {
  [ONE_LINE]: 'one line of text, not blank',
  [NOT_BLANK]: 'more than blanks',
}
/** As many words of a list as fit, each whole; what is left out is shown to be. */
function wordsOf(values: readonly unknown[]): string {
  let text = ''
  for (const value of values) {
    const longer = text === '' ? String(value) : `${text}, ${String(value)}`
    if (longer.length > MAX_LIST) return text === '' ? '…' : `${text}, …`
    text = longer
  }
  return text
}
const wordsFor = ({ type, pattern, format, description, enum: values }: Alternative): string => {
  if (values) return `one of ${wordsOf(values)}`
  if (format !== undefined && FORMATS[format] !== undefined) return FORMATS[format]
  if (pattern !== undefined && PATTERNS[pattern] !== undefined) return PATTERNS[pattern]
  return description ?? (format ? `a ${format}` : pattern ? `text like ${pattern}` : `a ${type ?? 'value'}`)
}

/** A schema's wishes in words, where the library's own say “union”, “kind” or a long pattern. */
function wishOf(schema: TSchema): string | undefined {
  const range = schema['x-integer']
  if (isBag(range))
    return `must be a whole number from ${range.minimum}${range.maximum === undefined ? '' : ` to ${range.maximum}`}`
  if (Array.isArray(schema.enum) || schema.format !== undefined || schema.pattern !== undefined)
    return `must be ${wordsFor(schema)}`
  const all = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isAlternative) : []
  const wanted = all.filter(({ type }) => type !== 'null')
  if (wanted.length === 0) return undefined
  const words = wanted.map(wordsFor)
  return `must be ${words.join(', or ')}${wanted.length < all.length ? ', or null' : ''}`
}

/** Nobody sees a control character, so it is said which one and where. */
function controlOf(text: string): string | undefined {
  const at = findControl(text)
  if (at === -1) return undefined
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')
  return `must not hold the control character U+${code} (character ${at + 1})`
}

/** Length before pattern: a text that is too long is never shown to a pattern or a format. */
function complaintOf(schema: TSchema, text: string): string | undefined {
  const { maxLength, minLength, format }: Bag = schema
  if (typeof maxLength === 'number' && text.length > maxLength) return `must have at most ${maxLength} characters`
  if (typeof minLength === 'number' && text.length < minLength)
    return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`
  return format === FREE_TEXT ? controlOf(text) : undefined
}

/** What `Nullable` wraps; a schema of any other kind is itself. */
function withoutNull(schema: TSchema): TSchema {
  if (!Array.isArray(schema.anyOf)) return schema
  const wanted = schema.anyOf.filter((option: unknown) => isBag(option) && option.type !== 'null')
  const [only] = wanted
  return wanted.length === 1 && isSchema(only) ? only : schema
}

/** Everything that is wrong with a value, outermost first; the reader stops asking when it has enough. */
function* findingsIn(schema: TSchema, value: unknown, path: string): Generator<Finding> {
  const inner = withoutNull(schema)
  if (inner.type === 'object' && isBag(value)) return yield* findingsInObject(inner, value, path)
  if (inner.type === 'array' && Array.isArray(value)) return yield* findingsInList(inner, value, path)
  const complaint = inner.type === 'string' && typeof value === 'string' ? complaintOf(inner, value) : undefined
  if (complaint !== undefined) yield { path, message: complaint }
  else if (!Value.Check(schema, value))
    yield {
      path,
      message: wishOf(schema) ?? Value.Errors(schema, value).First()?.message ?? say('problems.field.not_valid'),
    }
}

const at = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`).slice(0, MAX_PATH)

function* findingsInObject(schema: TSchema, value: Bag, path: string): Generator<Finding> {
  const properties: Bag = isBag(schema.properties) ? schema.properties : {}
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  for (const [key, property] of Object.entries(properties)) {
    if (!isSchema(property)) continue
    if (value[key] !== undefined) yield* findingsIn(property, value[key], at(path, key))
    else if (required.includes(key)) yield { path: at(path, key), message: say('problems.field.required') }
  }
  const patterns: Bag = isBag(schema.patternProperties) ? schema.patternProperties : {}
  const [others] = Object.entries(patterns)
  if (others === undefined && schema.additionalProperties !== false) return
  const [pattern, member] = others ?? []
  const matches = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(properties, key)) continue
    if (matches?.test(key) && isSchema(member)) yield* findingsIn(member, value[key], at(path, key))
    else if (schema.additionalProperties === false)
      yield { path: at(path, key), message: say('problems.field.not_field_this_operation'), code: 'unknown_field' }
  }
}

function* findingsInList(schema: TSchema, list: readonly unknown[], path: string): Generator<Finding> {
  const { items, maxItems, minItems, uniqueItems }: Bag = schema
  if (typeof maxItems === 'number' && list.length > maxItems)
    yield { path, message: say('problems.field.must_have_at_most', { maxItems }) }
  else if (typeof minItems === 'number' && list.length < minItems)
    yield { path, message: say('problems.field.must_have_at_least', { minItems }) }
  else {
    let fine = true
    if (isSchema(items))
      for (const [index, item] of list.entries())
        for (const finding of findingsIn(items, item, at(path, String(index)))) {
          fine = false
          yield finding
        }
    if (fine && uniqueItems === true && !Value.Check(schema, list))
      yield { path, message: say('problems.field.must_not_repeat_item') }
  }
}

const cut = (text: string): string => (text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1)}…` : text)

/**
 * The 422 of a value that its schema refuses: the first findings in words,
 * each naming its field. `place` is body, query, params or headers.
 */
export function validationProblem(place: string, schema: TSchema, value: unknown): Problem {
  const prefix = place === 'body' ? '' : place === 'params' ? 'path' : place
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const { path, message, code = 'invalid' } of findingsIn(schema, value, prefix)) {
    if (seen.has(path)) continue
    seen.add(path)
    errors.push({ path: path || 'body', code, message: cut(message) })
    if (errors.length === MAX_FINDINGS) break
  }
  if (errors.length === 0)
    errors.push({ path: prefix || 'body', code: 'invalid', message: say('problems.field.not_valid') })
  return new Problem(422, 'validation', say('problems.error.some_fields_not_valid'), errors)
}

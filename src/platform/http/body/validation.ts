import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type SentenceKey, say } from '../../../words/say.ts'
import { holdsCardNumber, holdsPrintedCard } from '../../card-numbers.ts'
import { cardNumber, type FieldError, Problem } from '../../problem.ts'
import { Currency, HTTPS_SERVER, Language, LOGIN_NUMBER, NOT_BLANK, ONE_LINE, SHARE } from '../../wire/fields.ts'
import {
  DATE_OR_TIME,
  FREE_LINE,
  findControl,
  findTurning,
  NOTE,
  REFERENCE,
  showsSomething,
  UNSAID,
} from '../../wire/formats.ts'

/** A finding of a validator about one place in the input. */
type Finding = { path: string; message: string; code?: 'unknown_field' | 'card_number' }
type Alternative = { type?: string; pattern?: string; format?: string; description?: string; enum?: readonly unknown[] }
type Bag = Readonly<Record<string, unknown>>

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value)
const isSchema = (value: unknown): value is TSchema => isBag(value)
const isAlternative = (value: unknown): value is Alternative => isBag(value)

/** More findings would not help a person, and take time to find. */
const MAX_FINDINGS = 20
const MAX_MESSAGE = 300
const MAX_LIST = 250
const MAX_PATH = 300

const FORMATS: Readonly<Record<string, SentenceKey>> = {
  date: 'problems.wish.date',
  'date-time': 'problems.wish.time',
  [DATE_OR_TIME]: 'problems.wish.date_or_time',
  email: 'problems.wish.email',
}
const PATTERNS: Readonly<Record<string, SentenceKey>> = {
  [ONE_LINE]: 'problems.wish.one_line',
  [NOT_BLANK]: 'problems.wish.not_blank',
  [SHARE]: 'problems.wish.share',
  [HTTPS_SERVER]: 'problems.wish.https_server',
  [LOGIN_NUMBER]: 'problems.wish.login_number',
  [String(Currency.pattern)]: 'problems.wish.currency',
  [String(Language.pattern)]: 'problems.wish.language',
}
/** The pattern of a decimal number: its description says what the number means, not its form. */
const DECIMAL = /^\^(?:-\?)?\\d\{1,\d+\}\(\\\.\\d\{1,(\d+)\}\)\?\$$/
const describeDecimal = (pattern: string): string | undefined => {
  const [, decimals] = DECIMAL.exec(pattern) ?? []
  return decimals === undefined ? undefined : say('problems.wish.decimal', { decimals })
}
/** Returns as many values of a list as fit, each complete, with a mark if some are missing. */
function joinFitting(values: readonly unknown[]): string {
  let text = ''
  for (const value of values) {
    const longer = text === '' ? String(value) : `${text}, ${String(value)}`
    if (longer.length > MAX_LIST) return text === '' ? '…' : `${text}, …`
    text = longer
  }
  return text
}
const wordsFor = ({ type, pattern, format, description, enum: values }: Alternative): string => {
  if (values) return say('problems.wish.one_of', { values: joinFitting(values) })
  const wish = (format === undefined ? undefined : FORMATS[format]) ?? PATTERNS[pattern ?? '']
  if (wish !== undefined) return say(wish)
  const form = pattern === undefined ? undefined : describeDecimal(pattern)
  if (form !== undefined) return form
  if (description !== undefined) return description
  if (format) return say('problems.wish.format', { format })
  if (pattern) return say('problems.wish.pattern', { pattern })
  return type === undefined ? say('problems.wish.value') : say('problems.wish.type', { type })
}

/** Returns what a schema expects as a sentence; the library's own would say “union”, “kind” or a long pattern. */
function describeWish(schema: TSchema): string | undefined {
  const range = schema['x-integer']
  if (isBag(range)) {
    const { minimum, maximum } = range
    const isBounded = String(maximum !== undefined)
    return say('problems.field.whole_number', { minimum: String(minimum), isBounded, maximum: String(maximum) })
  }
  if (Array.isArray(schema.enum) || schema.format !== undefined || schema.pattern !== undefined)
    return say('problems.field.wished', { wish: wordsFor(schema) })
  if (schema.type === 'array') return say('problems.field.wished', { wish: say('problems.wish.list') })
  const all = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isAlternative) : []
  const wanted = all.filter(({ type }) => type !== 'null')
  if (wanted.length === 0) return undefined
  const either = wanted.map(wordsFor).reduce((one, other) => say('problems.wish.either', { one, other }))
  const wish = wanted.length < all.length ? say('problems.wish.or_null', { wish: either }) : either
  return say('problems.field.wished', { wish })
}

/** Names a control character and its place, since it is invisible. */
function describeControl(text: string, at: number): string | undefined {
  if (at === -1) return undefined
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')
  return say('problems.field.control_character', { code, position: at + 1 })
}

/** Checks length before pattern, so that no pattern or format runs on a text that is too long. */
function findComplaint(schema: TSchema, text: string): string | undefined {
  const { maxLength, minLength, format }: Bag = schema
  if (typeof maxLength === 'number' && text.length > maxLength) return say('problems.field.too_long', { maxLength })
  if (typeof minLength === 'number' && text.length < minLength)
    return minLength === 1 ? say('problems.field.empty') : say('problems.field.too_short', { minLength })
  if (!UNSAID.has(format)) return undefined
  const control = describeControl(text, findControl(text))
  if (control !== undefined || (format !== FREE_LINE && format !== REFERENCE)) return control
  return showsSomething(text)
    ? describeControl(text, findTurning(text))
    : say('problems.field.wished', { wish: say('problems.wish.one_line') })
}

const holdsCard = ({ format }: TSchema, value: unknown): boolean =>
  typeof value === 'string' &&
  ((format === NOTE && holdsCardNumber(value)) || (format === REFERENCE && holdsPrintedCard(value)))

/** Returns what `Nullable` wraps; any other schema is returned unchanged. */
function withoutNull(schema: TSchema): TSchema {
  if (!Array.isArray(schema.anyOf)) return schema
  const wanted = schema.anyOf.filter((option: unknown) => isBag(option) && option.type !== 'null')
  const [only] = wanted
  return wanted.length === 1 && isSchema(only) ? only : schema
}

/** Yields everything that is wrong with a value, outermost first; the reader stops when it has enough. */
function* findingsIn(schema: TSchema, value: unknown, path: string): Generator<Finding> {
  const inner = withoutNull(schema)
  if (inner.type === 'object' && isBag(value)) return yield* findingsInObject(inner, value, path)
  if (inner.type === 'array' && Array.isArray(value)) return yield* findingsInList(inner, value, path)
  const complaint = inner.type === 'string' && typeof value === 'string' ? findComplaint(inner, value) : undefined
  if (complaint !== undefined) yield { path, message: complaint }
  else if (holdsCard(inner, value)) yield { path, message: say('problems.field.card_number'), code: 'card_number' }
  else if (!Value.Check(schema, value))
    yield {
      path,
      message: describeWish(schema) ?? Value.Errors(schema, value).First()?.message ?? say('problems.field.invalid'),
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
      yield { path: at(path, key), message: say('problems.field.unknown_field'), code: 'unknown_field' }
  }
}

function* findingsInList(schema: TSchema, list: readonly unknown[], path: string): Generator<Finding> {
  const { items, maxItems, minItems, uniqueItems }: Bag = schema
  if (typeof maxItems === 'number' && list.length > maxItems)
    yield { path, message: say('problems.field.items_too_many', { maxItems }) }
  else if (typeof minItems === 'number' && list.length < minItems)
    yield { path, message: say('problems.field.items_too_few', { minItems }) }
  else {
    let fine = true
    if (isSchema(items))
      for (const [index, item] of list.entries())
        for (const finding of findingsIn(items, item, at(path, String(index)))) {
          fine = false
          yield finding
        }
    if (fine && uniqueItems === true && !Value.Check(schema, list))
      yield { path, message: say('problems.field.items_repeated') }
  }
}

const cut = (text: string): string => (text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1)}…` : text)

/**
 * Returns the 422 of a value that its schema refuses: the first findings as sentences, each with its field. `place` is
 * body, query, params or headers.
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
    errors.push({ path: prefix || 'body', code: 'invalid', message: say('problems.field.invalid') })
  if (errors.some(({ code }) => code === 'card_number')) return cardNumber(errors)
  return new Problem(422, 'validation', say('problems.error.validation'), errors)
}

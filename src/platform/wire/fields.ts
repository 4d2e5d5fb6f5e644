import { Kind, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'
import { t } from 'elysia'
import { say } from '../../words/say.ts'
import { isCurrency, MoneyError, parseAmount } from '../money.ts'
import { invalid } from '../problem.ts'
import { FREE_LINE, FREE_TEXT, NOTE, REFERENCE } from './formats.ts'
import { nameSchema } from './schema-name.ts'

/** A decimal string; `parseAmountField` checks its decimals and range for the currency. */
export const Amount = nameSchema(
  'Amount',
  Type.String({
    pattern: '^-?\\d{1,16}(\\.\\d{1,8})?$',
    maxLength: 26,
    description: 'decimal amount',
    examples: ['125.50'],
  }),
)
export const Currency = nameSchema(
  'Currency',
  Type.String({
    pattern: '^[A-Z]{3,5}$',
    description: 'ISO 4217 code or a listed crypto code',
    examples: ['EUR'],
  }),
)
export const Id = nameSchema(
  'Id',
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'opaque identifier',
    examples: ['01jk2v7m9q4x8r3t6w5y0z1abc'],
  }),
)
export const Time = nameSchema('Time', Type.String({ format: 'date-time', description: 'ISO 8601, UTC' }))
export const Email = nameSchema('Email', Type.String({ format: 'email', maxLength: 254 }))
export const Country = nameSchema('Country', Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' }))
export const Language = nameSchema(
  'Language',
  Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', description: 'such as en or pt-BR' }),
)
export const Phone = nameSchema(
  'Phone',
  Type.String({ minLength: 5, maxLength: 30, description: 'international form, kept as E.164' }),
)
/** A host name of a firm. */
export const Domain = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$',
  description: 'host name that belongs to this firm alone',
})
/** The short name of a firm. */
export const Slug = Type.String({ pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$' })
export const Version = nameSchema('Version', Type.Integer({ description: 'row version, also the ETag' }))
/** One line that is not blank. Only one way to match a text exists, so the time grows no faster than its length. */
export const ONE_LINE = '^[^\\S\\n\\r]*\\S[^\\n\\r]*$'
export const NOT_BLANK = '\\S'
/** The address of a server without a path, and a number of a login. */
export const HTTPS_SERVER = '^https://[^/?#@\\s]+/?$'
export const LOGIN_NUMBER = '^[1-9][0-9]{0,18}$'
/** A number from 0 to 1 with at most six decimals. */
export const SHARE = '^(0(\\.\\d{1,6})?|1(\\.0{1,6})?)$'
/** One line that a machine reports; refusing a feed because of a control character would leave all of it stale. */
export const ReportedLine = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: ONE_LINE })
/** The name of an instrument, as platforms write it: `EURUSD.£`, `@ES`, `S&P500`, `US 500`, `日経225`. */
export const InstrumentSymbol = nameSchema(
  'InstrumentSymbol',
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^\\S(?:.*\\S)?$',
    format: FREE_LINE,
    description: 'printable characters without blanks at the ends',
    examples: ['EURUSD'],
  }),
)
export const ReportedProse = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK })
/** A name or label that people write: one line. */
export const Line = (maxLength = 200) => Type.String({ minLength: 1, maxLength, pattern: ONE_LINE, format: FREE_LINE })
/** The name that others give to a payment or a destination of money: one line without a whole card number. */
export const Reference = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: ONE_LINE, format: REFERENCE })
/** A note, a reason or the like: several lines without a whole card number. */
export const Prose = (maxLength = 5000) => Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK, format: NOTE })
/** A message between people: several lines, with card numbers or without. */
export const Letter = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK, format: FREE_TEXT })
export const Password = nameSchema(
  'Password',
  Type.String({ minLength: 10, maxLength: 200, description: 'at least 10 characters' }),
)
export const Metadata = nameSchema(
  'Metadata',
  Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
    description: 'free-form object, at most 16 KiB',
  }),
)
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** One of a fixed list of values. Elysia would set an absent field to the first one; here it stays absent. */
export const OneOf = <const T extends readonly [string, ...string[]]>(
  values: T,
  options: { description?: string; 'x-boolean'?: true } = {},
) => {
  const schema = t.UnionEnum(values, { type: 'string', ...options })
  Reflect.deleteProperty(schema, 'default')
  return schema
}
/** Yes or no in a query string, in which it is text. In the OpenAPI document it is a boolean. */
export const QueryFlag = (description?: string) =>
  OneOf(['true', 'false'], { 'x-boolean': true, ...(description !== undefined && { description }) })
/**
 * A small whole number in a query string. The code gets it as text and converts it by `Number()`, since a coercing
 * schema would lose the name of the parameter in its errors. In the OpenAPI document it is an integer.
 */
export const QueryInt = (minimum: number, maximum: number, options: { description?: string } = {}) => {
  const values = Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index)
  const schema = Type.String({ pattern: `^(${values.join('|')})$`, 'x-integer': { minimum, maximum }, ...options })
  return Type.Unsafe<`${number}`>(schema)
}
/** An object that takes no other fields; `examples` are needed if one made of its fields' examples would be refused. */
export const Strict = <T extends Record<string, TSchema>>(
  properties: T,
  options: { examples?: readonly object[]; minProperties?: number } = {},
) => Type.Object(properties, { ...options, additionalProperties: false })
/**
 * A list whose rows are refused one by one: the body is taken whatever its rows are, and `sortRows` of the feed checks
 * each row. The document shows a list of `items`.
 */
export const Rows = (items: TSchema, maxItems: number) =>
  Type.Unsafe<unknown[]>({ [Kind]: ROWS, type: 'array', items, maxItems })
const ROWS = 'Rows'
TypeRegistry.Set<{ maxItems: number }>(ROWS, ({ maxItems }, value) => Array.isArray(value) && value.length <= maxItems)
/** Whether a schema was made by `Rows`. */
export const isRows = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && Reflect.get(schema, Kind) === ROWS

/** The path parameters of a route for one row. */
export const IdParam = Type.Object({ id: Id })

/**
 * Returns the amount of a field in minor units. Throws a 422 that names the field if the amount is malformed, has too
 * many decimals or is out of range, or the currency is unknown. `parse` is `roundAmount` for reported amounts.
 */
export function parseAmountField(path: string, text: string, currency: string, parse = parseAmount): bigint {
  try {
    return parse(text, currency)
  } catch (error) {
    if (error instanceof MoneyError) {
      // the field of the currency is beside the amount, in the query of a list and in a body
      const field = error.code === 'currency_unknown' ? path.replace(/[^.]+$/, 'currency') : path
      throw invalid(field, error.code, error.message)
    }
    throw error
  }
}

/** As `parseAmountField`, for an amount that moves; throws a 422 as well if it is not above zero. */
export function parsePositiveAmountField(path: string, text: string, currency: string): bigint {
  const amount = parseAmountField(path, text, currency)
  if (amount <= 0n) throw invalid(path, 'not_positive', say('problems.field.not_positive'))
  return amount
}

/** Returns the code of a currency field; throws a 422 that names the field if the currency is unknown. */
export function knownCurrency(path: string, code: string): string {
  if (!isCurrency(code)) throw invalid(path, 'currency_unknown', say('problems.field.currency_unknown'))
  return code
}

/** Returns a free-form object, which is stored as it is; throws a 422 if its JSON has more than 16,384 characters. */
export function boundedMetadata(path: string, value: Record<string, unknown>): Record<string, unknown> {
  if (JSON.stringify(value).length > 16_384) throw invalid(path, 'too_large', say('problems.field.metadata_too_large'))
  return value
}

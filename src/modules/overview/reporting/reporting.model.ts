import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Currency, OneOf, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'

export const Day = nameSchema(
  'Day',
  Type.String({ format: 'date', description: 'a day of the firm’s time zone', examples: ['2026-01-31'] }),
)
export const Month = Type.String({ examples: ['2026-01'] })
export const Count = Type.Integer()
export const Sum = nameSchema('Sum', Type.String({ description: 'exact decimal sum', examples: ['125.50'] }))
/** A converted sum; null if the rate of a day is missing, which `missingRates` lists. */
export const ConvertedSum = nameSchema(
  'ConvertedSum',
  Type.Union([Type.String(), Type.Null()], {
    description: 'in the report’s currency; null where a rate is missing',
    examples: ['125.50'],
  }),
)

const day = (name: string, description: string, example: string) =>
  Type.Optional(nameSchema(name, Type.String({ format: 'date', maxLength: 10, description, examples: [example] })))

const period = {
  from: day('FromDay', 'first day, of the firm’s zone', '2026-01-01'),
  to: day('ToDay', 'the day after the last one', '2026-02-01'),
}
const into = {
  currency: Type.Optional(nameSchema('ReportCurrency', worded(Currency, 'to convert into; default the firm’s'))),
}
const form = {
  format: Type.Optional(nameSchema('ReportFormat', OneOf(['json', 'csv'], { description: 'default json' }))),
}

export const PeriodQuery = Strict({ ...period, ...form })
export const MoneyQuery = Strict({ ...period, ...into, ...form })
export const FormatQuery = Strict(form)
/** The query parameters of a report. */
export type Asked = Static<typeof MoneyQuery>

export const MissingRates = nameSchema(
  'MissingRates',
  Type.Array(Type.Object({ currency: Currency, day: Day, amount: Sum }), {
    description: 'what could not be converted: there was no rate that day',
    examples: [[]],
  }),
)
export type MissingRate = Static<typeof MissingRates>[number]

/** The fields that every report has. */
export const frame = {
  from: Day,
  to: Day,
  timeZone: Type.String({ description: 'of the firm' }),
  asOf: Time,
}

/** The beginning of an example; a complete report would be longer than the rest of its documentation. */
export const frameExample = {
  from: '2026-01-01',
  to: '2026-02-01',
  timeZone: 'UTC',
  asOf: '2026-01-31T09:05:00.000Z',
}

/** An answer in JSON, or a file if one was asked for. */
export const OrCsv = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | Response>(schema)

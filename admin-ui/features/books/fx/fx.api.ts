import { type Answer, type Body, call, type QueryOf, type Row } from '../../../api.ts'

export type Rate = Row<'fx.rates.list'>
export type Conversion = Answer<'fx.convert'>
export type Converting = NonNullable<QueryOf<'fx.convert'>['for']>
type NewRate = Body<'fx.rates.upsert'>['rates'][number]

export const fetchRates = () => call('fx.rates.list')
/** Reads the rates that were entered for past days. */
export const fetchPastRates = () => call('fx.rates.list', { query: { past: true } })
type Options = { global: boolean; force?: boolean }
export const setRate = (rate: NewRate, { global, force = false }: Options) =>
  call('fx.rates.upsert', { body: { rates: [rate], ...(global && { global }), ...(force && { force }) } })
export const removeRate = ({ id }: Rate) => call('fx.rates.remove', { params: { id } })
export const convert = (amount: string, base: string, quote: string, who: Converting) =>
  call('fx.convert', { query: { amount, base, quote, for: who } })

import type { Static } from '@sinclair/typebox'
import type { ConversionOut, ConvertQuery, Rate, RatesOut } from '../../../src/modules/fx/fx.model.ts'
import { del, get, type Page, post } from '../../api.ts'

export type { Rate }
export type Conversion = Static<typeof ConversionOut>
export type Converting = NonNullable<Static<typeof ConvertQuery>['for']>
export type NewRate = { base: string; quote: string; rate: string; source?: string }

export const fetchRates = (): Promise<Page<Rate>> => get('/v1/fx/rates')
type Options = { global: boolean; force?: boolean }
export const setRate = (rate: NewRate, { global, force = false }: Options): Promise<Static<typeof RatesOut>> =>
  post('/v1/fx/rates/upsert', { rates: [rate], ...(global && { global }), ...(force && { force }) })
export const removeRate = ({ id }: Rate): Promise<void> => del(`/v1/fx/rates/${id}`)
export const convert = (amount: string, base: string, quote: string, who: Converting): Promise<Conversion> =>
  get('/v1/fx/convert', { amount, base, quote, for: who })

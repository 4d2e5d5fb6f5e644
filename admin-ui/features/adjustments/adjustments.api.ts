import type { Static } from '@sinclair/typebox'
import type { AdjustmentIn, AdjustmentOut } from '../../../src/modules/adjustments/adjustments.model.ts'
import { get, type Page, post, type Query } from '../../api.ts'
import { type Named, withTraderNames } from '../traders/trader-names.ts'

export type Adjustment = Static<typeof AdjustmentOut>
export type NamedAdjustment = Named<Adjustment>

const at = (id: string): string => `/v1/adjustments/${id}`

export const fetchAdjustments = async (query: Query): Promise<Page<NamedAdjustment>> =>
  withTraderNames(await get<Page<Adjustment>>('/v1/adjustments', query))
export const requestAdjustment = (body: Static<typeof AdjustmentIn>): Promise<Adjustment> =>
  post('/v1/adjustments', body)
export const approveAdjustment = ({ id, version }: Adjustment, note: string): Promise<Adjustment> =>
  post(`${at(id)}/approve`, note ? { note } : {}, version)
export const rejectAdjustment = ({ id, version }: Adjustment, reason: string): Promise<Adjustment> =>
  post(`${at(id)}/reject`, { reason }, version)

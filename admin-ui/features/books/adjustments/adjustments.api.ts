import { type Body, call, type Page, type QueryOf, type Row } from '../../../api.ts'
import type { WithClientName } from '../../clients/traders/trader-names.ts'

export type Adjustment = Row<'adjustments.list'>
export type NamedAdjustment = WithClientName<Adjustment>

export const fetchAdjustments = async (query: QueryOf<'adjustments.list'>): Promise<Page<NamedAdjustment>> =>
  call('adjustments.list', { query })
export const requestAdjustment = (body: Body<'adjustments.create'>) => call('adjustments.create', { body })
export const approveAdjustment = ({ id, version }: Adjustment, note: string) =>
  call('adjustments.approve', { params: { id }, body: note ? { note } : {}, ifMatch: version })
export const rejectAdjustment = ({ id, version }: Adjustment, reason: string) =>
  call('adjustments.reject', { params: { id }, body: { reason }, ifMatch: version })

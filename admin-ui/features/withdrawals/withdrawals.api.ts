import type { Static } from '@sinclair/typebox'
import type {
  BulkResult,
  CancelIn,
  RejectIn,
  Withdrawal,
  WithdrawalDetail,
  WithdrawalIn,
} from '../../../src/modules/withdrawals/withdrawals.model.ts'
import { get, type Page, post, type Query, withQuery } from '../../api.ts'
import { type Named, traderName, withTraderNames } from '../traders/trader-names.ts'
import { fetchTrader } from '../traders/traders.api.ts'

export type { Withdrawal }
export type NamedWithdrawal = Named<Withdrawal>
export type WithdrawalRecord = Named<Static<typeof WithdrawalDetail>>
export type Review = NonNullable<WithdrawalRecord['review']>
export type NewWithdrawal = Static<typeof WithdrawalIn>

const at = (id: string): string => `/v1/withdrawals/${id}`

export const fetchWithdrawals = (query: Query): Promise<Page<Withdrawal>> => get('/v1/withdrawals', query)
export const fetchNamedWithdrawals = async (query: Query): Promise<Page<NamedWithdrawal>> =>
  withTraderNames(await fetchWithdrawals(query))
export const fetchWithdrawal = async (id: string): Promise<WithdrawalRecord> => {
  const withdrawal = await get<Static<typeof WithdrawalDetail>>(at(id))
  return { ...withdrawal, traderName: traderName(await fetchTrader(withdrawal.traderId)) }
}
/** Several with their checks, a few at a time. */
export const fetchReviews = async (ids: readonly string[]): Promise<Static<typeof WithdrawalDetail>[]> => {
  const found: Static<typeof WithdrawalDetail>[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    found.push(...(await Promise.all(some.map((id) => get<Static<typeof WithdrawalDetail>>(at(id))))))
  }
  return found
}
const AT_ONCE = 6

export const createWithdrawal = (body: NewWithdrawal): Promise<Withdrawal> => post('/v1/withdrawals', body)
export const approveWithdrawal = ({ id, version }: Withdrawal, note: string): Promise<Withdrawal> =>
  post(`${at(id)}/approve`, note ? { note } : {}, version)
export const rejectWithdrawal = ({ id, version }: Withdrawal, body: Static<typeof RejectIn>): Promise<Withdrawal> =>
  post(`${at(id)}/reject`, body, version)
export const payWithdrawal = ({ id, version }: Withdrawal, paymentReference: string): Promise<Withdrawal> =>
  post(`${at(id)}/pay`, { paymentReference }, version)
export const cancelWithdrawal = ({ id, version }: Withdrawal, body: Static<typeof CancelIn>): Promise<Withdrawal> =>
  post(`${at(id)}/cancel`, body, version)
export const bulkApprove = (ids: string[], note: string): Promise<Static<typeof BulkResult>> =>
  post('/v1/withdrawals/bulk-approve', { ids, ...(note && { note }) })

/** Address of the CSV file of a filtered list. */
export const withdrawalsCsv = (query: Query): string => withQuery('/v1/withdrawals/export.csv', query)

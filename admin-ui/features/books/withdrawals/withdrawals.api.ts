import { type Answer, type Body, call, type QueryOf, type Row } from '../../../api.ts'
import { traderName, type WithClientName } from '../../clients/traders/trader-names.ts'
import { fetchTrader } from '../../clients/traders/traders.api.ts'

export type Withdrawal = Omit<Row<'withdrawals.list'>, 'traderName'>
export type NamedWithdrawal = WithClientName<Withdrawal>
type Detail = Answer<'withdrawals.get'>
export type WithdrawalRecord = WithClientName<Detail>
export type Review = NonNullable<WithdrawalRecord['review']>
/** The fields that a person sees before approving a withdrawal. */
export type Reviewed = Pick<Detail, 'status' | 'lapsedAt' | 'review'>
export type NewWithdrawal = Body<'withdrawals.create'>

type Asked = QueryOf<'withdrawals.list'>

export const fetchWithdrawals = (query: Asked) => call('withdrawals.list', { query })
const fetchDetail = (id: string) => call('withdrawals.get', { params: { id } })
export const fetchWithdrawal = async (id: string): Promise<WithdrawalRecord> => {
  const withdrawal = await fetchDetail(id)
  return { ...withdrawal, traderName: traderName(await fetchTrader(withdrawal.traderId)) }
}
/** Reads several withdrawals with their checks; those that no longer exist are left out. */
export const fetchReviews = async (ids: readonly string[]): Promise<Detail[]> => {
  const found: Detail[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE).join(',')
    found.push(...(await call('withdrawals.reviews', { query: { ids: some } })).data)
  }
  return found
}
/** The operation takes at most this many ids. */
const AT_ONCE = 30

export const createWithdrawal = (body: NewWithdrawal) => call('withdrawals.create', { body })
export const approveWithdrawal = ({ id, version }: Withdrawal, note: string) =>
  call('withdrawals.approve', { params: { id }, body: note ? { note } : {}, ifMatch: version })
export const rejectWithdrawal = ({ id, version }: Withdrawal, body: Body<'withdrawals.reject'>) =>
  call('withdrawals.reject', { params: { id }, body, ifMatch: version })
export const payWithdrawal = ({ id, version }: Withdrawal, paymentReference: string) =>
  call('withdrawals.pay', { params: { id }, body: { paymentReference }, ifMatch: version })
export const cancelWithdrawal = ({ id, version }: Withdrawal, body: Body<'withdrawals.cancel'>) =>
  call('withdrawals.cancel', { params: { id }, body, ifMatch: version })
export const bulkApprove = (ids: string[], note: string) =>
  call('withdrawals.bulkApprove', { body: { ids, ...(note && { note }) } })

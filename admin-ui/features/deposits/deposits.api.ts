import type { Static } from '@sinclair/typebox'
import type { Deposit, DepositIn } from '../../../src/modules/deposits/deposits.model.ts'
import { get, type Page, post, type Query, withQuery } from '../../api.ts'
import { type Named, traderName, withTraderNames } from '../traders/trader-names.ts'
import { fetchTrader } from '../traders/traders.api.ts'

export type { Deposit }
export type NamedDeposit = Named<Deposit>
export type NewDeposit = Static<typeof DepositIn>

const at = (id: string): string => `/v1/deposits/${id}`

export const fetchDeposits = (query: Query): Promise<Page<Deposit>> => get('/v1/deposits', query)
export const fetchNamedDeposits = async (query: Query): Promise<Page<NamedDeposit>> =>
  withTraderNames(await fetchDeposits(query))
export const fetchDeposit = async (id: string): Promise<NamedDeposit> => {
  const deposit = await get<Deposit>(at(id))
  return { ...deposit, traderName: traderName(await fetchTrader(deposit.traderId)) }
}
export const createDeposit = (body: NewDeposit): Promise<Deposit> => post('/v1/deposits', body)
export const settleDeposit = ({ id, version }: Deposit): Promise<Deposit> =>
  post(`${at(id)}/settle`, undefined, version)
export const settlePart = (
  { id, version }: Deposit,
  body: { settledAmount: string; notes?: string },
): Promise<Deposit> => post(`/v1/admin/deposits/${id}/partial-settle`, body, version)
export const cancelDeposit = ({ id, version }: Deposit): Promise<Deposit> =>
  post(`${at(id)}/cancel`, undefined, version)
export const failDeposit = ({ id, version }: Deposit, reason: string): Promise<Deposit> =>
  post(`${at(id)}/fail`, { reason }, version)

/** Address of the CSV file of a filtered list. */
export const depositsCsv = (query: Query): string => withQuery('/v1/deposits/export.csv', query)

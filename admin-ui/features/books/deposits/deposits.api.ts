import { type Answer, type Body, call, type QueryOf } from '../../../api.ts'
import { traderName, type WithClientName } from '../../clients/traders/trader-names.ts'
import { fetchTrader } from '../../clients/traders/traders.api.ts'

export type Deposit = Answer<'deposits.get'>
export type NamedDeposit = WithClientName<Deposit>
export type NewDeposit = Body<'deposits.create'>

type Asked = QueryOf<'deposits.list'>

export const fetchDeposits = (query: Asked) => call('deposits.list', { query })
export const fetchDeposit = async (id: string): Promise<NamedDeposit> => {
  const deposit = await call('deposits.get', { params: { id } })
  return { ...deposit, traderName: traderName(await fetchTrader(deposit.traderId)) }
}
/** Reads the firm's first 200 payment gateways, from which the name of a deposit's gateway is taken. */
export const fetchGateways = () => call('psp.list', { query: { limit: 200 } })
export const createDeposit = (body: NewDeposit) => call('deposits.create', { body })
export const settleDeposit = ({ id, version }: Deposit) => call('deposits.settle', { params: { id }, ifMatch: version })
export const settlePart = ({ id, version }: Deposit, body: Body<'deposits.partialSettle'>) =>
  call('deposits.partialSettle', { params: { id }, body, ifMatch: version })
export const cancelDeposit = ({ id, version }: Deposit) => call('deposits.cancel', { params: { id }, ifMatch: version })
export const failDeposit = ({ id, version }: Deposit, reason: string) =>
  call('deposits.fail', { params: { id }, body: { reason }, ifMatch: version })

import { type Answer, type Body, call, type QueryOf } from '../../../api.ts'
import { sumByCurrency } from '../../../lib/text/decimal.ts'
import { traderName, type WithClientName } from '../../clients/traders/trader-names.ts'
import { fetchTrader, fetchTraders } from '../../clients/traders/traders.api.ts'

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

/** What the policy says about a bulk settlement: its threshold, and the other currencies whose sums reach it. */
export type ApprovalThreshold = Pick<Answer<'approvalPolicies.get'>, 'threshold' | 'currency'> & {
  largeCurrencies: readonly string[]
}
const readThreshold = async (rows: readonly NamedDeposit[]): Promise<ApprovalThreshold> => {
  const { threshold, currency: own } = await call('approvalPolicies.get')
  const others = sumByCurrency(rows.filter(({ currency }) => currency !== own))
  const large = others.map(async ([currency, amount]) => {
    const query = { amount, currency, kind: 'client_deposit' } as const
    const { simulation } = await call('approvalPolicies.get', { query })
    return simulation?.approvals === 1 ? [] : [currency]
  })
  return { threshold, currency: own, largeCurrencies: (await Promise.all(large)).flat() }
}
/** Reads the facts for the plan of a bulk settlement: from which amount on it takes two people, and its clients. */
export const fetchSettleFacts = async (rows: readonly NamedDeposit[]) => {
  const ids = [...new Set(rows.map(({ traderId }) => traderId))].join(',')
  const [policy, { data: traders }] = await Promise.all([
    readThreshold(rows),
    fetchTraders({ ids, limit: MOST_SETTLED }),
  ])
  return { policy, traders }
}
/** At most this many deposits are settled at once: each is one request, and nobody reviews more. */
export const MOST_SETTLED = 200

export const createDeposit = (body: NewDeposit) => call('deposits.create', { body })
export const settleDeposit = ({ id, version }: Deposit) => call('deposits.settle', { params: { id }, ifMatch: version })
export const settlePart = ({ id, version }: Deposit, body: Body<'deposits.partialSettle'>) =>
  call('deposits.partialSettle', { params: { id }, body, ifMatch: version })
export const cancelDeposit = ({ id, version }: Deposit) => call('deposits.cancel', { params: { id }, ifMatch: version })
export const failDeposit = ({ id, version }: Deposit, reason: string) =>
  call('deposits.fail', { params: { id }, body: { reason }, ifMatch: version })

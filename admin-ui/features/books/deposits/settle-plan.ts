import type { Flag, ReviewedRow } from '../../../components/lists/bulk-review.tsx'
import { addDecimal, compareDecimal } from '../../../lib/text/decimal.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import type { Trader } from '../../clients/traders/traders.api.ts'
import type { FindStaffName } from '../../firm/users/users.api.ts'
import { firstApprovalText } from './deposit-words.ts'
import type { ApprovalThreshold, NamedDeposit } from './deposits.api.ts'
import { say } from './words.ts'

/** The facts from which the console plans a bulk settlement; the server decides. */
export type PlanFacts = {
  userId: string
  policy: ApprovalThreshold
  traders: readonly Trader[]
  findStaffName: FindStaffName
}

export type SettlePlan = { settled: NamedDeposit[]; shown: ReviewedRow[]; left: ReviewedRow[] }

/**
 * Splits the chosen deposits into those that are settled in full, in this order, and those that are left out because
 * settling them in full would be refused, or would discard a colleague's first approval.
 */
export function planSettlement(rows: readonly NamedDeposit[], facts: PlanFacts): SettlePlan {
  const clients = new Map(facts.traders.map((trader) => [trader.id, trader]))
  const plan: SettlePlan = { settled: [], shown: [], left: [] }
  let alone = '0'
  for (const row of rows) {
    const name = [shownName(row.traderName), row.providerReference].filter(Boolean).join(' · ')
    const reviewed = (flag: Flag): ReviewedRow => ({ ...row, name, flag })
    const barred = whyLeftOut(row, facts)
    if (barred !== null) {
      plan.left.push(reviewed({ text: barred, tone: 'bad' }))
      continue
    }
    // The threshold counts all that one person settles alone; only the server knows the sum of the last 24 hours.
    const isAlone = row.firstWord === null && (row.announcedBy === null || row.announcedBy === facts.userId)
    const isLarge = reachesThreshold(row, row.amount, facts)
    if (isAlone && !isLarge && row.currency === facts.policy.currency) alone = addDecimal(alone, row.amount)
    const isSumLarge =
      row.currency === facts.policy.currency
        ? compareDecimal(alone, facts.policy.threshold) >= 0
        : facts.policy.largeCurrencies.includes(row.currency)
    const flag = !isAlone || (!isLarge && !isSumLarge) ? credits(row, facts) : waits(row, isLarge, facts)
    plan.settled.push(row)
    plan.shown.push(reviewed(withClient(flag, clients.get(row.traderId))))
  }
  return plan
}

const reachesThreshold = ({ currency }: NamedDeposit, amount: string, { policy }: PlanFacts): boolean =>
  currency === policy.currency && compareDecimal(amount, policy.threshold) >= 0

const formatThreshold = ({ policy }: PlanFacts): string => `${groupDigits(policy.threshold)} ${policy.currency}`

/** Returns why a deposit is not settled together with others; null if it is. */
function whyLeftOut(row: NamedDeposit, facts: PlanFacts): string | null {
  const { amount, announcedBy, firstWord, traderName } = row
  if (traderName === null) return say('deposits.bulk.left_deleted')
  if (announcedBy === facts.userId && reachesThreshold(row, amount, facts))
    return say('deposits.bulk.left_own', { threshold: formatThreshold(facts) })
  if (firstWord === null) return null
  const first = firstApprovalText(row, facts.findStaffName) ?? ''
  if (compareDecimal(firstWord.settledAmount, amount) !== 0) return say('deposits.bulk.left_other_amount', { first })
  return firstWord.by === facts.userId ? say('deposits.bulk.left_own_first') : null
}

const credits = (row: NamedDeposit, { userId, findStaffName }: PlanFacts): Flag => {
  const first = firstApprovalText(row, findStaffName)
  if (first !== null) return { text: say('deposits.bulk.completes', { first }), tone: 'good' }
  if (row.announcedBy === userId) return { text: say('deposits.bulk.own'), tone: 'wait' }
  return { text: say('deposits.bulk.credits'), tone: 'good' }
}

const waits = (row: NamedDeposit, isLarge: boolean, facts: PlanFacts): Flag => {
  const { userId } = facts
  if (row.announcedBy === userId) return { text: say('deposits.bulk.own'), tone: 'wait' }
  const text = isLarge
    ? say('deposits.bulk.first', { threshold: formatThreshold(facts) })
    : say('deposits.bulk.maybe_first')
  return { text, tone: 'wait' }
}

/** Adds that the client is not active, or not identified. */
function withClient(flag: Flag, client: Trader | undefined): Flag {
  if (!client) return flag
  const notes = [
    client.status !== 'active' && say('deposits.bulk.client_status', { status: client.status }),
    client.kycStatus !== 'approved' && say('deposits.bulk.client_unchecked'),
  ].filter((note) => note !== false)
  if (notes.length === 0) return flag
  return { text: [flag.text, ...notes].join(' · '), tone: client.status === 'active' ? 'wait' : 'bad' }
}

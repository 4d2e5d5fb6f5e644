import { groupDigits } from '../../../lib/text/format.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import type { NamedWithdrawal } from './withdrawals.api.ts'
import { say } from './words.ts'

type Named = Pick<NamedWithdrawal, 'amount' | 'currency' | 'traderName'>

/** Names the amount and the client, for a sentence about what was done. */
export const nameWithdrawal = ({ amount, currency, traderName }: Named) => ({
  amount: `${groupDigits(amount)} ${currency}`,
  client: shownName(traderName),
})

/** Says what an approval did: the withdrawal can be paid now, or another person is needed. */
export const describeApproved = (withdrawal: Named, status: NamedWithdrawal['status'] | undefined): string =>
  say(
    status === 'approved' ? 'withdrawals.approve.done_payable' : 'withdrawals.approve.done',
    nameWithdrawal(withdrawal),
  )

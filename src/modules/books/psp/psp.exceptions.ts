import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { invalid, wrongState } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { noteClientAct, refuseGivenPassword, requireDecider } from '../../firm/independence/independence.service.ts'
import { requireFreshFromThreshold } from '../approval-policy/approval-policy.ts'
import { deposits } from '../deposits/deposits.table.ts'
import { type CloseExceptionIn, type Exception, toException } from './psp.model.ts'
import { pspExceptions } from './psp.table.ts'

/** Closes an exception with a reason and, if the payment was booked, its deposit. 409 unless open. RULES “Gateways”. */
export function closeException(
  ctx: Ctx,
  id: string,
  { reason, depositId }: Static<typeof CloseExceptionIn>,
  expect: number | undefined,
): Promise<Exception> {
  return ctx.write('psp.exception_close', (tx) => {
    refuseGivenPassword(tx, ctx)
    const { state } = tx.get(pspExceptions, id)
    if (state !== 'open') throw wrongState('exception', state)
    const deposit = depositId === undefined ? undefined : tx.find(deposits, { id: depositId })
    if (depositId !== undefined && !deposit)
      throw invalid('depositId', 'unknown', say('gateways.field.deposit_unknown'))
    // this decision may credit money to the client
    if (deposit) {
      requireFreshFromThreshold(tx.unowned, ctx, deposit)
      const { userId } = requireDecider(tx, ctx, deposit.traderId)
      noteClientAct(tx, userId, deposit.traderId, 'deposit')
    }
    const changes = {
      state: 'closed',
      closedBy: findStaffId(ctx.principal),
      closedAt: tx.now,
      closeReason: reason,
      bookedByDepositId: depositId ?? null,
    } as const
    return toException(tx.update(pspExceptions, id, changes, { expect }))
  })
}

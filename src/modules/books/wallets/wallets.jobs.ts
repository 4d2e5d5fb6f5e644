import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import { tenantIds } from '../../../platform/db/directory.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { AuditAction } from '../../../words/audit-actions.ts'
import { say } from '../../../words/say.ts'
import { checkLedgerApart } from './ledger.tasks.ts'

const NAME = 'ledger.check'

/**
 * Checks every day that each currency sums to zero, each movement balances, and each wallet equals the sum of its
 * entries. A fault is logged and audited.
 */
export const checkLedger = defineJob({
  name: NAME,
  every: DAY,
  delay: 2 * MINUTE,
  run: async ({ platform, signal }) => {
    const tenants = tenantIds(platform.reader)
    let faulty = 0
    let failed = 0
    const note = async (tenantId: string, action: AuditAction, after: object) => {
      try {
        await systemCtx(platform, tenantId, NAME).write(action, (tx) => tx.audit({ entity: 'ledger', after }))
      } catch (error) {
        platform.log.error({ err: error, tenantId }, 'a finding about the ledger could not be noted')
      }
    }
    for (const id of tenants) {
      if (signal.aborted) break
      try {
        const { balanced, faults } = await checkLedgerApart(systemCtx(platform, id, NAME), signal)
        if (faults.length === 0 && balanced) continue
        faulty += 1
        platform.log.error({ tenantId: id, faults, balanced }, 'the ledger does not balance')
        await note(id, 'ledger.fault', { balanced, faults })
      } catch (error) {
        if (signal.aborted) break
        // one firm that cannot be checked must not prevent the others
        failed += 1
        platform.log.error({ err: error, tenantId: id }, 'the ledger could not be checked')
        await note(id, 'ledger.unchecked', { reason: say('jobs.ledger_unchecked') })
      }
    }
    return say('jobs.ledgers_checked', { checked: tenants.length, faulty, failed })
  },
})

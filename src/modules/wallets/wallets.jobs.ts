import { systemCtx } from '../../platform/access/ctx.ts'
import { DAY, MINUTE } from '../../platform/clock.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { checkLedgerApart } from './ledger.tasks.ts'

const NAME = 'ledger.check'

/** Every day: each currency sums to zero, each movement balances, each wallet equals the replay of its entries. A fault is logged and audited. */
export const checkLedger = defineJob({
  name: NAME,
  every: DAY,
  delay: 2 * MINUTE,
  run: async ({ platform, signal }) => {
    const tenants = platform.reader.all<{ id: string }>('SELECT id FROM tenants ORDER BY id')
    let faulty = 0
    for (const { id } of tenants) {
      if (signal.aborted) break
      const { balanced, faults } = await checkLedgerApart(platform, id, signal)
      if (faults.length > 0 || !balanced) {
        faulty += 1
        platform.log.error({ tenantId: id, faults, balanced }, 'the ledger does not balance')
        await systemCtx(platform, id, NAME).write('ledger.fault', (tx) =>
          tx.audit({ entity: 'ledger', after: { balanced, faults } }),
        )
      }
    }
    return `${tenants.length} tenants checked, ${faulty} with faults`
  },
})

import { sql } from 'drizzle-orm'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { createReader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { say } from '../../../words/say.ts'
import { mailOwners } from '../users/users.notices.ts'
import { users } from '../users/users.table.ts'
import { accountActs, accountVouches } from './independence.table.ts'
import { readPeople } from './people.ts'

const NAME = 'users.independence'
const TENANTS = statement(sql`SELECT DISTINCT ${accountActs.tenantId} AS id FROM ${accountActs}`)

/**
 * Stores which accounts became their holder's alone after 72 hours without a third person in the firm, and mails all
 * owners. An account counts from that moment, even if this job has not run yet. Once stored, it stays true when a third
 * person joins. RULES “Independence”.
 */
export const settleIndependence = defineJob({
  name: NAME,
  every: 10 * MINUTE,
  run: async ({ platform, signal }) => {
    let settled = 0
    for (const { id } of platform.reader.all<{ id: string }>(TENANTS)) {
      if (signal.aborted) break
      const now = platform.clock.now()
      if (readPeople(createReader(platform.reader, { tenantId: id, traderId: null }), now).ripened().length === 0)
        continue
      const ctx = systemCtx(platform, id, NAME)
      settled += await ctx.write('user.alone_by_time', (tx) => {
        const ripe = readPeople(tx, tx.now).ripened()
        for (const userId of ripe) {
          tx.insert(accountVouches, { userId, byUserId: null })
          const { displayName } = tx.get(users, userId)
          mailOwners(tx, ctx, () => ({
            subject: say('independence.mail.alone_by_time.subject', { displayName }),
            text: say('independence.mail.alone_by_time.text', { displayName }),
          }))
        }
        return ripe.length
      })
    }
    return settled === 0 ? null : say('jobs.accounts_alone', { settled })
  },
})

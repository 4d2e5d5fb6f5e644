import { sql } from 'drizzle-orm'
import { type Ctx, systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, SECOND, toIso } from '../../../platform/clock.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { MOST_COUNTED, type Tally } from '../../../platform/distinct-counts.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { mailOwners } from '../../firm/users/users.notices.ts'
import { users } from '../../firm/users/users.table.ts'
import { peopleReads } from './reading.table.ts'

const NAME = 'people.reads'
const OVER = statement(
  sql`SELECT DISTINCT ${peopleReads.tenantId} AS tenantId FROM ${peopleReads} WHERE ${peopleReads.day} < ?`,
)

/** Mails all owners about a colleague who read more clients than usual, once a day. RULES “Reading people”. */
function warn(tx: Tx, ctx: Ctx, { userId, day }: Tally): void {
  const rows = tx.list(peopleReads, { userId, day })
  const [first] = rows
  const count = rows.reduce((sum, { clients }) => sum + clients, 0)
  const { readsPerDay } = readFirmSettings(tx)
  if (first === undefined || count <= readsPerDay || rows.some(({ mailedAt }) => mailedAt !== null)) return
  tx.update(peopleReads, first.id, { mailedAt: tx.now })
  const name = tx.find(users, { id: userId }, { withDeleted: true })?.displayName ?? userId
  mailOwners(tx, ctx, () => ({
    subject: say('users.mail.reads_many', { name, count }),
    text: say('users.mail.read_so_many', { name, count, limit: readsPerDay }),
  }))
}

/** Stores how many clients a colleague has read so far that day. */
async function note(platform: Platform, tally: Tally): Promise<void> {
  const { tenantId, userId, apiKeyId, day, clients, noted } = tally
  const { size } = clients
  const ctx = systemCtx(platform, tenantId, NAME)
  await ctx.write(
    'people.read',
    (tx) => {
      const row = tx.find(peopleReads, { day, userId, apiKeyId })
      const count = Math.min(MOST_COUNTED, (row?.clients ?? 0) + size - noted)
      if (row) tx.update(peopleReads, row.id, { clients: count })
      else tx.insert(peopleReads, { day, userId, apiKeyId, clients: count })
      warn(tx, ctx, tally)
      return null
    },
    { answer: false, local: true },
  )
  tally.noted = size
}

/** Writes the counts of past days into the audit: a line a day for each person and for each of their keys. */
const closeDays = (platform: Platform, tenantId: string, today: number): Promise<number> =>
  systemCtx(platform, tenantId, NAME).write('people.read', (tx) => {
    const rows = tx.select(peopleReads, ' AND day < ?', [today])
    for (const { id, day, userId, apiKeyId, clients } of rows) {
      const after = { day: toIso(day * DAY).slice(0, 10), clients, apiKeyId }
      tx.audit({ entity: 'user', entityId: userId, after })
      tx.remove(peopleReads, id)
    }
    return rows.length
  })

/** Counts the clients that each colleague reads. RULES “Reading people”. */
export const countReaders = defineJob({
  name: NAME,
  every: 5 * SECOND,
  run: async ({ platform, signal }) => {
    for (const tally of platform.tallies.changed()) {
      if (signal.aborted) return null
      await note(platform, tally)
    }
    const today = Math.floor(platform.clock.now() / DAY)
    let lines = 0
    for (const { tenantId } of platform.reader.all<{ tenantId: string }>(OVER, [today]))
      lines += await closeDays(platform, tenantId, today)
    return lines === 0 ? null : say('jobs.readers_counted', { lines })
  },
})

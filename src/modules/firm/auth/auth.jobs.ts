import { sql } from 'drizzle-orm'
import { HOUR, MINUTE } from '../../../platform/clock.ts'
import { statement } from '../../../platform/db/statement.ts'
import { removeInBatches } from '../../../platform/jobs/housekeeping.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { say } from '../../../words/say.ts'
import { oneTimeLinks, sessions } from './auth.table.ts'

const expired = (of: typeof sessions | typeof oneTimeLinks): string =>
  statement(
    sql`DELETE FROM ${of} WHERE (${of.tenantId}, ${of.id}) IN
    (SELECT ${of.tenantId}, ${of.id} FROM ${of} WHERE ${of.expiresAt} <= ? LIMIT ?)`,
  )
const SESSIONS = expired(sessions)
const LINKS = expired(oneTimeLinks)
const MAILED = 'DELETE FROM link_mails WHERE rowid IN (SELECT rowid FROM link_mails WHERE sent_at <= ? LIMIT ?)'

/** Removes expired sessions and one-time links, which are refused from their expiry anyway. */
export const expireSessions = defineJob({
  name: 'auth.expire',
  every: 5 * MINUTE,
  run: async (run) => {
    const now = run.platform.clock.now()
    const ended = await removeInBatches(run, SESSIONS, [now])
    const links = await removeInBatches(run, LINKS, [now])
    await removeInBatches(run, MAILED, [now - HOUR])
    return ended + links === 0 ? null : say('jobs.sign_ins_expired', { sessions: ended, links })
  },
})

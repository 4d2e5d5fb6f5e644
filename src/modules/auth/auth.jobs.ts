import { HOUR, MINUTE } from '../../platform/clock.ts'
import { removeInBatches } from '../../platform/jobs/housekeeping.ts'
import { defineJob } from '../../platform/jobs/job.ts'

const SESSIONS = `DELETE FROM sessions WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM sessions WHERE expires_at <= ? LIMIT ?)`
const LINKS = `DELETE FROM one_time_links WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM one_time_links WHERE expires_at <= ? LIMIT ?)`
const MAILED = 'DELETE FROM link_mails WHERE rowid IN (SELECT rowid FROM link_mails WHERE sent_at <= ? LIMIT ?)'

/** Removes sessions and one-time links whose time has passed; they are refused from that moment anyway. */
export const expireSessions = defineJob({
  name: 'auth.expire',
  every: 5 * MINUTE,
  run: async (run) => {
    const now = run.platform.clock.now()
    const sessions = await removeInBatches(run, SESSIONS, [now])
    const links = await removeInBatches(run, LINKS, [now])
    await removeInBatches(run, MAILED, [now - HOUR])
    return sessions + links === 0 ? null : `${sessions} sessions, ${links} links expired`
  },
})

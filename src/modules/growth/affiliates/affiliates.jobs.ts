import { type SQL, sql } from 'drizzle-orm'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR, SECOND } from '../../../platform/clock.ts'
import { type Directory, tenantIds } from '../../../platform/db/directory.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import { removeInBatches } from '../../../platform/jobs/housekeeping.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { say } from '../../../words/say.ts'
import { affiliateClicks as clicks } from './affiliates.table.ts'
import { type Click, drainClicks, takeFairly } from './clicks.buffer.ts'
import { FIRMS_OF_CODE, MOST_A_SECOND, writeClicks } from './clicks.ts'

/** After looking up this many codes, other requests run. */
const AT_ONCE = 250
const NAME = 'affiliates.clicks'

/**
 * Returns the firm of a click: the one whose domain was called, else the one that the click names, else the only one
 * with the code. A finder caches its look-ups.
 */
function createFirmFinder(directory: Directory): (click: Click) => string | undefined {
  const remember = (find: (key: string) => string | undefined) => {
    const known = new Map<string, string | undefined>()
    return (key: string): string | undefined => {
      if (!known.has(key)) known.set(key, find(key))
      return known.get(key)
    }
  }
  const ofHost = remember((host) => directory.idOfDomain(host))
  const ofSlug = remember((slug) => directory.idOfSlug(slug))
  const ofCode = remember((code) => {
    const [only, other] = directory.all(FIRMS_OF_CODE, code)
    return other ? undefined : only?.tenantId
  })
  const isOpen = remember((id) => directory.tenant(id)?.status)
  return ({ host, firm, code }) => {
    const id = ofHost(host) ?? (firm === null ? ofCode(code) : ofSlug(firm))
    return id !== undefined && isOpen(id) === 'active' ? id : undefined
  }
}
/** Looks up the codes of clicks on affiliates' links, and stores the clicks, every second. */
export const takeClicks = defineJob({
  name: NAME,
  every: SECOND,
  run: async ({ platform }) => {
    const { clicks: waiting, dropped } = drainClicks(platform.capabilities.app)
    if (waiting.length + dropped === 0) return null
    const { directory, log } = platform
    const findFirm = createFirmFinder(directory)
    const byFirm = new Map<string, Click[]>()
    let over = dropped
    for (const [index, click] of waiting.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await Bun.sleep(0)
      const tenantId = findFirm(click)
      if (tenantId === undefined) continue
      const list = byFirm.get(tenantId) ?? []
      byFirm.set(tenantId, list)
      list.push(click)
    }
    for (const [tenantId, all] of byFirm) {
      const list = takeFairly(all, MOST_A_SECOND)
      over += all.length - list.length
      const ctx = systemCtx(platform, tenantId, NAME)
      const dropped = await ctx.write('affiliate.clicks', (tx) => writeClicks(tx, ctx, list))
      if (dropped > 0) log.warn({ tenantId, dropped }, 'more clicks of an affiliate came than are stored in a day')
    }
    if (over > 0) log.warn({ dropped: over }, 'more clicks came than are written down in a second')
    return null
  },
})

const old = (more: SQL): SQL => sql`${clicks.tenantId} = ?1 AND ${clicks.id} IN (SELECT ${clicks.id} FROM ${clicks}
  WHERE ${clicks.tenantId} = ?1 AND ${clicks.createdAt} < ?2 ${more} LIMIT ?3)`
const FORGET_ADDRESSES = statement(
  sql`UPDATE ${clicks} SET ${bare(clicks.addressHash)} = NULL WHERE ${old(sql`AND ${clicks.addressHash} IS NOT NULL`)}`,
)
const FORGET = statement(sql`DELETE FROM ${clicks} WHERE ${old(sql``)}`)

/** Removes the address of a click after 30 days, and the click after 400. */
export const trimClicks = defineJob({
  name: 'affiliates.trim',
  every: HOUR,
  run: async (run) => {
    const now = run.platform.clock.now()
    let addresses = 0
    let gone = 0
    for (const tenantId of tenantIds(run.platform.reader)) {
      addresses += await removeInBatches(run, FORGET_ADDRESSES, [tenantId, now - 30 * DAY])
      gone += await removeInBatches(run, FORGET, [tenantId, now - 400 * DAY])
    }
    return addresses + gone === 0 ? null : say('jobs.clicks_forgotten', { addresses, clicks: gone })
  },
})

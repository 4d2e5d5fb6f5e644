import { sql } from 'drizzle-orm'
import { DAY } from '../../../platform/clock.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { affiliateClicks as clicks } from './affiliates.table.ts'

/** At most this many clicks of an affiliate are stored a day (UTC), so that its public code cannot fill the disk. */
const MOST_A_DAY = 20_000
/** At most this many of an affiliate's daily clicks may come from one network. */
const MOST_OF_A_NETWORK = 2_000
/** Today's counts are kept for this many networks; with more of them, the oldest count is forgotten. */
const MOST_KNOWN = 100_000

type Today = { day: number; ofAffiliates: Map<string, number>; ofNetworks: Map<string, number> }
const apps = new WeakMap<object, Today>()

const COUNT = statement(
  sql`SELECT count(*) AS n FROM ${clicks} WHERE ${clicks.tenantId} = ?1 AND ${clicks.affiliateId} = ?2
  AND ${clicks.createdAt} >= ?3`,
)

/**
 * Returns whether one more click of an affiliate is stored today, and counts it. Above the daily limit only the first
 * click of each network is stored, until twice the limit is reached, so that a flood hides no other visitor.
 */
export function takesOneMore(app: object, tx: Tx, affiliateId: string, network: string): boolean {
  const day = Math.floor(tx.now / DAY)
  const known = apps.get(app)
  const today = known?.day === day ? known : { day, ofAffiliates: new Map(), ofNetworks: new Map() }
  apps.set(app, today)
  const { ofAffiliates, ofNetworks } = today
  const stored = ofAffiliates.get(affiliateId) ?? tx.query<{ n: number }>(COUNT, [affiliateId, day * DAY])[0]?.n ?? 0
  ofAffiliates.set(affiliateId, stored)
  const key = `${affiliateId} ${network}`
  const own = ofNetworks.get(key) ?? 0
  if (own >= MOST_OF_A_NETWORK || stored >= (own === 0 ? 2 : 1) * MOST_A_DAY) return false
  const [oldest] = ofNetworks.keys()
  if (own === 0 && oldest !== undefined && ofNetworks.size >= MOST_KNOWN) ofNetworks.delete(oldest)
  ofNetworks.set(key, own + 1)
  ofAffiliates.set(affiliateId, stored + 1)
  return true
}

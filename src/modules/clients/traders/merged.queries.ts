import { sql } from 'drizzle-orm'
import { HOUR } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { Problem } from '../../../platform/problem.ts'
import { MERGED_HOURS } from '../../../words/rule-figures.ts'
import { say } from '../../../words/say.ts'
import { couldBeClient } from '../../firm/independence/independence.service.ts'
import type { People } from '../../firm/independence/people.ts'
import { type MergeRow, traderAliases, traderMerges } from './merged.table.ts'
import { traders } from './traders.table.ts'

/** For this long, who merged two clients approves nothing for the remaining one. RULES “Merges”. */
const APART = MERGED_HOURS * HOUR

/** Returns every merge into a client, directly or into a client who was merged into this one. */
function mergesInto(db: Reader, traderId: string): MergeRow[] {
  const found: MergeRow[] = []
  for (let ids = [traderId]; ids.length > 0; ) {
    const merges = db.list(traderMerges, { primaryId: ids })
    found.push(...merges)
    ids = merges.map(({ secondaryId }) => secondaryId)
  }
  return found
}

/**
 * Returns whether a person merged a client into this one in the last 72 hours, or could be one of the two clients,
 * since noted acts move with a merge. `db` must see the whole firm.
 */
export function mergedLately(db: Reader, people: People, userId: string, traderId: string, now: number): boolean {
  const merges = mergesInto(db, traderId).filter(({ createdAt }) => now - createdAt < APART)
  if (merges.length === 0) return false
  return (
    merges.some(({ mergedBy }) => people.samePerson(mergedBy, userId)) ||
    couldBeClient(db, people, userId, traderId, now)
  )
}

const ALIAS = statement(
  sql`SELECT ${listed({ traderId: traderAliases.traderId })} FROM ${traderAliases}
  WHERE ${traderAliases.tenantId} = ?1 AND ${traderAliases.kind} = 'email' AND ${traderAliases.value} = ?2`,
)
/** Throws the 409 for a taken address if it is an alias of another client. `db` must see the whole firm. */
export function refuseAlias(db: Reader, email: string | null | undefined, own: string | null): void {
  if (!email) return
  const [alias] = db.query<{ traderId: string }>(ALIAS, [email])
  if (alias && alias.traderId !== own)
    throw new Problem(409, 'duplicate', say('merges.error.taken'), [
      { path: 'email', code: 'duplicate', message: say('merges.error.email_taken') },
    ])
}

/** Returns the client who has an address, also as the address of a client merged into them. */
export function traderByAddress(db: Reader, email: string): { id: string } | undefined {
  const direct = db.find(traders, { email })
  if (direct) return direct
  const alias = db.find(traderAliases, { kind: 'email', value: email })
  return alias && db.find(traders, { id: alias.traderId })
}

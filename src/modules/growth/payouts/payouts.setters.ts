import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { HOUR } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import { fxPastRates as pastRates, fxRates as rates } from '../../books/fx/fx.table.ts'
import { traderMerges as merges } from '../../clients/traders/merged.table.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { clientActs as acts } from '../../firm/independence/independence.table.ts'
import { users } from '../../firm/users/users.table.ts'
import { traderAffiliations as moves, affiliateTerms as terms } from '../affiliates/affiliates.table.ts'
import { affiliateBalances } from '../affiliates/balances.table.ts'
import { commissionPlanVersions as versions } from '../affiliates/plans.table.ts'
import { commissionLines as lines } from '../commissions/commissions.table.ts'

/** For this long, who set an affiliate's terms does not approve its payout. RULES “Payouts”. */
const TERMS_COUNT = 72 * HOUR

const earlier = alias(rates, 'earlier')
const next = alias(versions, 'next')

/**
 * Selects everyone on whose decision the earnings of an affiliate (?2) depend, even if the decision was undone since.
 * - Authors of a plan's version that made one of the affiliate's lines since ?4, or that applied since then.
 * - Since ?3: who set the plan or parent of an affiliate who is or was above or below it (an override is what those
 *   below do not get), or the terms of a plan that one of these has or had; who gave one of these clients or trades, by
 *   entering, moving or merging clients or linking their accounts; and who set a currency's first rate, removed a rate,
 *   or entered one for past days.
 */
const SETTERS = statement(sql`
  WITH RECURSIVE below (id) AS (
    SELECT ?2 UNION SELECT ${bare(terms.affiliateId)} FROM below CROSS JOIN ${terms}
      ON ${terms.tenantId} = ?1 AND ${terms.parentId} = below.id),
  above (id) AS (
    SELECT ?2 UNION SELECT ${bare(terms.parentId)} FROM above CROSS JOIN ${terms}
      ON ${terms.tenantId} = ?1 AND ${terms.affiliateId} = above.id AND ${terms.parentId} IS NOT NULL),
  line (id) AS (SELECT id FROM below UNION SELECT id FROM above)
  SELECT ${bare(terms.setBy)} AS setBy FROM ${terms}
    WHERE ${terms.tenantId} = ?1 AND ${terms.affiliateId} IN (SELECT id FROM line) AND ${terms.validFrom} > ?3
      AND ${terms.setBy} IS NOT NULL
  UNION SELECT ${bare(versions.createdBy)} FROM ${versions}
    WHERE ${versions.tenantId} = ?1 AND ${versions.createdBy} IS NOT NULL
      AND (max(${versions.createdAt}, ${versions.validFrom}) > ?3
        OR NOT EXISTS (SELECT 1 FROM ${versions} ${next} WHERE ${next.tenantId} = ?1
          AND ${next.planId} = ${versions.planId} AND ${next.number} > ${versions.number} AND ${next.validFrom} <= ?4))
      AND ${versions.planId} IN (SELECT ${terms.planId} FROM ${terms}
        WHERE ${terms.tenantId} = ?1 AND ${terms.affiliateId} IN (SELECT id FROM line))
  UNION SELECT ${bare(versions.createdBy)} FROM ${versions}
    WHERE ${versions.tenantId} = ?1 AND ${versions.createdBy} IS NOT NULL
      AND EXISTS (SELECT 1 FROM ${lines} WHERE ${lines.tenantId} = ?1 AND ${lines.planVersionId} = ${versions.id}
        AND ${lines.affiliateId} = ?2 AND ${lines.createdAt} > ?4)
  UNION SELECT ${bare(moves.setBy)} FROM ${moves}
    WHERE ${moves.tenantId} = ?1 AND ${moves.affiliateId} IN (SELECT id FROM line) AND ${moves.validFrom} > ?3
      AND ${moves.setBy} IS NOT NULL
  UNION SELECT person.value FROM ${pastRates}, json_each(json_array(${pastRates.createdBy}, ${pastRates.removedBy})) AS person
    WHERE ${pastRates.tenantId} = ?1 AND max(${pastRates.createdAt}, coalesce(${pastRates.removedAt}, 0)) > ?3
      AND person.value IS NOT NULL
  UNION SELECT person.value FROM ${rates}, json_each(json_array(${rates.createdBy}, ${rates.endedBy})) AS person
    WHERE ${rates.tenantId} = ?1 AND ${rates.endedBy} IS NOT NULL AND ${rates.endedAt} > ?3 AND person.value IS NOT NULL
  UNION SELECT ${bare(rates.createdBy)} FROM ${rates} INDEXED BY fx_rates_current
    WHERE ${rates.tenantId} = ?1 AND ${rates.current} = 1 AND ${rates.createdBy} IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${rates} ${earlier} WHERE ${earlier.tenantId} = ?1 AND ${earlier.base} = ${rates.base}
        AND ${earlier.quote} = ${rates.quote} AND ${earlier.unconfirmed} = 0 AND ${earlier.createdAt} <= ?3)
  UNION SELECT ${bare(merges.mergedBy)} FROM ${merges} CROSS JOIN ${traders}
      ON ${traders.tenantId} = ?1 AND ${traders.id} = ${merges.primaryId}
    WHERE ${merges.tenantId} = ?1 AND ${merges.createdAt} > ?3 AND ${traders.affiliateId} IN (SELECT id FROM line)
  UNION SELECT ${bare(acts.userId)} FROM ${users} CROSS JOIN ${acts}
      ON ${acts.tenantId} = ?1 AND ${acts.userId} = ${users.id} AND ${acts.createdAt} > ?3
    CROSS JOIN ${traders} ON ${traders.tenantId} = ?1 AND ${traders.id} = ${acts.traderId}
    WHERE ${users.tenantId} = ?1 AND ${acts.act} = 'linked_account' AND ${traders.affiliateId} IN (SELECT id FROM line)`)

/**
 * Returns everyone on whose decision an affiliate's unpaid commission in a currency depends. `db` must see the whole
 * firm.
 */
export function settersFor(db: Reader, affiliateId: string, currency: string, now: number): string[] {
  const paidUpAt = db.find(affiliateBalances, { affiliateId, currency })?.paidUpAt ?? 0
  return db.query<{ setBy: string }>(SETTERS, [affiliateId, now - TERMS_COUNT, paidUpAt]).map(({ setBy }) => setBy)
}

const GIVERS = statement(sql`SELECT DISTINCT ${bare(moves.setBy)} AS setBy FROM ${moves}
  WHERE ${moves.tenantId} = ?1 AND ${moves.affiliateId} = ?2 AND ${moves.setBy} IS NOT NULL`)

/** Returns everyone who ever gave an affiliate a client. */
export const giversTo = (db: Reader, affiliateId: string): string[] =>
  db.query<{ setBy: string }>(GIVERS, [affiliateId]).map(({ setBy }) => setBy)

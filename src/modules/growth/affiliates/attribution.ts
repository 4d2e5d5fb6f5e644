import { sql } from 'drizzle-orm'
import { DAY } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { invalid } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { payoutDestinations as destinations } from '../../books/withdrawals/withdrawals.table.ts'
import { mailboxOf } from '../../clients/traders/client-address.ts'
import { traderAliases } from '../../clients/traders/merged.table.ts'
import type { Person, Referral, Referrals, SaidReferral } from '../../clients/traders/traders.hooks.ts'
import { type TraderRow, traders } from '../../clients/traders/traders.table.ts'
import { affiliateErrors } from './affiliates.errors.ts'
import {
  type AffiliateRow,
  affiliateCodes,
  affiliates,
  affiliateClicks as clicks,
  traderAffiliations,
} from './affiliates.table.ts'

/** How long a click says who brought a client. Fixed by RULES “Affiliates”. */
const CLICK_COUNTS = 30 * DAY

const LAST_CLICK = statement(
  sql`SELECT ${listed({ affiliateId: clicks.affiliateId })} FROM ${clicks}
  WHERE ${clicks.tenantId} = ?1 AND ${clicks.visitorId} = ?2 AND ${clicks.createdAt} > ?3
  ORDER BY ${clicks.createdAt} DESC, ${clicks.id} DESC LIMIT 1`,
)
// many people have a card of one scheme with the same last four digits
const SHARED = statement(
  sql`SELECT 1 AS n FROM ${destinations} WHERE ${destinations.tenantId} = ?1 AND ${destinations.traderId} = ?2
  AND ${destinations.kind} <> 'card'
  AND ${destinations.fingerprint} IN (SELECT other.fingerprint FROM ${destinations} other
    WHERE other.tenant_id = ?1 AND other.trader_id = ?3) LIMIT 1`,
)

/** The affiliate whose code this is now, whatever its case; one that is closed has none. */
export function affiliateOfCode(db: Reader, code: string): AffiliateRow | undefined {
  const held = db.find(affiliateCodes, { code: code.toLowerCase(), freedAt: null })
  return held && db.find(affiliates, { id: held.affiliateId })
}

/**
 * Who brought a new client or lead: the named code, else the last click of the visitor within 30 days, else nobody.
 * 422 `affiliateCode` for a code that nobody has. RULES “Affiliates”.
 */
export function referralOf(tx: Tx, { affiliateCode, visitorId }: SaidReferral): Referral | null {
  if (affiliateCode) {
    const named = affiliateOfCode(tx, affiliateCode)
    if (!named) throw invalid('affiliateCode', 'unknown', say('affiliates.field.code_unknown'))
    return { affiliateId: named.id, via: 'code' }
  }
  if (!visitorId) return null
  const [click] = tx.query<{ affiliateId: string }>(LAST_CLICK, [visitorId, tx.now - CLICK_COUNTS])
  const affiliate = click && tx.find(affiliates, { id: click.affiliateId })
  return affiliate && affiliate.status !== 'closed' ? { affiliateId: affiliate.id, via: 'click' } : null
}

/** Whether two people are the same by client, mailbox or phone; destinations are compared by `sharesDestination`. */
const looksTheSame = (one: Person, other: Person): boolean =>
  (one.id !== null && one.id === other.id) ||
  (one.phone !== null && one.phone === other.phone) ||
  (one.email !== null && other.email !== null && mailboxOf(one.email) === mailboxOf(other.email))

/** A client as they are known, and as those were who were merged into them. */
function namesOf(db: Reader, person: Person): Person[] {
  if (person.id === null) return [person]
  const { id } = person
  const aliases = db.list(traderAliases, { traderId: id })
  return [person, ...aliases.map((alias) => asPerson(id, alias))]
}

/** An alias as somebody who has nothing else. */
export const asPerson = (id: string, { kind, value }: { kind: 'email' | 'phone'; value: string }): Person => ({
  id,
  email: kind === 'email' ? value : null,
  phone: kind === 'phone' ? value : null,
})

/** Whether one of some names is one of others. */
export const areTheSame = (one: readonly Person[], other: readonly Person[]): boolean =>
  one.some((name) => other.some((theirs) => looksTheSame(name, theirs)))

/** Whether money of two clients would go to one place. */
const sharesDestination = (db: Reader, one: string, other: string): boolean => db.query(SHARED, [one, other]).length > 0

/** Whether a person is who the affiliate is. Nobody brings themselves. */
function isSelf(tx: Tx, affiliateId: string, person: Person): boolean {
  const { traderId } = tx.get(affiliates, affiliateId)
  const bearer = tx.find(traders, { id: traderId }, { withDeleted: true })
  if (!bearer) return false
  if (areTheSame(namesOf(tx, bearer), namesOf(tx, person))) return true
  return person.id !== null && sharesDestination(tx, traderId, person.id)
}

/**
 * The referral of a new person, if it holds: a code that they named and cannot have is a 422, a click or a lead's
 * affiliate that they cannot have counts for nothing.
 */
export function heldReferral(tx: Tx, referral: Referral | null, person: Person): Referral | null {
  if (referral === null || !isSelf(tx, referral.affiliateId, person)) return referral
  if (referral.via !== 'code') return null
  throw affiliateErrors.self_referral({
    errors: [{ path: 'affiliateCode', code: 'self_referral', message: say('affiliates.field.self') }],
  })
}

/** Writes down who brought a client from now on, and which of the staff said so; nobody where `affiliateId` is null. */
export const noteAffiliation = (
  tx: Tx,
  traderId: string,
  of: { affiliateId: string | null; via: Referral['via']; setBy?: string | null },
): void => void tx.insert(traderAffiliations, { traderId, ...of, validFrom: tx.now })

/**
 * Another affiliate for a client, or none, for the future only. 422 for an unknown one, a closed one, or the client
 * themselves.
 */
function reassign(tx: Tx, trader: TraderRow, affiliateId: string | null, setBy: string | null): void {
  if (affiliateId !== null) {
    const affiliate = tx.find(affiliates, { id: affiliateId })
    if (!affiliate || affiliate.status === 'closed')
      throw invalid('affiliateId', 'unknown', say('affiliates.field.affiliate_unknown'))
    if (isSelf(tx, affiliateId, trader))
      throw affiliateErrors.self_referral({
        errors: [{ path: 'affiliateId', code: 'self_referral', message: say('affiliates.field.self') }],
      })
  }
  noteAffiliation(tx, trader.id, { affiliateId, via: 'staff', setBy })
}

/** What clients ask of affiliates. */
export const referrals: Referrals = { said: referralOf, held: heldReferral, note: noteAffiliation, reassign }

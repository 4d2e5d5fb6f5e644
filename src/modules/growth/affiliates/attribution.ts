import { sql } from 'drizzle-orm'
import { DAY } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { invalid } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { payoutDestinations as destinations } from '../../books/withdrawals/withdrawals.table.ts'
import { toMailbox } from '../../clients/traders/client-address.ts'
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

/** A click counts this long. RULES “Affiliates”. */
const CLICK_COUNTS = 30 * DAY

const LAST_CLICK = statement(
  sql`SELECT ${listed({ affiliateId: clicks.affiliateId })} FROM ${clicks}
  WHERE ${clicks.tenantId} = ?1 AND ${clicks.visitorId} = ?2 AND ${clicks.createdAt} > ?3
  ORDER BY ${clicks.createdAt} DESC, ${clicks.id} DESC LIMIT 1`,
)
// cards do not count, since many people have one with the same scheme and last four digits
const SHARED = statement(
  sql`SELECT 1 AS n FROM ${destinations} WHERE ${destinations.tenantId} = ?1 AND ${destinations.traderId} = ?2
  AND ${destinations.kind} <> 'card'
  AND ${destinations.fingerprint} IN (SELECT other.fingerprint FROM ${destinations} other
    WHERE other.tenant_id = ?1 AND other.trader_id = ?3) LIMIT 1`,
)

/** Returns the affiliate that has this code now, in any case of letters; none if it is closed. */
export function findAffiliateByCode(db: Reader, code: string): AffiliateRow | undefined {
  const held = db.find(affiliateCodes, { code: code.toLowerCase(), freedAt: null })
  return held && db.find(affiliates, { id: held.affiliateId })
}

/**
 * Returns who brought a new client or lead: the affiliate of the given code, else of the visitor's last click within 30
 * days, else nobody. 422 `affiliateCode` for an unknown code. RULES “Affiliates”.
 */
export function findReferral(tx: Tx, { affiliateCode, visitorId }: SaidReferral): Referral | null {
  if (affiliateCode) {
    const named = findAffiliateByCode(tx, affiliateCode)
    if (!named) throw invalid('affiliateCode', 'unknown', say('affiliates.field.code_unknown'))
    return { affiliateId: named.id, via: 'code' }
  }
  if (!visitorId) return null
  const [click] = tx.query<{ affiliateId: string }>(LAST_CLICK, [visitorId, tx.now - CLICK_COUNTS])
  const affiliate = click && tx.find(affiliates, { id: click.affiliateId })
  return affiliate && affiliate.status !== 'closed' ? { affiliateId: affiliate.id, via: 'click' } : null
}

/** Returns whether two people have the same client, mailbox or phone; `sharesDestination` compares destinations. */
const looksTheSame = (one: Person, other: Person): boolean =>
  (one.id !== null && one.id === other.id) ||
  (one.phone !== null && one.phone === other.phone) ||
  (one.email !== null && other.email !== null && toMailbox(one.email) === toMailbox(other.email))

/** Returns what is known of a client: present data, and former contacts of clients merged into this one. */
function listKnownNames(db: Reader, person: Person): Person[] {
  if (person.id === null) return [person]
  const { id } = person
  const aliases = db.list(traderAliases, { traderId: id })
  return [person, ...aliases.map((alias) => asPerson(id, alias))]
}

/** Returns a person who is this client and has only this former e-mail address or phone. */
export const asPerson = (id: string, { kind, value }: { kind: 'email' | 'phone'; value: string }): Person => ({
  id,
  email: kind === 'email' ? value : null,
  phone: kind === 'phone' ? value : null,
})

/** Returns whether two people are the same, each given by a list of present and former data. */
export const areTheSame = (one: readonly Person[], other: readonly Person[]): boolean =>
  one.some((name) => other.some((theirs) => looksTheSame(name, theirs)))

const sharesDestination = (db: Reader, one: string, other: string): boolean => db.query(SHARED, [one, other]).length > 0

/** Returns whether a person is the affiliate's own client, who cannot bring themselves. */
function isSelf(tx: Tx, affiliateId: string, person: Person): boolean {
  const { traderId } = tx.get(affiliates, affiliateId)
  const bearer = tx.find(traders, { id: traderId }, { withDeleted: true })
  if (!bearer) return false
  if (areTheSame(listKnownNames(tx, bearer), listKnownNames(tx, person))) return true
  return person.id !== null && sharesDestination(tx, traderId, person.id)
}

/**
 * Returns the referral of a new person. If that person is the affiliate, a given code is a 422, and a click or a lead's
 * affiliate is ignored.
 */
export function heldReferral(tx: Tx, referral: Referral | null, person: Person): Referral | null {
  if (referral === null || !isSelf(tx, referral.affiliateId, person)) return referral
  if (referral.via !== 'code') return null
  throw affiliateErrors.self_referral({
    errors: [{ path: 'affiliateCode', code: 'self_referral', message: say('affiliates.field.self') }],
  })
}

/** Stores to which affiliate a client belongs from now on (null for none), and which colleague set it. */
export const noteAffiliation = (
  tx: Tx,
  traderId: string,
  of: { affiliateId: string | null; via: Referral['via']; setBy?: string | null },
): void => void tx.insert(traderAffiliations, { traderId, ...of, validFrom: tx.now })

/** Gives a client another affiliate, or none, for the future only. 422 if it is unknown, closed, or the client. */
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

export const referrals: Referrals = { said: findReferral, held: heldReferral, note: noteAffiliation, reassign }

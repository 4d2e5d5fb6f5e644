import { sql } from 'drizzle-orm'
import { listed, statement } from '../../platform/db/statement.ts'
import { readSum, sumOf } from '../../platform/db/sums.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Rates, requireFreshMids } from '../fx/fx.quotes.ts'
import { independenceErrors } from '../independence/independence.errors.ts'
import { couldBeClients, linkedAccount } from '../independence/independence.service.ts'
import { type People, peopleOf } from '../independence/people.ts'
import { readFirmSettings } from '../tenants/firm-settings.ts'
import { measureOf, reaches, SUM_OVER } from '../withdrawals/approval-policy.ts'
import { namedErrors, transferErrors } from './transfers.errors.ts'
import { transfers } from './transfers.table.ts'

type Money = { amount: bigint; currency: string }

const BY_PERSON = statement(
  sql`SELECT ${listed({
    createdBy: transfers.createdBy,
    currency: transfers.fromCurrency,
    gift: sql`${transfers.toTraderId} IS NOT NULL`,
    converted: sql`${transfers.rateIds} <> '[]'`,
    total: sumOf(transfers.fromAmount),
  })} FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.createdBy} IS NOT NULL AND ${transfers.createdAt} > ?2
    AND ${transfers.state} <> 'refused' GROUP BY 1, 2, 3, 4`,
)
type ByPerson = { createdBy: string; currency: string; gift: number; converted: number; total: string }

/** What one person moved in the last 24 hours that `which` is asked about, with this. */
function movedByPerson(tx: Tx, people: People, userId: string, now: Money, which: (row: ByPerson) => boolean) {
  const rows = tx.unowned.query<ByPerson>(BY_PERSON, [tx.now - SUM_OVER])
  const mine = rows.filter((row) => people.samePerson(row.createdBy, userId) && which(row))
  return [...mine.map(({ total, currency }) => ({ amount: readSum(total), currency })), now]
}

/**
 * Money to another trader is a payout without its votes: above
 * the threshold of 24 hours it is asked for as a withdrawal.
 */
export function refuseLargeGift(tx: Tx, people: People, userId: string, amount: bigint, currency: string): void {
  const measure = measureOf(tx, tx.now)
  const sum = movedByPerson(tx, people, userId, { amount, currency }, ({ gift }) => gift === 1)
  if (
    reaches(
      measure,
      measure.sum(sum, (author) => people.samePerson(author, userId)),
    )
  )
    throw namedErrors.needs_withdrawal()
}

/**
 * Whose account of a platform money goes to is the word of who linked it: above the threshold of 24 hours they do not
 * move money there too, nor does a client whom they could be. What they moved to all clients whose accounts they
 * linked counts together with all that this client moved.
 */
export function refuseLargeToOwnLink(tx: Tx, person: string | null, traderId: string, now: Money): void {
  const people = peopleOf(tx.unowned, tx.now)
  const didLink = (userId: string, client: string): boolean => linkedAccount(tx.unowned, people, userId, client, tx.now)
  const hands = person === null ? couldBeClients(tx.unowned, traderId, tx.now) : [person]
  const linker = hands.find((userId) => didLink(userId, traderId))
  if (linker === undefined) return
  const isTheirs = ({ createdBy, client }: Funded): boolean =>
    client === traderId || (createdBy !== null && people.samePerson(createdBy, linker) && didLink(linker, client))
  const moves = tx.unowned.query<Funded>(FUNDED, [tx.now - SUM_OVER]).filter(isTheirs)
  const measure = measureOf(tx.unowned, tx.now)
  const sum = measure.sum(
    [...moves.map(({ currency, total }) => ({ currency, amount: readSum(total) })), now],
    (author) => people.samePerson(author, linker),
  )
  if (reaches(measure, sum)) throw transferErrors.own_link({ detail: person === null ? NEW_LINK : OWN_LINK })
}
type Funded = { client: string; createdBy: string | null; currency: string; total: string }
const FUNDED = statement(
  sql`SELECT ${listed({
    client: transfers.traderId,
    createdBy: transfers.createdBy,
    currency: transfers.fromCurrency,
    total: sumOf(transfers.fromAmount),
  })} FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.createdAt} > ?2 AND ${transfers.kind} = 'wallet_to_account'
    AND ${transfers.state} <> 'refused' GROUP BY 1, 2, 3`,
)
const OWN_LINK =
  'You said in the last 30 days which account is this client’s: from the firm’s threshold on somebody else moves money there.'
// to a client, who learns nothing of what staff did
const NEW_LINK = 'This account was entered lately: please ask us to move so large a sum there.'

/**
 * Nobody converts for a client, above the threshold in 24 hours, at a price that their word is behind; nor do staff by
 * a mid that would be too old for the client's own conversion. `hands`: whose word the price is.
 */
export function refuseLargeConversion(
  tx: Tx,
  userId: string,
  { hands, rates, from, to, byStaff }: { hands: string[]; rates: Rates; from: Money; to: string; byStaff: boolean },
): void {
  const people = peopleOf(tx.unowned, tx.now)
  const mine = (hand: string): boolean => people.samePerson(hand, userId)
  const measure = measureOf(tx.unowned, tx.now)
  const sum = movedByPerson(tx, people, userId, from, ({ converted }) => converted === 1)
  if (!reaches(measure, measure.sum(sum, mine))) return
  if (hands.some(mine)) throw independenceErrors.second_person_needed({ detail: OWN_RATE })
  if (byStaff) requireFreshMids(rates, from.currency, to, readFirmSettings(tx.unowned).conversion.maxAgeHours, tx.now)
}

const OWN_RATE =
  'You entered or removed a rate that this price depends on: from this amount in 24 hours on somebody else converts.'

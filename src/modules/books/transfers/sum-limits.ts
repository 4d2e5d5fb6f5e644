import { sql } from 'drizzle-orm'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { independenceErrors } from '../../firm/independence/independence.errors.ts'
import { couldBeClients, linkedAccount } from '../../firm/independence/independence.service.ts'
import { type People, readPeople } from '../../firm/independence/people.ts'
import { reaches, readMeasure, SUM_OVER } from '../approval-policy/approval-policy.ts'
import { type Rates, requireFreshMids } from '../fx/fx.quotes.ts'
import { namedErrors, transferErrors } from './transfers.errors.ts'
import { transfers } from './transfers.table.ts'

type Money = { amount: bigint; currency: string }

const BY_PERSON = statement(
  sql`SELECT ${listed({
    createdBy: transfers.createdBy,
    currency: transfers.fromCurrency,
    gift: sql`${transfers.toTraderId} IS NOT NULL`,
    converted: sql`${transfers.rateIds} <> '[]'`,
    total: sumAsText(transfers.fromAmount),
  })} FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.createdBy} IS NOT NULL AND ${transfers.createdAt} > ?2
    AND ${transfers.state} <> 'refused' GROUP BY 1, 2, 3, 4`,
)
type ByPerson = { createdBy: string; currency: string; gift: number; converted: number; total: string }

/** Returns the amounts that one person moved in the last 24 hours, as far as `which` selects them, and this amount. */
function movedByPerson(tx: Tx, people: People, userId: string, now: Money, which: (row: ByPerson) => boolean) {
  const rows = tx.unowned.query<ByPerson>(BY_PERSON, [tx.now - SUM_OVER])
  const mine = rows.filter((row) => people.samePerson(row.createdBy, userId) && which(row))
  return [...mine.map(({ total, currency }) => ({ amount: readSum(total), currency })), now]
}

/**
 * Refuses a person's gifts between clients if those of 24 hours reach the threshold: they would be a payout without
 * votes, and must be requested as a withdrawal.
 */
export function refuseLargeGift(tx: Tx, people: People, userId: string, amount: bigint, currency: string): void {
  const measure = readMeasure(tx, tx.now)
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
 * Refuses a large sum to an account by the person who linked it, or by a client who that person could be, as it may be
 * their own account. Added up are all sums that this person moved in 24 hours to clients whose accounts they linked,
 * and all that this client moved.
 */
export function refuseLargeToOwnLink(tx: Tx, person: string | null, traderId: string, now: Money): void {
  const people = readPeople(tx.unowned, tx.now)
  const hands = person === null ? couldBeClients(tx.unowned, traderId, tx.now) : [person]
  const linker = hands.find((userId) => linkedAccount(tx.unowned, people, userId, traderId, tx.now))
  if (linker !== undefined && reachesByLink(tx, people, linker, now, 'wallet_to_account', traderId))
    // a client is not told what staff did
    throw transferErrors.own_link({
      detail: person === null ? say('transfers.error.new_link') : say('transfers.error.own_link_there'),
    })
}

/**
 * Refuses a large sum from an account by the person who linked it: the client may have lost the money, and the reported
 * balance may be another client's. Added up are all sums that this person took from accounts that they linked.
 */
export function refuseLargeFromOwnLink(tx: Tx, people: People, userId: string, traderId: string, now: Money): void {
  const isLinker = linkedAccount(tx.unowned, people, userId, traderId, tx.now)
  if (isLinker && reachesByLink(tx, people, userId, now, 'account_to_wallet'))
    throw transferErrors.own_link({ detail: say('transfers.error.own_link_home') })
}

/**
 * Returns whether an amount reaches the threshold together with what a person moved in that direction in 24 hours for
 * clients whose accounts they linked, and with what everyone moved for `client`.
 */
function reachesByLink(tx: Tx, people: People, linker: string, now: Money, kind: Linked['kind'], client?: string) {
  const isTheirs = (row: Linked): boolean =>
    row.client === client ||
    (row.createdBy !== null &&
      people.samePerson(row.createdBy, linker) &&
      linkedAccount(tx.unowned, people, linker, row.client, tx.now))
  const rows = tx.unowned.query<Linked>(LINKED, [tx.now - SUM_OVER])
  const moves = rows.filter((row) => row.kind === kind && isTheirs(row))
  const measure = readMeasure(tx.unowned, tx.now)
  const sum = measure.sum(
    [...moves.map(({ currency, total }) => ({ currency, amount: readSum(total) })), now],
    (author) => people.samePerson(author, linker),
  )
  return reaches(measure, sum)
}
type Linked = {
  client: string
  createdBy: string | null
  kind: 'wallet_to_account' | 'account_to_wallet'
  currency: string
  total: string
}
const LINKED = statement(
  sql`SELECT ${listed({
    client: transfers.traderId,
    createdBy: transfers.createdBy,
    kind: transfers.kind,
    currency: transfers.fromCurrency,
    total: sumAsText(transfers.fromAmount),
  })} FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.createdAt} > ?2 AND ${transfers.kind} <> 'wallet_to_wallet'
    AND ${transfers.state} <> 'refused' GROUP BY 1, 2, 3, 4`,
)

/**
 * Refuses a conversion for a client that reaches the threshold in 24 hours if an author of its price makes it, or if it
 * is by staff at a mid too old for the client's own conversion. `hands` are the authors of the price.
 */
export function refuseLargeConversion(
  tx: Tx,
  userId: string,
  { hands, rates, from, to, byStaff }: { hands: string[]; rates: Rates; from: Money; to: string; byStaff: boolean },
): void {
  const people = readPeople(tx.unowned, tx.now)
  const mine = (hand: string): boolean => people.samePerson(hand, userId)
  const measure = readMeasure(tx.unowned, tx.now)
  const sum = movedByPerson(tx, people, userId, from, ({ converted }) => converted === 1)
  if (hands.some(mine) && reaches(measure, measure.sum(sum, mine)))
    throw independenceErrors.second_person_needed({ detail: say('transfers.error.own_rate') })
  if (byStaff && reaches(measure, measure.sum(sum)))
    requireFreshMids(rates, from.currency, to, readFirmSettings(tx.unowned).conversion.maxAgeHours, tx.now)
}

import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { DAY, HOUR } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import { checkIban } from '../../../words/iban.ts'
import type { Language } from '../../../words/language.ts'
import { languageNow, say } from '../../../words/say.ts'
import { namesAgree } from '../../clients/sanctions/names-agree.ts'
import type { TraderRow } from '../../clients/traders/traders.table.ts'
import { namesThen } from '../../firm/users/users.names.ts'
import type { Check } from './withdrawals.model.ts'
import {
  type DestinationRow,
  listDestinationAuthors,
  payoutDestinations,
  type WithdrawalRow,
  withdrawals,
} from './withdrawals.table.ts'

type Result = Static<typeof Check>

const own = payoutDestinations
const other = alias(payoutDestinations, 'other')
const SHARED = statement(
  sql`SELECT count(DISTINCT ${other.traderId}) AS n FROM ${own}
  JOIN ${payoutDestinations} ${other} ON ${other.tenantId} = ${own.tenantId}
    AND ${other.fingerprint} = ${own.fingerprint} AND ${other.traderId} <> ${own.traderId}
  WHERE ${own.tenantId} = ?1 AND ${own.id} = ?2`,
)
const ELSEWHERE = statement(
  sql`SELECT 1 AS n FROM ${withdrawals} WHERE ${withdrawals.tenantId} = ?1 AND ${withdrawals.traderId} = ?2
    AND ${withdrawals.destinationId} <> ?3 AND ${withdrawals.status} = 'paid' LIMIT 1`,
)

/** A destination counts as new for this long. */
const NEW_FOR = DAY

const result = (name: string, state: Result['state'], text: string): Result => ({
  name,
  state,
  ok: state !== 'look_closer',
  blocks: false,
  text,
})

/** Returns the checks of a withdrawal's destination. RULES “Withdrawals”. */
export function destinationChecks(db: Reader, row: WithdrawalRow, trader: TraderRow, now: number): Result[] {
  const destination = db.get(payoutDestinations, row.destinationId)
  return [
    checkShared(db, destination),
    checkAge(db, row, destination, now),
    checkHolder(destination, trader),
    ...(destination.kind === 'bank' ? [checkBankAccount(destination, trader)] : []),
  ]
}

function checkShared(db: Reader, { id, kind }: DestinationRow): Result {
  if (kind === 'card') return result('destination', 'not_checked', say('withdrawals.check.card_short'))
  const shared = db.query<{ n: number }>(SHARED, [id])[0]?.n ?? 0
  return shared === 0
    ? result('destination', 'fine', say('withdrawals.check.destination_unshared'))
    : result('destination', 'look_closer', say('withdrawals.check.destination_shared', { shared }))
}

/** Returns the check of a destination's age: a thief uses a new destination after money went to others. */
function checkAge(db: Reader, { traderId }: WithdrawalRow, destination: DestinationRow, now: number): Result {
  const { id, createdAt } = destination
  const age = now - createdAt
  const authors = [...new Set(listDestinationAuthors(destination))]
  const nameThen = namesThen(db, authors)
  const names = authors.flatMap((author) => nameThen(author, createdAt) ?? [])
  const by = authors.length === 0 ? 'client' : names.length === 0 ? 'former' : 'colleague'
  const span = age < HOUR ? 'now' : age < DAY ? 'hours' : 'days'
  const count = Math.floor(age / (span === 'days' ? DAY : HOUR))
  const isSwitch = age < NEW_FOR && db.query(ELSEWHERE, [traderId, id]).length > 0
  return result(
    'destination_age',
    isSwitch ? 'look_closer' : 'fine',
    say('withdrawals.check.destination_entered', {
      by,
      name: names.join(', '),
      span,
      count,
      isSwitch: String(isSwitch),
    }),
  )
}

function checkHolder({ holder }: DestinationRow, { firstName, lastName }: TraderRow): Result {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  if (holder === null) return result('holder', 'not_checked', say('withdrawals.check.holder_missing'))
  if (name === '') return result('holder', 'not_checked', say('withdrawals.check.client_nameless', { holder }))
  return namesAgree(holder, name)
    ? result('holder', 'fine', say('withdrawals.check.holder', { holder }))
    : result('holder', 'look_closer', say('withdrawals.check.holder_differs', { holder, name }))
}

const countries = {
  en: new Intl.DisplayNames('en', { type: 'region' }),
  de: new Intl.DisplayNames('de', { type: 'region' }),
} satisfies Record<Language, Intl.DisplayNames>
const countryName = (code: string): string => countries[languageNow()].of(code) ?? code

function checkBankAccount({ reference }: DestinationRow, { country }: TraderRow): Result {
  const iban = checkIban(reference)
  if (iban.state === 'none') return result('iban', 'not_checked', say('withdrawals.check.iban_none'))
  if (iban.state === 'wrong') return result('iban', 'look_closer', say('withdrawals.check.iban_wrong'))
  return country !== null && country !== iban.country
    ? result(
        'iban',
        'look_closer',
        say('withdrawals.check.iban_country', {
          bank: countryName(iban.country),
          client: countryName(country),
        }),
      )
    : result('iban', 'fine', say('withdrawals.check.iban_right'))
}

import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { beginsWritten, listHeads, listSpellings } from '../../../platform/db/references.ts'
import { findByWords } from '../../../platform/db/search.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { formatAmount } from '../../../platform/money.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { fullName } from '../../clients/traders/client-name.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { readAmounts } from './search.amounts.ts'
import { buildHit, type Hit, MOST_HITS } from './search.model.ts'

/** How many hits of a kind are shown, and how many rows whose reference begins with the text are considered. */
const HIT_LIMIT = sql.raw(String(MOST_HITS))
const CANDIDATE_LIMIT = sql.raw('100')
const name = fullName(traders)

// the index is read from its newest row on and stops at the limit; CROSS JOIN keeps it as the outer loop
const ACCOUNTS = statement(
  sql`SELECT ${listed({
    id: accounts.id,
    traderId: accounts.traderId,
    accountNumber: accounts.accountNumber,
    externalId: accounts.externalId,
    platform: accounts.platform,
    currency: accounts.currency,
    name,
    words: sql`concat_ws(' ', ${accounts.accountNumber}, ${accounts.externalId}, ${accounts.platform}, ${accounts.id})`,
  })}
  FROM accounts_search s CROSS JOIN ${accounts} ON accounts.rid = s.rowid
    LEFT JOIN ${traders} ON ${traders.tenantId} = ${accounts.tenantId} AND ${traders.id} = ${accounts.traderId}
  WHERE s.accounts_search MATCH ?2 AND ${accounts.tenantId} = ?1 AND ${accounts.deletedAt} IS NULL
  ORDER BY s.rowid DESC LIMIT ?3`,
)
// two lookups instead of an OR, which would not use a partial index; an exact id or reference comes first
const DEPOSITS = statement(
  sql`WITH hits (id, place) AS (
    SELECT ${deposits.id}, 0 FROM ${deposits} WHERE ${deposits.tenantId} = ?1 AND ${deposits.id} = ?2
    UNION ALL SELECT * FROM (SELECT ${deposits.id}, lower(${deposits.providerReference}) <> lower(?2)
      FROM json_each(?3) AS written CROSS JOIN ${deposits}
      WHERE ${deposits.tenantId} = ?1 AND ${beginsWritten(deposits.providerReference)} LIMIT ${CANDIDATE_LIMIT})
    UNION ALL SELECT * FROM (SELECT ${deposits.id}, 2 FROM json_each(?4) AS sought CROSS JOIN ${deposits}
      ON ${deposits.tenantId} = ?1 AND ${deposits.currency} = sought.value ->> 0 AND ${deposits.amount} = sought.value ->> 1
      ORDER BY ${deposits.id} DESC LIMIT ${HIT_LIMIT}))
  SELECT ${listed({
    id: deposits.id,
    traderId: deposits.traderId,
    amount: deposits.amount,
    currency: deposits.currency,
    status: deposits.status,
    reference: deposits.providerReference,
    name,
  })}
  FROM (SELECT id, min(place) AS place FROM hits GROUP BY id) AS hits JOIN ${deposits} ON ${deposits.tenantId} = ?1 AND ${deposits.id} = hits.id
    LEFT JOIN ${traders} ON ${traders.tenantId} = ${deposits.tenantId} AND ${traders.id} = ${deposits.traderId}
  ORDER BY hits.place, ${deposits.createdAt} DESC LIMIT ${HIT_LIMIT}`,
)
const NEXT_DEPOSIT = statement(
  sql`SELECT ${deposits.providerReference} AS reference FROM ${deposits}
  WHERE ${deposits.tenantId} = ?1 AND ${deposits.providerReference} > ?2
  ORDER BY ${deposits.providerReference} LIMIT 1`,
)
const NEXT_WITHDRAWAL = statement(
  sql`SELECT ${withdrawals.paymentReference} AS reference FROM ${withdrawals}
  WHERE ${withdrawals.tenantId} = ?1 AND ${withdrawals.paymentReference} > ?2
  ORDER BY ${withdrawals.paymentReference} LIMIT 1`,
)
const WITHDRAWALS = statement(
  sql`WITH hits (id, place) AS (
    SELECT ${withdrawals.id}, 0 FROM ${withdrawals} WHERE ${withdrawals.tenantId} = ?1 AND ${withdrawals.id} = ?2
    UNION ALL SELECT * FROM (SELECT ${withdrawals.id}, lower(${withdrawals.paymentReference}) <> lower(?2)
      FROM json_each(?3) AS written CROSS JOIN ${withdrawals}
      WHERE ${withdrawals.tenantId} = ?1 AND ${beginsWritten(withdrawals.paymentReference)} LIMIT ${CANDIDATE_LIMIT})
    UNION ALL SELECT * FROM (SELECT ${withdrawals.id}, 2 FROM json_each(?4) AS sought CROSS JOIN ${withdrawals}
      ON ${withdrawals.tenantId} = ?1 AND ${withdrawals.currency} = sought.value ->> 0 AND ${withdrawals.amount} = sought.value ->> 1
      ORDER BY ${withdrawals.id} DESC LIMIT ${HIT_LIMIT}))
  SELECT ${listed({
    id: withdrawals.id,
    traderId: withdrawals.traderId,
    amount: withdrawals.amount,
    currency: withdrawals.currency,
    status: withdrawals.status,
    reference: withdrawals.paymentReference,
    name,
  })}
  FROM (SELECT id, min(place) AS place FROM hits GROUP BY id) AS hits JOIN ${withdrawals} ON ${withdrawals.tenantId} = ?1 AND ${withdrawals.id} = hits.id
    LEFT JOIN ${traders} ON ${traders.tenantId} = ${withdrawals.tenantId} AND ${traders.id} = ${withdrawals.traderId}
  ORDER BY hits.place, ${withdrawals.createdAt} DESC LIMIT ${HIT_LIMIT}`,
)

type AccountRow = {
  id: string
  traderId: string
  accountNumber: string | null
  externalId: string | null
  platform: string
  currency: string
  name: string | null
  words: string
}
type MoneyRow = {
  id: string
  traderId: string
  amount: number
  currency: string
  status: string
  reference: string | null
  name: string | null
}

/** Finds trading accounts by numbers and ids: exact ones first, then those that begin with the text, newest first. */
export const findAccounts = (db: Reader, text: string): Hit[] =>
  findByWords((match, rows) => db.query<AccountRow>(ACCOUNTS, [match, rows]), {
    tenantId: db.scope.tenantId,
    text,
    wanted: MOST_HITS,
  }).map((row) =>
    buildHit({
      kind: 'account',
      id: row.id,
      title: row.accountNumber ?? row.externalId ?? row.id,
      facts: { text: row.name, platform: row.platform, note: row.currency },
      traderId: row.traderId,
    }),
  )

/** Returns the beginnings to look for, so that digits alone also find a reference such as `BA-1001`. */
const listBeginnings = (db: Reader, text: string, next: string): string => {
  if (!/^\d[\d/-]*$/.test(text)) return listSpellings(text)
  const findNext = (after: string) => db.query<{ reference: string }>(next, [after])[0]?.reference
  return JSON.stringify([...new Set([text, ...listHeads(findNext).map((head) => head + text)])])
}

const findMoney = (db: Reader, text: string, kind: 'deposit' | 'withdrawal'): Hit[] => {
  const [query, next] = kind === 'deposit' ? [DEPOSITS, NEXT_DEPOSIT] : [WITHDRAWALS, NEXT_WITHDRAWAL]
  const beginnings = isReference(text) ? listBeginnings(db, text, next) : '[]'
  return db.query<MoneyRow>(query, [text, beginnings, JSON.stringify(readAmounts(text))]).map((row) =>
    buildHit({
      kind,
      id: row.id,
      title: `${formatAmount(BigInt(row.amount), row.currency)} ${row.currency}`,
      facts: { text: row.name, status: row.status, note: row.reference },
      traderId: row.traderId,
    }),
  )
}

/** Returns whether a text may be a reference or an id: these have a digit and no blank, so names search no money. */
const isReference = (text: string): boolean => /^(?=.*\d)\S{4,}$/.test(text)

/** Returns whether a text may mean a deposit or a withdrawal. */
export const meansMoney = (text: string): boolean => isReference(text) || readAmounts(text).length > 0

/** Finds deposits by id, by the beginning of their reference or of its digits, or by their exact amount. */
export const findDeposits = (db: Reader, text: string): Hit[] => findMoney(db, text, 'deposit')

/** Finds withdrawals by id, by the beginning of the payment's reference or of its digits, or by their exact amount. */
export const findWithdrawals = (db: Reader, text: string): Hit[] => findMoney(db, text, 'withdrawal')

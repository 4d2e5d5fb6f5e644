import { sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db/reader.ts'
import { matchQuery } from '../../platform/db/search.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { formatAmount } from '../../platform/money.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { deposits } from '../deposits/deposits.table.ts'
import { traders } from '../traders/traders.table.ts'
import { containing } from '../users/users.model.ts'
import { users } from '../users/users.table.ts'
import type { Hit } from './search.model.ts'

/** Hits of one kind. */
const limit = sql.raw('8')

// The index walks from its newest row and stops at the limit; CROSS JOIN keeps it in front.
const TRADERS = statement(
  sql`SELECT ${listed({
    id: traders.id,
    name: sql`concat_ws(' ', ${traders.firstName}, ${traders.lastName})`,
    email: traders.email,
    phone: traders.phone,
  })}
  FROM traders_search s CROSS JOIN ${traders} ON traders.rid = s.rowid
  WHERE s.traders_search MATCH ?2 AND ${traders.tenantId} = ?1 AND ${traders.deletedAt} IS NULL
  ORDER BY s.rowid DESC LIMIT ${limit}`,
)
const ACCOUNTS = statement(
  sql`SELECT ${listed({
    id: accounts.id,
    traderId: accounts.traderId,
    accountNumber: accounts.accountNumber,
    externalId: accounts.externalId,
    platform: accounts.platform,
    currency: accounts.currency,
  })}
  FROM accounts_search s CROSS JOIN ${accounts} ON accounts.rid = s.rowid
  WHERE s.accounts_search MATCH ?2 AND ${accounts.tenantId} = ?1 AND ${accounts.deletedAt} IS NULL
  ORDER BY s.rowid DESC LIMIT ${limit}`,
)
const found = listed({
  id: deposits.id,
  traderId: deposits.traderId,
  amount: deposits.amount,
  currency: deposits.currency,
  status: deposits.status,
  reference: deposits.providerReference,
})
// two lookups and no OR, which would not use a partial index
const DEPOSITS = statement(
  sql`SELECT ${found} FROM ${deposits} WHERE ${deposits.tenantId} = ?1 AND ${deposits.id} = ?2
  UNION ALL SELECT ${found} FROM ${deposits}
  WHERE ${deposits.tenantId} = ?1 AND ${deposits.providerReference} = ?2 AND ${deposits.id} <> ?2 LIMIT ${limit}`,
)
const USERS = statement(
  sql`SELECT ${listed({ id: users.id, name: users.displayName, email: users.email })} FROM ${users}
  WHERE ${users.tenantId} = ?1 AND ${users.deletedAt} IS NULL
    AND (${users.id} = ?2 OR ${users.displayName} LIKE ?3 ESCAPE '\\' OR ${users.email} LIKE ?3 ESCAPE '\\')
  ORDER BY ${users.displayName}, ${users.id} LIMIT ${limit}`,
)

type TraderHit = { id: string; name: string; email: string | null; phone: string | null }
type AccountHit = {
  id: string
  traderId: string
  accountNumber: string | null
  externalId: string | null
  platform: string
  currency: string
}
type DepositHit = {
  id: string
  traderId: string
  amount: number
  currency: string
  status: string
  reference: string | null
}
type UserHit = { id: string; name: string; email: string }

const joined = (...parts: (string | null)[]): string => parts.filter((part) => part).join(' · ')

/** Traders by the beginnings of words of name, e-mail, phone or id; newest first. */
export const findTraders = (db: Reader, text: string): Hit[] =>
  db.query<TraderHit>(TRADERS, [matchQuery(db.scope.tenantId, text)]).map(({ id, name, email, phone }) => ({
    kind: 'trader',
    id,
    title: name || (email ?? id),
    subtitle: joined(name ? email : null, phone),
    traderId: id,
  }))

/** Trading accounts by the beginnings of numbers and ids; newest first. */
export const findAccounts = (db: Reader, text: string): Hit[] =>
  db.query<AccountHit>(ACCOUNTS, [matchQuery(db.scope.tenantId, text)]).map((row) => ({
    kind: 'account',
    id: row.id,
    title: row.accountNumber ?? row.externalId ?? row.id,
    subtitle: joined(row.platform, row.currency),
    traderId: row.traderId,
  }))

/** Deposits by exact id or provider reference: neither is a word that somebody types half. */
export const findDeposits = (db: Reader, text: string): Hit[] =>
  db.query<DepositHit>(DEPOSITS, [text]).map((row) => ({
    kind: 'deposit',
    id: row.id,
    title: `${formatAmount(BigInt(row.amount), row.currency)} ${row.currency}`,
    subtitle: joined(row.status.replaceAll('_', ' '), row.reference),
    traderId: row.traderId,
  }))

/** Staff by any part of name or e-mail. */
export const findUsers = (db: Reader, text: string): Hit[] =>
  db.query<UserHit>(USERS, [text, containing(text)]).map(({ id, name, email }) => ({
    kind: 'user',
    id,
    title: name,
    subtitle: email,
    traderId: null,
  }))

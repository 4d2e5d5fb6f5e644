import type { Reader } from '../../platform/db/reader.ts'
import { matchQuery } from '../../platform/db/search.ts'
import { formatAmount } from '../../platform/money.ts'
import { containing } from '../users/users.model.ts'
import type { Hit } from './search.model.ts'

/** Hits of one kind. */
const LIMIT = 8

// The index walks from its newest row and stops at the limit; CROSS JOIN keeps it in front.
const TRADERS = `SELECT t.id, concat_ws(' ', t.first_name, t.last_name) AS name, t.email, t.phone
  FROM traders_search s CROSS JOIN traders t ON t.rid = s.rowid
  WHERE s.traders_search MATCH ?2 AND t.tenant_id = ?1 AND t.deleted_at IS NULL ORDER BY s.rowid DESC LIMIT ${LIMIT}`
const ACCOUNTS = `SELECT a.id, a.trader_id AS traderId, a.account_number AS accountNumber, a.external_id AS externalId, a.platform, a.currency
  FROM accounts_search s CROSS JOIN accounts a ON a.rid = s.rowid
  WHERE s.accounts_search MATCH ?2 AND a.tenant_id = ?1 AND a.deleted_at IS NULL ORDER BY s.rowid DESC LIMIT ${LIMIT}`
// two lookups and no OR, which would not use a partial index
const COLUMNS = `id, trader_id AS traderId, amount, currency, status, provider_reference AS reference`
const DEPOSITS = `SELECT ${COLUMNS} FROM deposits WHERE tenant_id = ?1 AND id = ?2
  UNION ALL SELECT ${COLUMNS} FROM deposits WHERE tenant_id = ?1 AND provider_reference = ?2 AND id <> ?2 LIMIT ${LIMIT}`
const USERS = `SELECT id, display_name AS name, email FROM users WHERE tenant_id = ?1 AND deleted_at IS NULL
  AND (id = ?2 OR display_name LIKE ?3 ESCAPE '\\' OR email LIKE ?3 ESCAPE '\\') ORDER BY display_name, id LIMIT ${LIMIT}`

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

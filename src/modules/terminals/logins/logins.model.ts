import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { statement } from '../../../platform/db/statement.ts'
import { wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { equals, filter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Id, Nullable, OneOf } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { terminalConnections } from '../connections/connections.table.ts'
import { type LoginRow, terminalLogins } from './logins.table.ts'

/** The account of a login: on its server, or on its platform where the account names no server. */
export const LINKED = sql`SELECT ${accounts.id} FROM ${accounts}, ${terminalConnections}
  WHERE ${terminalConnections.tenantId} = ${terminalLogins.tenantId}
    AND ${terminalConnections.id} = ${terminalLogins.connectionId}
    AND ${accounts.tenantId} = ${terminalLogins.tenantId} AND ${accounts.platform} = ${terminalConnections.platform}
    AND ${accounts.accountNumber} = ${terminalLogins.login}
    AND ${accounts.server} IN ('', ${terminalConnections.server}) AND ${accounts.deletedAt} IS NULL`

const STATES = ['linked', 'unlinked', 'archived', 'gone', 'reused'] as const
export const LoginOut = nameSchema(
  'TerminalLogin',
  Type.Object({
    ...wireFields(terminalLogins),
    group: Type.String(),
    state: OneOf(STATES),
    accountId: Nullable(Id),
  }),
)

const toRow = wireMapper(terminalLogins)
/** Returns the wire form of a login; what it has of a client is the id of the account alone. */
export const toLogin = (row: LoginRow, accountId: string | null) => ({
  ...toRow(row),
  group: row.groupName,
  state: row.state === 'there' ? (accountId === null ? ('unlinked' as const) : ('linked' as const)) : row.state,
  accountId,
})

export const loginList = defineList({
  name: 'terminal_logins',
  table: terminalLogins,
  filters: {
    connectionId: equals(terminalLogins.connectionId, Id),
    state: filter(
      OneOf(STATES),
      sql`CASE WHEN ${terminalLogins.state} <> 'there' THEN ${terminalLogins.state}
        WHEN EXISTS (${LINKED}) THEN 'linked' ELSE 'unlinked' END = ?`,
    ),
    group: equals(terminalLogins.groupName, Type.String({ minLength: 1, maxLength: 300 })),
    q: equals(terminalLogins.login, Type.String({ minLength: 1, maxLength: 64, description: 'the login' })),
  },
})

type Reads = { column: (table: typeof terminalLogins, id: string, text: string) => unknown }
const ACCOUNT = statement(sql`(${LINKED} LIMIT 1)`)
/** Returns the account of a login. */
export function findAccount(db: Reads, { id }: LoginRow): string | null {
  const found = db.column(terminalLogins, id, ACCOUNT)
  return typeof found === 'string' ? found : null
}

export const COLUMNS = [
  'id',
  'connectionId',
  'login',
  'group',
  'state',
  'accountId',
  'accountType',
  'currency',
  'leverage',
  'mayTrade',
  'maySignIn',
  'registeredAt',
  'balance',
  'credit',
  'equity',
  'marginFree',
  'stateSince',
  'readAt',
] as const

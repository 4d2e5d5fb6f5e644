import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { type TerminalSource, takeTerminalReports } from '../../books/accounts/accounts.terminal.ts'
import { type ConnectionRow, terminalConnections } from '../connections/connections.table.ts'
import { healFinding, noteFinding } from '../findings/findings.service.ts'
import type { LoginRow } from '../logins/logins.table.ts'

/**
 * Returns as whose word a connection speaks: as that of the bridge once it is confirmed, and in what concerns money as
 * that of whoever entered it.
 */
const toSource = (db: Reader, row: ConnectionRow): TerminalSource => ({
  platform: row.platform,
  server: row.server,
  // one person's word does not draw an account to a server that it does not name
  isOnly: row.confirmedAt !== null && db.count(terminalConnections, { platform: row.platform }) === 1,
  by: row.enteredBy,
  isBridge: row.confirmedAt !== null,
})

/** Reports the balances of logins to the accounts that are linked to them. */
export function reportBalances(tx: Tx, row: ConnectionRow, logins: readonly LoginRow[]): void {
  const others = takeTerminalReports(
    tx,
    toSource(tx, row),
    logins.map(({ login: number, accountType, currency, balance, credit, equity, leverage }) => ({
      number,
      currency,
      isDemo: accountType === 'demo',
      balance,
      equity: equity ?? balance + credit,
      leverage,
    })),
  )
  for (const { login, currency } of logins) {
    const about = { connectionId: row.id, kind: 'currency_differs', subject: login } as const
    if (others.includes(login)) noteFinding(tx, about, { login, currency })
    else healFinding(tx, about)
  }
}

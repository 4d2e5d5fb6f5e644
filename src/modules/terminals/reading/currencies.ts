import type { Tx } from '../../../platform/db/tx.ts'
import { isCurrency } from '../../../platform/money.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import type { Deal } from '../contract/terminal.ts'
import { terminalLogins } from '../logins/logins.table.ts'

/**
 * Returns the currency of each login that these deals are of. A login that is not known yet, or is another account than
 * it was, has none, and its deals are taken once it has.
 */
export const currencyByLogin = (
  tx: Tx,
  { id: connectionId }: ConnectionRow,
  deals: readonly Deal[],
): Map<string, string> =>
  new Map(
    tx
      .list(terminalLogins, { connectionId, login: [...new Set(deals.map(({ login }) => login))] })
      .flatMap(({ login, currency, state }) =>
        state !== 'reused' && isCurrency(currency) ? [[login, currency] as const] : [],
      ),
  )

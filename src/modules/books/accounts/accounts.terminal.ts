import { sql } from 'drizzle-orm'
import { HOUR } from '../../../platform/clock.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { type AccountRow, accounts } from './accounts.table.ts'

/** What a terminal says of one of its logins; amounts are minor units of `currency`. */
type TerminalReport = {
  number: string
  currency: string
  isDemo: boolean
  balance: bigint
  equity: bigint
  leverage: number
}
/**
 * The server that reports. `isOnly`: it is the only one of its platform, so that accounts without a server are its own.
 * `by`: the colleagues as whose word it counts. `isBridge`: it is believed as the platform itself.
 */
export type TerminalSource = {
  platform: string
  server: string
  isOnly: boolean
  by: readonly string[]
  isBridge: boolean
}

/** That a balance is what it was is noted this often. */
const HEARD_EVERY = HOUR

const REPORT = statement(
  sql`UPDATE ${accounts} SET ${bare(accounts.balance)} = ?3, ${bare(accounts.equity)} = ?4,
    ${bare(accounts.balanceAt)} = ?5, ${bare(accounts.balanceBy)} = ?6, ${bare(accounts.byBridge)} = ?7,
    ${bare(accounts.version)} = ${accounts.version} + ?8, ${bare(accounts.updatedAt)} = iif(?8, ?5, ${accounts.updatedAt})
  WHERE ${accounts.tenantId} = ?1 AND ${accounts.id} = ?2`,
)

/** Returns the accounts of these numbers on a server, by number. */
function findTerminalAccounts(
  tx: Tx,
  { platform, server, isOnly }: Pick<TerminalSource, 'platform' | 'server' | 'isOnly'>,
  numbers: readonly string[],
): Map<string, AccountRow> {
  const there = tx.list(accounts, { platform, accountNumber: [...numbers] })
  const own = there.filter((row) => row.server === server || (isOnly && row.server === ''))
  return new Map(own.map((row) => [row.accountNumber ?? '', row]))
}

/**
 * Takes what a terminal says of its logins for the accounts that are linked to them. Once the terminal is believed, its
 * leverage counts, and an account without a server gets this one. Returns the numbers whose account has another
 * currency, or is live here and demo there: of these nothing is taken.
 */
export function takeTerminalReports(tx: Tx, source: TerminalSource, reports: readonly TerminalReport[]): string[] {
  const known = findTerminalAccounts(
    tx,
    source,
    reports.map(({ number }) => number),
  )
  const others: string[] = []
  const by = source.by.join(' ')
  for (const { number, currency, isDemo, balance, equity, leverage } of reports) {
    const account = known.get(number)
    if (account === undefined) continue
    if (account.currency !== currency || account.isDemo !== isDemo) {
      others.push(number)
      continue
    }
    if (source.isBridge && (account.server === '' || account.leverage !== leverage))
      tx.update(accounts, account.id, { server: source.server, leverage })
    const isMoved = account.balance !== balance || account.equity !== equity
    const isSameWord = account.balanceBy === by && account.byBridge === source.isBridge
    if (!isMoved && isSameWord && account.balanceAt !== null && tx.now - account.balanceAt < HEARD_EVERY) continue
    tx.execute(REPORT, [account.id, balance, equity, tx.now, by, source.isBridge ? 1 : 0, isMoved ? 1 : 0])
  }
  return others
}

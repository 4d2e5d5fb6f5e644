import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import { statement } from '../../../platform/db/statement.ts'
import { readInChild } from '../../../platform/query-runner/in-child.ts'
import { findLedgerFaults, readTrialBalance } from './ledger.queries.ts'
import { TrialBalanceOut } from './wallets.model.ts'
import { ledgerEntries } from './wallets.table.ts'

const Fault = Type.Object({
  kind: Type.Union([Type.Literal('wallet_drifted'), Type.Literal('transaction_unbalanced')]),
  id: Type.String(),
  currency: Type.String(),
})
const Checked = Type.Object({ balanced: Type.Boolean(), faults: Type.Array(Fault) })

/** Checks one firm's books in a child, once a day. */
export const checkLedgerTask = (input: unknown): Static<typeof Checked> =>
  readInChild(input, (db) => ({ balanced: readTrialBalance(db).balanced, faults: findLedgerFaults(db) }))

/** Computes the trial balance of one firm in a child. */
export const trialBalanceTask = (input: unknown) => readInChild(input, readTrialBalance)

/** Checks a firm's books in a child: half a million entries take most of a second. */
export async function checkLedgerApart(ctx: Ctx, signal: AbortSignal): Promise<Static<typeof Checked>> {
  return Value.Decode(
    Checked,
    await ctx.runTask('ledger.check', {}, { deadlineMs: 10 * MINUTE, signal, background: true }),
  )
}

const LARGE = statement(
  sql`SELECT 1 AS n FROM ${ledgerEntries} WHERE ${ledgerEntries.tenantId} = ?1 LIMIT 1 OFFSET 20000`,
)

/** Returns the trial balance, computed here for small books and in a child for large ones. src/README “Event loop”. */
export async function trialBalance(ctx: Ctx): Promise<Static<typeof TrialBalanceOut>> {
  if (ctx.db.query(LARGE).length === 0) return readTrialBalance(ctx.db)
  return Value.Decode(TrialBalanceOut, await ctx.runTask('ledger.trial-balance', {}, { deadlineMs: 30 * SECOND }))
}

import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import { terminalDeals } from '../deals/deals.table.ts'
import { healFinding, noteFinding } from '../findings/findings.service.ts'
import { terminalFindings } from '../findings/findings.table.ts'
import { terminalInstructions } from '../instructions/instructions.table.ts'

/** A terminal shows a deal that it has booked within this time. */
const SHOWN_WITHIN = 15 * MINUTE
/** Longer ago nothing is looked for any more. */
const LOOKED_FOR = 7 * DAY

const DEAL = sql`SELECT 1 FROM ${terminalDeals} WHERE ${terminalDeals.tenantId} = ?1
  AND ${terminalDeals.connectionId} = ?2 AND ${terminalDeals.state} = 'live'`
/** Whether the deal of an instruction was read: by the number that the terminal gave, or as its transfer’s booking. */
const WAS_READ = sql`(EXISTS (${DEAL} AND ${terminalDeals.number} = ${terminalInstructions.number})
  OR EXISTS (${DEAL} AND ${terminalDeals.transferId} = ${terminalInstructions.transferId}))`

type Booked = { transferId: string; login: string; currency: string; amount: number }
const MISSING = statement(
  sql`SELECT ${listed({
    transferId: terminalInstructions.transferId,
    login: terminalInstructions.login,
    currency: terminalInstructions.currency,
    amount: terminalInstructions.amount,
  })} FROM ${terminalInstructions}
  WHERE ${terminalInstructions.tenantId} = ?1 AND ${terminalInstructions.connectionId} = ?2
    AND ${terminalInstructions.kind} = 'balance' AND ${terminalInstructions.state} = 'done'
    AND ${terminalInstructions.endedAt} > ?3 AND ${terminalInstructions.endedAt} <= ?4 AND NOT ${WAS_READ}`,
)
const READ_SINCE = statement(
  sql`SELECT ${listed({ transferId: terminalInstructions.transferId })}
  FROM ${terminalFindings} CROSS JOIN ${terminalInstructions} ON ${terminalInstructions.tenantId} = ?1
    AND ${terminalInstructions.transferId} = ${terminalFindings.subject}
  WHERE ${terminalFindings.tenantId} = ?1 AND ${terminalFindings.connectionId} = ?2
    AND ${terminalFindings.kind} = 'transfer_missing' AND ${terminalFindings.state} = 'open' AND ${WAS_READ}`,
)

/**
 * Notes transfers that a terminal said it booked and whose deal no whole reading has shown within a quarter of an hour,
 * and those whose deal was read since. `until` is up to when deals were read whole. What a person closed is not noted
 * again. RULES “Findings”.
 */
export async function missTransfers(ctx: Ctx, { id: connectionId }: ConnectionRow, until: number): Promise<void> {
  const about = (subject: string) => ({ connectionId, kind: 'transfer_missing', subject }) as const
  const missing = ctx.db
    .query<Booked>(MISSING, [connectionId, until - LOOKED_FOR, until - SHOWN_WITHIN])
    .filter(({ transferId }) => ctx.db.find(terminalFindings, about(transferId)) === undefined)
  const healed = ctx.db.query<{ transferId: string }>(READ_SINCE, [connectionId])
  if (missing.length + healed.length === 0) return
  await ctx.write('terminals.read', (tx) => {
    for (const { transferId, login, currency, amount } of missing)
      noteFinding(tx, about(transferId), { login, currency, amount: BigInt(amount) })
    for (const { transferId } of healed) healFinding(tx, about(transferId))
    return null
  })
}

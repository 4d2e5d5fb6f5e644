import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { writeEach } from '../../../platform/http/answers/bulk-results.ts'
import { wrongState } from '../../../platform/problem.ts'
import { refuseGivenPassword } from '../../firm/independence/independence.service.ts'
import { terminalLogins } from '../logins/logins.table.ts'
import type { CloseIn } from './findings.model.ts'
import { type FindingRow, terminalFindings } from './findings.table.ts'

/** Does what follows from a person’s word that a finding is explained. */
function follow(tx: Tx, { kind, login, amount, connectionId }: FindingRow): void {
  if (login === null) return
  const row = tx.find(terminalLogins, { connectionId, login })
  if (row === undefined) return
  // the difference is what the balance is beside its deals from now on
  if (kind === 'balance_differs' && amount !== null) tx.update(terminalLogins, row.id, { base: row.base + amount })
  // the login is another account by the person's word: it is read as one from now on
  if (kind === 'login_reused') tx.remove(terminalLogins, row.id)
}

/** Closes findings with a reason, each by itself; those that are not open any more stay as they are. */
export const closeFindings = (ctx: Ctx, { ids, reason }: Static<typeof CloseIn>) =>
  writeEach(ctx, 'terminals.close_findings', ids, (tx, id) => {
    refuseGivenPassword(tx, ctx)
    const before = tx.get(terminalFindings, id)
    if (before.state !== 'open') throw wrongState('terminal_finding', before.state)
    const changes = { state: 'closed', reason, closedBy: findStaffId(ctx.principal), closedAt: tx.now } as const
    const { version } = tx.update(terminalFindings, id, changes)
    follow(tx, before)
    tx.audit({ entity: 'terminal_finding', entityId: id, after: { kind: before.kind, reason } })
    return { version }
  })

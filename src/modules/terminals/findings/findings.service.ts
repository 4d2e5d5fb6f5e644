import type { Ctx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { type FindingKind, terminalFindings } from './findings.table.ts'

/** What a finding is about. */
type About = { connectionId: string; kind: FindingKind; subject: string }
type Facts = { login?: string; currency?: string; amount?: bigint; detail?: Record<string, string> }

/**
 * Notes what does not fit, once for each subject while it is open; figures that moved since are brought up to date.
 */
export function noteFinding(tx: Tx, about: About, facts: Facts = {}): void {
  const values = {
    login: facts.login ?? null,
    currency: facts.currency ?? null,
    amount: facts.amount ?? null,
    detail: facts.detail ?? {},
  }
  const open = tx.find(terminalFindings, { ...about, state: 'open' })
  if (open) tx.update(terminalFindings, open.id, values)
  else tx.insert(terminalFindings, { ...about, ...values })
}

/** Closes a finding that is no more, by itself. */
export function healFinding(tx: Tx, about: About): void {
  const open = tx.find(terminalFindings, { ...about, state: 'open' })
  if (open) tx.update(terminalFindings, open.id, { state: 'closed', healed: true, closedAt: tx.now })
}

/** What a person says of a mass that vanished is taken for this long. */
const ACCEPTED_FOR = 15 * MINUTE

/** Returns whether a person closed the finding that very much is gone a moment ago, so that it is taken as gone. */
export const isVanishAccepted = ({ db, now }: Pick<Ctx, 'db' | 'now'>, { id: connectionId }: { id: string }): boolean =>
  db
    .list(
      terminalFindings,
      { connectionId, kind: 'mass_vanish', state: 'closed', healed: false },
      { orderBy: 'createdAt', descending: true, limit: 1 },
    )
    .some(({ closedAt }) => closedAt !== null && now() - closedAt < ACCEPTED_FOR)

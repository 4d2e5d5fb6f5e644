import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { type FindingKind, type FindingRow, terminalFindings } from './findings.table.ts'

/** What a finding is about. */
type About = { connectionId: string; kind: FindingKind; subject: string }
type Facts = { login?: string; currency?: string; amount?: bigint; detail?: Record<string, string> }

// the state stands in the text, since only then SQLite looks into the index of open findings
const OPEN = statement(
  sql`SELECT ${listed({ id: terminalFindings.id })} FROM ${terminalFindings}
  WHERE ${terminalFindings.tenantId} = ?1 AND ${terminalFindings.connectionId} = ?2 AND ${terminalFindings.kind} = ?3
    AND ${terminalFindings.subject} = ?4 AND ${terminalFindings.state} = 'open'`,
)
/** Returns the open finding about something. */
export const findOpen = (db: Reader, { connectionId, kind, subject }: About): FindingRow | undefined => {
  const [open] = db.query<{ id: string }>(OPEN, [connectionId, kind, subject])
  return open && db.get(terminalFindings, open.id)
}

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
  const open = findOpen(tx, about)
  if (open) tx.update(terminalFindings, open.id, values)
  else tx.insert(terminalFindings, { ...about, ...values })
}

/** Closes a finding that is no more, by itself. */
export function healFinding(tx: Tx, about: About): void {
  const open = findOpen(tx, about)
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

import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { say } from '../../../words/say.ts'
import type { Fault } from './ads.graph.ts'
import { adConnectionStates } from './ads.states.ts'
import { type AdConnectionRow, adConnections } from './ads.table.ts'

/** Returns how long to wait after this many failures in a row: 1, 2, 4 … 60 minutes. */
export const backOff = (failures: number): number => Math.min(60, 2 ** Math.min(failures, 6)) * MINUTE

/** A call is tried at most this often, which takes a day and a half, as long as the platform itself repeats. */
export const MOST_TRIES = 41
/** A refused call is tried less often, since a missing permission may be given within hours. */
export const REFUSED_TRIES = 12

// the state of calls raises no version of the connection, so that an editor gets no conflict from it
const ofConnection = sql`WHERE ${adConnections.tenantId} = ?1 AND ${adConnections.id} = ?2`
const WAIT = statement(
  sql`UPDATE ${adConnections} SET ${bare(adConnections.waitUntil)} = ?3,
    ${bare(adConnections.throttles)} = ${adConnections.throttles} + 1 ${ofConnection}`,
)
const ANSWERED = statement(
  sql`UPDATE ${adConnections} SET ${bare(adConnections.throttles)} = 0 ${ofConnection} AND ${adConnections.throttles} > 0`,
)
const LEAD_CAME = statement(sql`UPDATE ${adConnections} SET ${bare(adConnections.lastLeadAt)} = ?3 ${ofConnection}`)

const LEAD_FAILED = statement(
  sql`UPDATE ${adConnections} SET ${bare(adConnections.lastError)} = ?3 ${ofConnection}
    AND ${adConnections.status} = 'active'`,
)

/** Notes on its connection, where staff see it, that a lead could not be fetched for good. */
export const noteLost = (tx: Tx, id: string, lead: string, message: string): number =>
  tx.execute(LEAD_FAILED, [id, say('ads.lead.not_taken', { lead, message })])
/** Notes that the platform answered, which resets the count of throttles. */
export const noteAnswer = (tx: Tx, id: string): number => tx.execute(ANSWERED, [id])
/** Notes when a connection last brought a lead. */
export const noteLead = (tx: Tx, id: string): number => tx.execute(LEAD_CAME, [id, tx.now])

/** Returns whether a connection still has the credentials that the call was made with. */
const isSame = (tx: Tx, { id, credentials }: AdConnectionRow): boolean => {
  const now = tx.find(adConnections, { id })
  return now !== undefined && Buffer.compare(now.credentials, credentials) === 0
}

/**
 * Applies a fault of the whole connection, inside a transaction: a wait if the platform throttles, an error if it
 * refuses the token. Returns when the connection may be asked again; null if the fault is of this call only.
 */
export function noteFault(tx: Tx, connection: AdConnectionRow, { kind, message, waitMs }: Fault): number | null {
  if (kind === 'throttled') {
    const until = tx.now + (waitMs > 0 ? waitMs : backOff(connection.throttles))
    tx.execute(WAIT, [connection.id, until])
    return until
  }
  if (kind !== 'token') return null
  // the connection may have got new credentials during the call
  const status = tx.find(adConnections, { id: connection.id })?.status
  if (status === 'active' && isSame(tx, connection))
    tx.transition(
      adConnections,
      connection.id,
      adConnectionStates,
      'error',
      { lastError: message },
      { action: 'ads.refused' },
    )
  return tx.now
}

/** Pauses a connection for a minute after an unforeseen error. */
export const rest = (ctx: Ctx, id: string): Promise<number> =>
  ctx.write('ads.rest', (tx) => tx.execute(WAIT, [id, tx.now + MINUTE]))

import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { say } from '../../../words/say.ts'
import type { Fault } from './ads.graph.ts'
import { adConnectionStates } from './ads.states.ts'
import { type AdConnectionRow, adConnections } from './ads.table.ts'

/** 1, 2, 4 … 60 minutes: how long to wait after so many failures in a row. */
export const backOff = (failures: number): number => Math.min(60, 2 ** Math.min(failures, 6)) * MINUTE

/** Tries after which a call is given up: a day and a half of them, as long as the platform itself repeats. */
export const MOST_TRIES = 41
/** The same for what is refused: a permission that is missing may be given within some hours. */
export const REFUSED_TRIES = 12

// What is noted of calls is no change of the connection: it makes no version that somebody who edits it would meet.
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

/** Notes a lead that was given up where staff look: at its connection, which works otherwise. */
export const noteLost = (tx: Tx, id: string, lead: string, message: string): number =>
  tx.execute(LEAD_FAILED, [id, say('ads.lead.not_taken', { lead, message })])
/** Notes that the platform answered: the next time it throttles is the first again. */
export const noteAnswer = (tx: Tx, id: string): number => tx.execute(ANSWERED, [id])
/** Notes when a connection brought a lead last. */
export const noteLead = (tx: Tx, id: string): number => tx.execute(LEAD_CAME, [id, tx.now])

/** Whether a connection still has the credentials that a call was made with. */
const isSame = (tx: Tx, { id, credentials }: AdConnectionRow): boolean => {
  const now = tx.find(adConnections, { id })
  return now !== undefined && Buffer.compare(now.credentials, credentials) === 0
}

/**
 * What a fault means for the whole connection, inside a transaction: a wait where the platform throttles, an error
 * where it refuses the token. Answers when the connection may be asked again; null where the fault is not the
 * connection's but that of what was asked for.
 */
export function noteFault(tx: Tx, connection: AdConnectionRow, { kind, message, waitMs }: Fault): number | null {
  if (kind === 'throttled') {
    const until = tx.now + (waitMs > 0 ? waitMs : backOff(connection.throttles))
    tx.execute(WAIT, [connection.id, until])
    return until
  }
  if (kind !== 'token') return null
  // somebody may have mended it while the call was on its way
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

/** Keeps a connection quiet for a while after something that nobody foresaw. */
export const rest = (ctx: Ctx, id: string): Promise<number> =>
  ctx.write('ads.rest', (tx) => tx.execute(WAIT, [id, tx.now + MINUTE]))

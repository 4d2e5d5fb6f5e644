import type { Tx } from '../../../platform/db/tx.ts'
import { type HealthRow, terminalHealth } from './connections.table.ts'

/** After this many periods without a whole reading a connection is said to be out. */
const OUTAGE = 3
/** Returns whether a connection has not been read whole for longer than it may be. */
export const isOutage = ({ period, lastReadAt }: { period: number; lastReadAt: number }, now: number): boolean =>
  now - lastReadAt > OUTAGE * period

/** Notes how a connection fares; a state that is another one begins now. */
export function noteHealth(tx: Tx, id: string, changes: Partial<HealthRow>): void {
  const known = tx.find(terminalHealth, { id })
  const since = changes.state !== undefined && changes.state !== known?.state ? { stateSince: tx.now } : {}
  if (known) tx.update(terminalHealth, id, { ...changes, ...since })
  else tx.insert(terminalHealth, { stateSince: tx.now, ...changes, id })
}

/** Notes the moment of the latest deal of a connection. */
export function noteLastDeal(tx: Tx, id: string, at: number): void {
  const known = tx.find(terminalHealth, { id })
  if ((known?.lastDealAt ?? 0) < at) noteHealth(tx, id, { lastDealAt: at })
}

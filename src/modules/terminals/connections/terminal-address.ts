import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { ClockPeriod, TerminalAddress } from '../contract/terminal.ts'
import { type ConnectionRow, type Guarded, terminalClocks } from './connections.table.ts'

/** Returns the context in which a password is sealed, so that no other firm or connection can open it. */
export const sealContext = (tenantId: string, id: string): string => `terminal:${tenantId}:${id}`

/** Returns the known periods of the clock of a connection’s server. */
export const listClock = (db: Reader, connectionId: string): ClockPeriod[] =>
  db
    .list(terminalClocks, { connectionId }, { orderBy: 'since' })
    .map(({ since, minutes }) => ({ from: since, minutes }))

/** What an address is made of: a firm’s rows, its key, and the networks that the operator allows. */
type Parts = Pick<Ctx, 'db' | 'secrets' | 'tenantId'> & { config: Pick<Ctx['config'], 'allowedNetworks'> }

/** Returns where a terminal is and as whom it is spoken to; with `changes`, by settings that wait. */
export function buildAddress(
  ctx: Parts,
  row: ConnectionRow,
  changes: { fields: Partial<Guarded>; password: Uint8Array | null } = { fields: {}, password: null },
): TerminalAddress {
  const { address, trust, certificate, login, groups } = { ...row, ...changes.fields }
  return {
    address,
    trust,
    certificate,
    login,
    password: ctx.secrets.openText(changes.password ?? row.password, sealContext(ctx.tenantId, row.id)),
    masks: groups.map(({ mask }) => mask),
    requestsPerSecond: row.requestsPerSecond,
    allowedNetworks: [...ctx.config.allowedNetworks],
    clock: listClock(ctx.db, row.id),
  }
}

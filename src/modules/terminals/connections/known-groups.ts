import type { Ctx } from '../../../platform/access/ctx.ts'
import { perApp } from '../../../platform/capabilities.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Group } from '../contract/terminal.ts'
import { type ConnectionRow, terminalHealth } from './connections.table.ts'
import { findType } from './groups.ts'
import { readTest } from './test.model.ts'

/** The groups of each connection’s server, as its last session showed them. */
export const getKnownGroups = perApp(() => new Map<string, readonly Group[]>())

/** A group of a server that is read. */
type ReadGroup = { name: string; currency: string }

/** Returns the groups of a connection that are read, as far as they are known: from a session, or the last test. */
export function listReadGroups(ctx: Pick<Ctx, 'app'>, db: Reader, { id, groups }: ConnectionRow): ReadGroup[] {
  const all = getKnownGroups(ctx).get(id) ?? readTest(db.find(terminalHealth, { id }))?.groups ?? []
  return all.flatMap(({ name, currency }) => (findType(groups, name) === null ? [] : [{ name, currency }]))
}

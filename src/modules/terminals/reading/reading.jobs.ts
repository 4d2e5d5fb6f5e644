import { sql } from 'drizzle-orm'
import { createCtx } from '../../../platform/access/ctx.ts'
import { perApp } from '../../../platform/capabilities.ts'
import { SECOND } from '../../../platform/clock.ts'
import { ofActiveTenant } from '../../../platform/db/directory.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { defineJob, type JobRun } from '../../../platform/jobs/job.ts'
import { terminalConnections } from '../connections/connections.table.ts'
import { type ConnectionReader, createConnectionReader } from './connection-reader.ts'

const NAME = 'terminals.read'
const LOOK_AGAIN = 200

type One = { tenantId: string; id: string }
const ALL = statement(
  sql`SELECT ${listed({ tenantId: terminalConnections.tenantId, id: terminalConnections.id })}
  FROM ${terminalConnections} ${ofActiveTenant(terminalConnections.tenantId)}
  WHERE ${terminalConnections.deletedAt} IS NULL AND NOT ${terminalConnections.paused}`,
)

const getReaders = perApp(() => new Map<string, ConnectionReader>())

/** Ends the readers of connections that are not read any more. */
async function stopOthers(readers: Map<string, ConnectionReader>, known: readonly One[]): Promise<void> {
  const ids = new Set(known.map(({ id }) => id))
  for (const [id, reader] of readers) {
    if (ids.has(id)) continue
    readers.delete(id)
    await reader.stop()
  }
}

/** Reads every connection that is due, beside one another, until none is: a slow terminal delays no other. */
async function readAll({ platform, signal }: JobRun): Promise<string | null> {
  const readers = getReaders(platform.capabilities)
  const busy = new Map<string, Promise<void>>()
  const rests = new Set<string>()
  const failures: unknown[] = []
  const stopped = Promise.withResolvers<void>()
  const stop = (): void => stopped.resolve()
  signal.addEventListener('abort', stop)
  const step = async ({ tenantId, id }: One): Promise<void> => {
    const reader = readers.get(id) ?? createConnectionReader(id, platform.clock.now())
    readers.set(id, reader)
    const ctx = createCtx(platform, {
      principal: { kind: 'gateway', id },
      tenantId,
      requestId: `job-${NAME}`,
      ip: null,
    })
    try {
      if (!(await reader.read(ctx))) rests.add(id)
    } catch (error) {
      rests.add(id)
      if (!signal.aborted) failures.push(error)
    }
  }
  for (;;) {
    const all = signal.aborted ? [] : platform.reader.all<One>(ALL, [])
    if (!signal.aborted) await stopOthers(readers, all)
    for (const one of all)
      if (!busy.has(one.id) && !rests.has(one.id))
        busy.set(
          one.id,
          step(one).finally(() => busy.delete(one.id)),
        )
    if (busy.size === 0) break
    const done = Promise.race([...busy.values(), stopped.promise]).then(() => false)
    const isPause = await Promise.race([done, Bun.sleep(LOOK_AGAIN).then(() => true)])
    // connections that had nothing to do may have by now, while others are read still
    if (isPause) rests.clear()
    if (!signal.aborted) continue
    for (const reader of readers.values()) await reader.stop()
    await Promise.all(busy.values())
    break
  }
  signal.removeEventListener('abort', stop)
  const [failure] = failures
  if (failure !== undefined) throw failure
  return null
}

/** Reads trading servers. RULES “Reading a terminal”. */
export const readTerminals = defineJob({ name: NAME, every: SECOND, delay: SECOND, run: readAll })

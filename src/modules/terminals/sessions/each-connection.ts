import { sql } from 'drizzle-orm'
import { type Ctx, createCtx } from '../../../platform/access/ctx.ts'
import { ofActiveTenant } from '../../../platform/db/directory.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { JobRun } from '../../../platform/jobs/job.ts'
import { terminalConnections } from '../connections/connections.table.ts'

const LOOK_AGAIN = 200

type One = { tenantId: string; id: string }
const ALL = statement(
  sql`SELECT ${listed({ tenantId: terminalConnections.tenantId, id: terminalConnections.id })}
  FROM ${terminalConnections} ${ofActiveTenant(terminalConnections.tenantId)}
  WHERE ${terminalConnections.deletedAt} IS NULL AND NOT ${terminalConnections.paused}`,
)

/** Does what is due of one connection; `work` answers whether anything was. */
export type Worker = { work(ctx: Ctx): Promise<boolean>; stop(): Promise<void> }

/** Ends the workers of connections that are not spoken to any more. */
async function stopOthers(workers: Map<string, Worker>, known: readonly One[]): Promise<void> {
  const ids = new Set(known.map(({ id }) => id))
  for (const [id, worker] of workers) {
    if (ids.has(id)) continue
    workers.delete(id)
    await worker.stop()
  }
}

/**
 * Works for every connection that has something due, beside one another, until none has: a slow terminal delays no
 * other. `workers` keeps what is known between two runs.
 */
export async function workConnections(
  { platform, signal }: JobRun,
  name: string,
  workers: Map<string, Worker>,
  create: (id: string, now: number) => Worker,
): Promise<void> {
  const busy = new Map<string, Promise<void>>()
  const rests = new Set<string>()
  const failures: unknown[] = []
  const stopped = Promise.withResolvers<void>()
  const stop = (): void => stopped.resolve()
  signal.addEventListener('abort', stop)
  const step = async ({ tenantId, id }: One): Promise<void> => {
    const worker = workers.get(id) ?? create(id, platform.clock.now())
    workers.set(id, worker)
    const principal = { kind: 'gateway', id } as const
    const ctx = createCtx(platform, { principal, tenantId, requestId: `job-${name}`, ip: null })
    try {
      if (!(await worker.work(ctx))) rests.add(id)
    } catch (error) {
      rests.add(id)
      if (!signal.aborted) failures.push(error)
    }
  }
  for (;;) {
    const all = signal.aborted ? [] : platform.reader.all<One>(ALL, [])
    if (!signal.aborted) await stopOthers(workers, all)
    for (const one of all)
      if (!busy.has(one.id) && !rests.has(one.id))
        busy.set(
          one.id,
          step(one).finally(() => busy.delete(one.id)),
        )
    if (busy.size === 0) break
    const done = Promise.race([...busy.values(), stopped.promise]).then(() => false)
    const isPause = await Promise.race([done, Bun.sleep(LOOK_AGAIN).then(() => true)])
    // connections that had nothing to do may have by now, while others are worked for still
    if (isPause) rests.clear()
    if (!signal.aborted) continue
    for (const worker of workers.values()) await worker.stop()
    await Promise.all(busy.values())
    break
  }
  signal.removeEventListener('abort', stop)
  const [failure] = failures
  if (failure !== undefined) throw failure
}

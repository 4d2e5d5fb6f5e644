import { systemCtx } from '../platform/access/ctx.ts'
import { HOUR } from '../platform/clock.ts'
import type { Caller, Firm, TestApp } from './app.ts'

/** Calls `run` while the password of a colleague's sessions counts as given long ago; then makes them fresh again. */
export async function whileStale<T>({ platform }: TestApp, firm: Firm, { id }: Caller, run: () => Promise<T>) {
  const prove = (at: number) =>
    systemCtx(platform, firm.tenantId, 'test').write('test.session', (tx) =>
      tx.execute('UPDATE sessions SET proven_at = ?3, created_at = ?3 WHERE tenant_id = ?1 AND user_id = ?2', [id, at]),
    )
  await prove(platform.clock.now() - HOUR)
  try {
    return await run()
  } finally {
    await prove(platform.clock.now() + 1e12)
  }
}

import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { requireSignedInWithin } from '../../../platform/access/fresh.ts'
import { refuseKeys } from '../../../platform/access/in-person.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { notFound } from '../../../platform/problem.ts'
import { refuseGivenPassword, requireSettled } from '../../firm/independence/independence.service.ts'
import type { BackupsOut } from './backups.model.ts'
import type { Backups } from './backups.service.ts'
import type { Work } from './backups.turns.ts'

/** The password must have been given within this time to download the whole box. */
const PROVEN_WITHIN = MINUTE

type BackupsAnswer = Static<typeof BackupsOut>

/**
 * Begins work that takes minutes; the list and the log show its end. A refusal is answered at once: the turn is taken
 * before anything is awaited, so of two simultaneous requests one is refused. The work begins after the audit.
 */
async function begin(
  ctx: Ctx,
  backups: Backups,
  what: Work,
  run: (after: Promise<unknown>) => Promise<unknown>,
): Promise<BackupsAnswer> {
  backups.demand(what)
  const answer = (async () => {
    const now = await backups.list()
    return ctx.write(`backup.${what}`, (tx) => {
      tx.audit({ entity: 'backup' })
      return now
    })
  })()
  run(answer).catch((error: unknown) => ctx.log.error({ err: error }, `a ${what} failed`))
  return answer
}

/** Begins a snapshot; 409 while another copy is made, 507 without room. Audited. */
export const beginSnapshot = (ctx: Ctx, backups: Backups): Promise<BackupsAnswer> =>
  begin(ctx, backups, 'snapshot', (after) => backups.take('manual', { after }))

/** Begins a drill: restores the newest replica and snapshot beside the live data and proves them. Audited. */
export const beginDrill = (ctx: Ctx, backups: Backups): Promise<BackupsAnswer> =>
  begin(ctx, backups, 'drill', (after) => backups.drill({ after }))

/** Sends the file of a snapshot to a session with password and code within the last minute. Audited. */
export async function sendSnapshot(ctx: Ctx, backups: Backups, id: string): Promise<Response> {
  refuseKeys(ctx)
  requireSignedInWithin(ctx, PROVEN_WITHIN)
  requireSettled(ctx)
  const path = backups.findPath(id)
  if (path === undefined) throw notFound()
  await ctx.write('backup.download', (tx) => {
    refuseGivenPassword(tx, ctx)
    tx.audit({ entity: 'backup', after: { id } })
  })
  return new Response(Bun.file(path), {
    headers: {
      'content-type': 'application/x-tar',
      'content-disposition': `attachment; filename="${id}.tar"`,
      'cache-control': 'no-store',
    },
  })
}

import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Bytes, op } from '../../../platform/http/openapi/openapi.ts'
import { BackupParam, BackupsOut } from './backups.model.ts'
import type { Backups } from './backups.service.ts'
import { beginDrill, beginSnapshot, sendSnapshot } from './backups.start.ts'

const administer = { any: true, role: 'platform_admin' } as const

/** Backups of the whole box, for its administrator. */
export const backupRoutes = (backups: Backups) =>
  declareRoutes('System')
    .get('/v1/system/backups', () => backups.list(), {
      access: administer,
      ...op('system.backups', 'Snapshots on this machine, the replica, and the last restore that proved them', {
        200: BackupsOut,
      }),
    })
    .post('/v1/system/backups', ({ ctx }) => beginSnapshot(ctx, backups), {
      access: { ...administer, fresh: true },
      accepts: true,
      ...op('system.takeBackup', 'Take a snapshot now', { 202: BackupsOut }, [409, 507]),
    })
    .get('/v1/system/backups/:id/download', ({ ctx, params }) => sendSnapshot(ctx, backups, params.id), {
      access: { ...administer, fresh: true },
      params: BackupParam,
      ...op(
        'system.downloadBackup',
        'A snapshot as a file, within a minute of the password; audited',
        { 200: Bytes },
        [404],
      ),
    })
    .post('/v1/system/drills', ({ ctx }) => beginDrill(ctx, backups), {
      access: administer,
      accepts: true,
      ...op(
        'system.drill',
        'Restore the newest copies beside the data and prove them',
        { 202: BackupsOut },
        [409, 507],
      ),
    })

import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import type { Scheduler } from '../../../platform/jobs/scheduler.ts'
import type { RecoveryKey } from '../../../platform/recovery-key.ts'
import { listJobs, runJob } from './jobs.service.ts'
import { noteRecoveryKeyKept, readRecoveryKey, showRecoveryWords } from './recovery-key.service.ts'
import { readStatus, type StatusParts } from './status.service.ts'
import {
  JobOut,
  JobParam,
  JobsOut,
  KeyKeptIn,
  RecoveryKeyOut,
  RecoveryWordsOut,
  SystemStatusOut,
} from './system.model.ts'

const administer = { any: true, role: 'platform_admin' } as const

/** The box itself, for its administrator. */
export const systemRoutes = ({
  recoveryKey,
  scheduler,
  status,
}: {
  recoveryKey: RecoveryKey
  scheduler: Scheduler
  status: StatusParts
}) =>
  declareRoutes('System')
    .get('/v1/system/status', () => readStatus(status), {
      access: administer,
      ...op('system.status', 'What this installation is, holds and lacks', { 200: SystemStatusOut }),
    })
    .get('/v1/system/jobs', () => listJobs(scheduler), {
      access: administer,
      ...op('system.jobs', 'What runs by itself, and what came of it last', { 200: JobsOut }),
    })
    .post('/v1/system/jobs/:name/run', ({ ctx, params }) => runJob(ctx, scheduler, params.name), {
      access: administer,
      accepts: true,
      params: JobParam,
      ...op('system.runJob', 'Run a job now', { 202: JobOut }, [404, 409]),
    })
    .get('/v1/system/recovery-key', () => readRecoveryKey(recoveryKey), {
      access: administer,
      ...op('system.recoveryKey', 'Whether the key of this installation is kept outside of it', {
        200: RecoveryKeyOut,
      }),
    })
    .post('/v1/system/recovery-key/words', ({ ctx }) => showRecoveryWords(ctx, recoveryKey), {
      access: { ...administer, fresh: true },
      ...op('system.recoveryWords', 'The key as 24 words, within a minute of the password; audited', {
        200: RecoveryWordsOut,
      }),
    })
    .post('/v1/system/recovery-key/kept', ({ ctx, body }) => noteRecoveryKeyKept(ctx, recoveryKey, body), {
      access: { ...administer, fresh: true },
      body: KeyKeptIn,
      ...op('system.keepRecoveryKey', 'Say that the key is kept: three of its words, or where it is', {
        200: RecoveryKeyOut,
      }),
    })

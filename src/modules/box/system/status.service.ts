import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { DAY, HOUR, SECOND, toIso } from '../../../platform/clock.ts'
import type { Scheduler } from '../../../platform/jobs/scheduler.ts'
import type { RelayFault } from '../../../platform/mail-relay.ts'
import type { Vital } from '../../../platform/readiness.ts'
import type { RecoveryKey } from '../../../platform/recovery-key.ts'
import { DATABASES } from '../../../platform/replication/engine-config.ts'
import { LAG_ALARMS, LAG_WARNS } from '../../../platform/replication/lag.ts'
import type { Loss } from '../../../platform/replication/lineage.ts'
import type { Replication } from '../../../platform/replication/replication.ts'
import type { Sight } from '../../../platform/standby/sight.ts'
import type { StandbySeen } from '../../../platform/standby/standby.ts'
import type { TlsState } from '../../../platform/tls-state.ts'
import { say } from '../../../words/say.ts'
import type { Backups } from '../backups/backups.service.ts'
import { replicaOut } from '../backups/backups.service.ts'
import { CLOCKS_APART, SILENT_AFTER } from '../standby/primary-watch.ts'
import { readDisk } from './disk.ts'
import { type SinkWarningParts, sinkWarnings } from './sink-warnings.ts'
import type { CertificateOut, SystemStatusOut, WarningOut } from './system.model.ts'

/** A proof is valid for a day and the hours that a night's drill may take. */
export const PROOF_LASTS = 26 * HOUR

/** A loss at the replica is shown this long. */
const LOSS_LASTS = DAY

type Warning = Static<typeof WarningOut>

/** The sources of the box's status. */
export type StatusParts = SinkWarningParts & {
  dataDir: string
  started: number
  program: { version: string; commit: string }
  schema: () => { schema: number; sqlite: string }
  /** Returns when the box was set up, in milliseconds. */
  bornAt: () => number
  readiness: () => Promise<readonly Vital[]>
  replication: Replication | null
  /** Returns the noted loss at the replica, with its time in milliseconds; undefined if there was none. */
  loss: () => { value: Loss; at: number } | undefined
  backups: Backups
  recoveryKey: RecoveryKey
  tls: () => TlsState
  mailFault: () => RelayFault | null
  scheduler: Scheduler
  /** The copies that a standby reads; null on a server that may write. */
  standby: Sight | null
}

const readSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Returns what is wrong with the replica; empty if nothing is, or if there is no replica. */
function replicaWarnings(replication: Replication | null): Warning[] {
  if (!replication) return []
  const { state, why, databases } = replication.seen()
  const lag = Math.max(...databases.map(({ lagMs }) => lagMs))
  if (lag < LAG_WARNS && state !== 'waiting') return []
  const text =
    state === 'running'
      ? say('system.warning.replica_behind', { seconds: Math.round(lag / SECOND) })
      : say('system.warning.replica_down', { why: why ?? '' })
  return [{ code: 'replica', severity: lag >= LAG_ALARMS ? 'alarm' : 'warning', text }]
}

/** Returns a loss at the replica for a day, since it may be repaired within a minute and would be missed. */
function lossWarnings({ replication, loss, clock }: StatusParts): Warning[] {
  const lost = replication?.seen().lost ?? null
  if (lost !== null)
    return [{ code: 'place_lost', severity: 'alarm', text: say('system.warning.place_lost', { why: lost }) }]
  const last = loss()
  if (!last || clock.now() - last.at > LOSS_LASTS) return []
  const text = say('system.warning.place_was_lost', { at: toIso(last.at), why: last.value.why })
  return [{ code: 'place_lost', severity: 'alarm', text }]
}

/** Returns what is wrong with the last drill; a new box has a day for its first one. */
async function proofWarnings({ backups, bornAt, clock }: StatusParts): Promise<Warning[]> {
  const { drill, provenAt } = await backups.proofs()
  const [fault] = [drill?.replica, drill?.snapshot].flatMap((proof) => (proof && !proof.ok ? proof.faults : []))
  if (drill && !drill.ok && fault !== undefined)
    return [{ code: 'drill_failed', severity: 'alarm', text: say('system.warning.drill_failed', { fault }) }]
  const since = provenAt === null ? bornAt() : Date.parse(provenAt)
  if (clock.now() - since < PROOF_LASTS) return []
  return [{ code: 'not_proven', severity: 'warning', text: say('system.warning.not_proven') }]
}

/**
 * Returns warnings about the certificate. One that ends soon is an alarm, since browsers will refuse it; a failed
 * renewal is not, since the next one may succeed.
 */
function certificateWarnings({ source, notAfter, lastError, endsSoon }: TlsState): Warning[] {
  if (source === 'off' || (!endsSoon && lastError === null)) return []
  const why = lastError ?? say('system.warning.certificate_nothing')
  const text =
    notAfter === null
      ? say('system.warning.certificate_none', { why })
      : say('system.warning.certificate', { day: toIso(notAfter).slice(0, 10), why })
  return [{ code: 'certificate', severity: endsSoon ? 'alarm' : 'warning', text }]
}

/** Returns the last fault of the mail relay. It is no alarm, since an alarm is a mail. */
function mailWarnings(fault: RelayFault | null): Warning[] {
  if (fault === null) return []
  const since = toIso(fault.since).slice(0, 16).replace('T', ' ')
  const text = say('system.warning.mail', { since, error: fault.error })
  return [{ code: 'mail', severity: 'warning', text }]
}

/** Returns what is wrong with a standby. It mails administrators by itself, so that none of this is an alarm. */
function standbyWarnings({ ageSeconds, isStale, silentMs, clockAheadMs, doubt, failure }: StandbySeen): Warning[] {
  const warn = (code: Warning['code'], text: string): Warning => ({ code, severity: 'warning', text })
  const tellStale = (): string => {
    const [isKnown, why] = [String(failure !== null), failure ?? '']
    return ageSeconds === null
      ? say('standby.warning.empty', { isKnown, failure: why })
      : say('standby.warning.stale', { seconds: ageSeconds, isKnown, failure: why })
  }
  const apart = Math.abs(clockAheadMs ?? 0)
  const clock = { seconds: Math.round(apart / SECOND), isAhead: String((clockAheadMs ?? 0) > 0) }
  return [
    ...(isStale ? [warn('standby_stale', tellStale())] : []),
    ...(apart > CLOCKS_APART ? [warn('standby_clock', say('standby.warning.clock', clock))] : []),
    ...(silentMs >= SILENT_AFTER
      ? [warn('standby_silent', say('standby.warning.silent', { seconds: Math.round(silentMs / SECOND) }))]
      : []),
    ...(doubt === null ? [] : [warn('standby_proof', say('standby.warning.proof', { doubt }))]),
  ]
}

/** Returns everything that the administrator should act on, the worst first. */
export async function listWarnings(parts: StatusParts): Promise<Warning[]> {
  const vitals = (await parts.readiness()).filter(({ ok }) => !ok)
  const found = [
    ...vitals.map(({ name, text }): Warning => ({ code: name, severity: 'alarm', text })),
    ...(parts.standby
      ? standbyWarnings(parts.standby.seen())
      : [
          ...lossWarnings(parts),
          ...replicaWarnings(parts.replication),
          ...sinkWarnings(parts),
          ...(await proofWarnings(parts)),
        ]),
    ...certificateWarnings(parts.tls()),
    ...mailWarnings(parts.mailFault()),
  ]
  return found.toSorted((a, b) => a.severity.localeCompare(b.severity))
}

/** Returns the certificate for the administrator; null if this server does not do TLS itself. */
const certificateOut = ({ source, notAfter, names, lastError }: TlsState): Static<typeof CertificateOut> | null =>
  source === 'off'
    ? null
    : { source, notAfter: notAfter === null ? null : toIso(notAfter), names: [...names], lastError }

/** Returns the sizes of the databases; those of a standby are the copy that is read. */
function readSizes({ dataDir, standby }: StatusParts): Static<typeof SystemStatusOut>['databases'] {
  if (!standby)
    return DATABASES.map((name) => ({
      name,
      bytes: readSize(join(dataDir, name)),
      logBytes: readSize(join(dataDir, `${name}-wal`)),
    }))
  const { path, release } = standby.hold()
  const bytes = path === '' ? 0 : readSize(path)
  release()
  return [{ name: 'brokerbase.db', bytes, logBytes: 0 }]
}

/** Returns what a standby says of itself, in whole seconds. */
const standbyOut = ({ heartbeat, history, ageSeconds, isStale, silentMs, clockAheadMs }: StandbySeen) => ({
  primary: heartbeat === null || heartbeat.url === '' ? null : heartbeat.url,
  history,
  ageSeconds,
  stale: isStale,
  silentSeconds: Math.round(silentMs / SECOND),
  clockAheadSeconds: clockAheadMs === null ? null : Math.round(clockAheadMs / SECOND),
})

/** Answers the box's status for its administrator: version, contents and copies. */
export async function readStatus(parts: StatusParts): Promise<Static<typeof SystemStatusOut>> {
  const { dataDir, clock, started, program, schema, replication, backups, recoveryKey, tls, scheduler, standby } = parts
  const { provenAt } = await backups.proofs()
  return {
    ...program,
    ...schema(),
    startedAt: toIso(started),
    now: toIso(clock.now()),
    memoryBytes: process.memoryUsage.rss(),
    disk: readDisk(dataDir),
    databases: readSizes(parts),
    replica: replicaOut(replication),
    standby: standby && standbyOut(standby.seen()),
    provenAt,
    certificate: certificateOut(tls()),
    keyKept: recoveryKey.kept() !== undefined,
    failedJobs: scheduler.list().flatMap(({ name, lastRun }) => (lastRun?.status === 'failed' ? [name] : [])),
    warnings: await listWarnings(parts),
  }
}
